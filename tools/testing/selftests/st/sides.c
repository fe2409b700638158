// SPDX-License-Identifier: GPL-2.0
/*
 * Both sides of the cable: network namespaces, netdevs, parameters, counters, faults.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/ethtool.h>
#include <linux/sockios.h>

#include "common.h"

#define FAULTS		"/sys/kernel/debug/hippi6400_emu"
#define CARRIER_MS	20000

struct side sides[2] = {
	[A] = { .ns = "a" },
	[B] = { .ns = "b" },
};

bool fail(const char *what)
{
	fprintf(stderr, "# %s: %s\n", what, strerror(errno));
	return false;
}

bool enter(int side)
{
	char path[64];
	int fd, err;

	snprintf(path, sizeof(path), "/run/netns/%s", sides[side].ns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(path);
	err = setns(fd, CLONE_NEWNET);
	close(fd);
	return err ? fail(path) : true;
}

/* An ioctl on the netdev of a side. */
static bool dev_ioctl(int side, unsigned long request, struct ifreq *req)
{
	int fd, err;

	if (!enter(side))
		return false;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return fail("socket");
	memcpy(req->ifr_name, sides[side].dev, IF_NAMESIZE);
	err = ioctl(fd, request, req);
	close(fd);
	return err ? fail(sides[side].dev) : true;
}

bool link_set_up(int side, bool up)
{
	struct ifreq req = {};

	if (!dev_ioctl(side, SIOCGIFFLAGS, &req))
		return false;
	if (!!(req.ifr_flags & IFF_UP) == up)
		return true;
	req.ifr_flags ^= IFF_UP;
	return dev_ioctl(side, SIOCSIFFLAGS, &req);
}

bool link_set_address(int side, const __u8 *ula)
{
	struct ifreq req = {};

	/* Fills in the address type */
	if (!dev_ioctl(side, SIOCGIFHWADDR, &req))
		return false;
	memcpy(req.ifr_hwaddr.sa_data, ula, ULA_LEN);
	return dev_ioctl(side, SIOCSIFHWADDR, &req);
}

bool wait_carrier(int side)
{
	long long end = now_ms() + CARRIER_MS;
	struct ifreq req = {};

	do {
		if (!dev_ioctl(side, SIOCGIFFLAGS, &req))
			return false;
		if (req.ifr_flags & IFF_RUNNING)
			return true;
		usleep(10000);
	} while (now_ms() < end);
	errno = ETIMEDOUT;
	return fail(sides[side].dev);
}

bool links_come_and_go(const unsigned int *done, unsigned int each)
{
	unsigned int i, from;
	long long end;

	for (i = 0; i < 10; i++) {
		from = __atomic_load_n(done, __ATOMIC_RELAXED);
		end = now_ms() + 6 * SOON_MS;
		while (__atomic_load_n(done, __ATOMIC_RELAXED) < from + each && now_ms() < end)
			usleep(1000);
		if (!link_set_up(i % 2, false) || !link_set_up(i % 2, true) ||
		    !wait_carrier(A) || !wait_carrier(B))
			return false;
	}
	return true;
}

/* A counter of ethtool -S of a side, or -1. */
long long dev_stat(int side, const char *name)
{
	union {
		struct ethtool_drvinfo info;
		struct ethtool_gstrings names;
		struct ethtool_stats stats;
		char room[16384];
	} *names = calloc(1, sizeof(*names)), *stats = calloc(1, sizeof(*stats));
	struct ifreq req = { .ifr_data = (char *)names };
	long long value = -1;
	__u32 i, count;

	names->info.cmd = ETHTOOL_GDRVINFO;
	if (!dev_ioctl(side, SIOCETHTOOL, &req))
		goto out;
	count = names->info.n_stats;
	if (sizeof(names->names) + count * ETH_GSTRING_LEN > sizeof(*names)) {
		fprintf(stderr, "# %u counters are more than expected\n", count);
		goto out;
	}
	names->names.cmd = ETHTOOL_GSTRINGS;
	names->names.string_set = ETH_SS_STATS;
	names->names.len = count;
	if (!dev_ioctl(side, SIOCETHTOOL, &req))
		goto out;
	stats->stats.cmd = ETHTOOL_GSTATS;
	stats->stats.n_stats = count;
	req.ifr_data = (char *)stats;
	if (!dev_ioctl(side, SIOCETHTOOL, &req))
		goto out;
	for (i = 0; i < count; i++)
		if (!strncmp((char *)names->names.data + i * ETH_GSTRING_LEN, name,
			     ETH_GSTRING_LEN))
			value = stats->stats.data[i];
out:
	free(names);
	free(stats);
	return value;
}

bool become_nobody(void)
{
	return !setgroups(0, NULL) && !setresgid(NOBODY, NOBODY, NOBODY) &&
	       !setresuid(NOBODY, NOBODY, NOBODY);
}

bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t len = strlen(text);
	bool ok;

	if (fd < 0)
		return false;
	ok = write(fd, text, len) == len;
	close(fd);
	return ok;
}

