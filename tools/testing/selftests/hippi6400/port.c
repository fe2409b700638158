// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>

#include "port.h"

static bool fail(const char *what)
{
	fprintf(stderr, "# %s: %s\n", what, strerror(errno));
	return false;
}

long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t len = strlen(text);
	bool ok;

	if (fd < 0)
		return fail(path);
	ok = write(fd, text, len) == len;
	close(fd);
	return ok || fail(path);
}

static bool dev_ioctl(struct port *port, unsigned long request, struct ifreq *req)
{
	snprintf(req->ifr_name, IF_NAMESIZE, "%s", port->dev);
	return !ioctl(port->control, request, req) || fail(port->dev);
}

bool param_set(struct port *port, const char *name, unsigned int value)
{
	char command[160];

	snprintf(command, sizeof(command),
		 "devlink dev param set pci/%s name %s value %u cmode runtime", port->pci, name,
		 value);
	if (!system(command))
		return true;
	fprintf(stderr, "# failed: %s\n", command);
	return false;
}

static bool get_names(struct port *port)
{
	struct {
		struct ethtool_sset_info info;
		__u32 count;
	} sset = { .info = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1 << ETH_SS_STATS } };
	struct ethtool_gstrings *strings;
	struct ifreq req = { .ifr_data = (char *)&sset };
	bool ok;

	if (!dev_ioctl(port, SIOCETHTOOL, &req))
		return false;
	port->count = sset.info.data[0];
	if (!port->count || port->count > COUNTERS_MAX) {
		fprintf(stderr, "# %u counters, expected 1 to %u\n", port->count, COUNTERS_MAX);
		return false;
	}
	strings = calloc(1, sizeof(*strings) + port->count * sizeof(*port->names));
	port->names = calloc(port->count, sizeof(*port->names));
	if (!strings || !port->names)
		return fail("memory");
	strings->cmd = ETHTOOL_GSTRINGS;
	strings->string_set = ETH_SS_STATS;
	strings->len = port->count;
	req.ifr_data = (char *)strings;
	ok = dev_ioctl(port, SIOCETHTOOL, &req);
	memcpy(port->names, strings->data, port->count * sizeof(*port->names));
	free(strings);
	return ok;
}

bool port_open(struct port *port, const char *dev)
{
	struct ifreq req = {};
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };
	char path[96];

	port->dev = dev;
	port->names = NULL;
	port->control = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	port->ifindex = if_nametoindex(dev);
	if (port->control < 0 || !port->ifindex)
		return fail(dev);
	req.ifr_data = (char *)&info;
	if (!dev_ioctl(port, SIOCETHTOOL, &req))
		return false;
	snprintf(port->pci, sizeof(port->pci), "%s", info.bus_info);
	/* Otherwise the kernel would send frames by itself */
	snprintf(path, sizeof(path), "/proc/sys/net/ipv6/conf/%s/disable_ipv6", dev);
	if (!write_text(path, "1") || !get_names(port) || !dev_ioctl(port, SIOCGIFHWADDR, &req))
		return false;
	memcpy(port->ula, req.ifr_hwaddr.sa_data, sizeof(port->ula));
	return true;
}

void port_close(struct port *port)
{
	free(port->names);
	close(port->control);
}

static bool change_flags(struct port *port, short set, short clear)
{
	struct ifreq req = {};

	if (!dev_ioctl(port, SIOCGIFFLAGS, &req))
		return false;
	req.ifr_flags |= set;
	req.ifr_flags &= ~clear;
	return dev_ioctl(port, SIOCSIFFLAGS, &req);
}

bool port_set_up(struct port *port, bool up)
{
	return up ? change_flags(port, IFF_UP, 0) : change_flags(port, 0, IFF_UP);
}

bool port_has_carrier(struct port *port)
{
	struct ethtool_value link = { .cmd = ETHTOOL_GLINK };
	struct ifreq req = { .ifr_data = (char *)&link };

	return dev_ioctl(port, SIOCETHTOOL, &req) && link.data;
}