bool sysctl_here_set(const char *name, long long value)
{
	char path[64], text[32];

	snprintf(path, sizeof(path), "/proc/sys/net/st/%s", name);
	snprintf(text, sizeof(text), "%lld\n", value);
	return write_text(path, text);
}

long long sysctl_here_get(const char *name)
{
	char path[64];
	long long value = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/sys/net/st/%s", name);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (fscanf(f, "%lld", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}

bool sysctl_set(int side, const char *name, long long value)
{
	return enter(side) && sysctl_here_set(name, value);
}

long long sysctl_get(int side, const char *name)
{
	return enter(side) ? sysctl_here_get(name) : -1;
}

int sockets_of(int side)
{
	char line[256];
	int count = -1;
	FILE *f;

	if (!enter(side))
		return -1;
	f = fopen("/proc/thread-self/net/protocols", "re");
	if (!f)
		return -1;
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, "ST ", 3) && sscanf(line, "%*s %*d %d", &count) != 1)
			count = -1;
	fclose(f);
	return count;
}

bool no_sockets(int timeout_ms)
{
	long long end = now_ms() + timeout_ms;

	while (sockets_of(A) || sockets_of(B)) {
		if (now_ms() > end)
			return false;
		usleep(20000);
	}
	return true;
}

bool fault_set(int port, const char *name, const char *value)
{
	char path[96];

	snprintf(path, sizeof(path), FAULTS "/port%d/%s", port, name);
	return write_text(path, value) || fail(path);
}

long long fault_stat(int port, const char *name)
{
	char path[96], key[32];
	long long value = -1, v;
	FILE *f;

	snprintf(path, sizeof(path), FAULTS "/port%d/stats", port);
	f = fopen(path, "re");
	if (!f)
		return -1;
	while (fscanf(f, "%31s %lld", key, &v) == 2)
		if (!strcmp(key, name))
			value = v;
	fclose(f);
	return value;
}

static const struct {
	const char *llp;
	const char *device;
} media[] = {
	[HIPPI6400] = { "hippi6400", "hip" },
	[ETHERNET] = { "ethernet", "veth" },
	[RIO9] = { "rio9", "rio" },
	[FCLE] = { "fcle", "veth" },
	[FCVI] = { "fcvi", "veth" },
	[HIPPI_FP] = { "hippi_fp", "hfp" },
};

enum medium medium(void)
{
	const char *llp = getenv("ST_LLP");
	size_t i;

	for (i = 0; llp && i < ARRAY_SIZE(media); i++)
		if (!strcmp(llp, media[i].llp))
			return i;
	return HIPPI6400;
}

static bool find_device(struct side *s)
{
	struct if_nameindex *all = if_nameindex(), *i;
	const char *kind = media[medium()].device;

	for (i = all; i && i->if_index; i++) {
		if (strncmp(i->if_name, kind, strlen(kind)))
			continue;
		memccpy(s->dev, i->if_name, 0, IF_NAMESIZE);
		s->ifindex = i->if_index;
		break;
	}
	if_freenameindex(all);
	if (!s->ifindex)
		fprintf(stderr, "# no %s netdev in network namespace %s\n", kind, s->ns);
	return s->ifindex;
}

/* The defaults, but without keepalive probes */
static const struct {
	const char *name;
	long long value;
} params[] = {
	{ "op_timeout_ms", 1000 },
	{ "op_timeout_min_ms", 200 },
	{ "max_retry", 8 },
	{ "max_transfer", 1L << 30 },
	{ "checksum", 1 },
	{ "max_connections", 65536 },
	{ "max_connections_peer", 32768 },
	{ "max_memory_peer", 64L << 20 },
	{ "max_memory", 256L << 20 },
	{ "slots", 64 },
	{ "conn_regions", 16 },
	{ "conn_region_bytes", 1L << 30 },
	{ "max_regions", 1024 },
	{ "max_region_bytes", 1LL << 31 },
	{ "confirm_ms", 0 },
};

static bool set_up_side(int side)
{
	struct ifreq req = {};
	size_t i;

	if (!enter(side) || !find_device(&sides[side]) ||
	    !dev_ioctl(side, SIOCGIFHWADDR, &req))
		return false;
	memcpy(sides[side].ula, req.ifr_hwaddr.sa_data, ULA_LEN);
	if (medium() == FCVI)
		frame_host(sides[side].ula, 1 + side);
	for (i = 0; i < ARRAY_SIZE(params); i++)
		if (!sysctl_set(side, params[i].name, params[i].value))
			return fail(params[i].name);
	return link_set_up(side, true);
}

bool set_up(void)
{
	int port;

	for (port = 0; port < 2 && medium() == HIPPI6400; port++)
		if (!fault_set(port, "tx_ber", "0") || !fault_set(port, "unplug", "0"))
			return false;
	return set_up_side(A) && set_up_side(B) && wait_carrier(A) && wait_carrier(B);
}