bool port_wait_carrier(struct port *port, bool carrier)
{
	long long end = now_ms() + SOON_MS;

	while (port_has_carrier(port) != carrier) {
		if (now_ms() > end) {
			fprintf(stderr, "# %s %s a carrier after %d ms\n", port->dev,
				carrier ? "is without" : "has", SOON_MS);
			return false;
		}
		usleep(1000);
	}
	return true;
}

bool counters_get(struct port *port, struct counters *counters)
{
	struct {
		struct ethtool_stats stats;
		__u64 value[COUNTERS_MAX];
	} get = { .stats = { .cmd = ETHTOOL_GSTATS, .n_stats = port->count } };
	struct ifreq req = { .ifr_data = (char *)&get };

	if (!dev_ioctl(port, SIOCETHTOOL, &req))
		return false;
	counters->count = port->count;
	memcpy(counters->value, get.stats.data, port->count * sizeof(*counters->value));
	return true;
}

__u64 counter_of(struct port *port, const char *name)
{
	struct counters now;
	unsigned int i;

	if (!counters_get(port, &now))
		return ~0ULL;
	for (i = 0; i < now.count; i++)
		if (!strcmp(port->names[i], name))
			return now.value[i];
	fprintf(stderr, "# %s has no counter %s\n", port->dev, name);
	return ~0ULL;
}

__u64 statistic(struct port *port, const char *name)
{
	unsigned long long value = ~0ULL;
	char path[96];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/net/%s/statistics/%s", port->dev, name);
	f = fopen(path, "re");
	if (!f || fscanf(f, "%llu", &value) != 1)
		fail(path);
	if (f)
		fclose(f);
	return value;
}

static bool is_traffic(const char *name)
{
	return !strncmp(name, "vc", 2) || !strncmp(name, "card_", 5) ||
	       !strcmp(name, "rx_upkts") || !strcmp(name, "tx_upkts") ||
	       !strcmp(name, "clmul_batches");
}

bool only_moved(struct port *port, const struct counters *before, const struct moved *list)
{
	unsigned int i, named = 0, expected = 0;
	const struct moved *m;
	struct counters now;
	bool ok = true;

	for (m = list; m->name; m++)
		expected++;
	if (!counters_get(port, &now))
		return false;
	for (i = 0; i < now.count; i++) {
		__u64 found = now.value[i] - before->value[i], by = 0;

		for (m = list; m->name && strcmp(m->name, port->names[i]); m++)
			;
		if (m->name) {
			by = m->by;
			named++;
		} else if (is_traffic(port->names[i])) {
			continue;
		}
		if (found != by) {
			fprintf(stderr, "# %s moved by %lld, expected %lld\n", port->names[i],
				(long long)found, (long long)by);
			ok = false;
		}
	}
	if (named != expected) {
		fprintf(stderr, "# of %u counters only %u exist\n", expected, named);
		ok = false;
	}
	return ok;
}

int frames_open(struct port *port, unsigned int vc)
{
	struct sockaddr_ll addr = {
		.sll_family	= AF_PACKET,
		.sll_protocol	= htons(ETH_P_ALL),
		.sll_ifindex	= port->ifindex,
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	int priority = PRIO_OF_VC(vc), memory = SOCKET_MEMORY, one = 1;

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &priority, sizeof(priority)) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &memory, sizeof(memory)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &memory, sizeof(memory)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof(one)) ||
	    bind(fd, (struct sockaddr *)&addr, sizeof(addr))) {
		fail("packet socket");
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

bool frame_is_test(const void *frame, size_t len)
{
	const __u8 *type = (const __u8 *)frame + 12;

	return len >= 14 && (type[0] << 8 | type[1]) == TEST_ETHERTYPE;
}

bool frame_send(int fd, const void *frame, size_t len)
{
	return send(fd, frame, len, 0) == (ssize_t)len || fail("packet socket: send");
}

ssize_t frame_recv(int fd, void *buf, size_t size, int ms)
{
	long long end = now_ms() + ms;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t len;

	do {
		if (poll(&p, 1, ms) != 1)
			return -1;
		len = recv(fd, buf, size, MSG_TRUNC);
		if (len >= 0 && frame_is_test(buf, len))
			return len;
		ms = end - now_ms();
	} while (ms > 0);
	return -1;
}
