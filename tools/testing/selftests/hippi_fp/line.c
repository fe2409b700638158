// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if_packet.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "line.h"

/* Nobody has it, so that the peer's answers are no one else's */
static const uint8_t our_mac[MAC_LEN] = { 2, 0x64, 0, 0, 0, 2 };

void line_open(struct line *line, const char *device, const char *port)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETHERTYPE) };
	struct ifreq req = {};

	*line = (struct line) { .port = port, .device = if_nametoindex(device) };
	at.sll_ifindex = line->device;
	line->fd = socket(AF_PACKET, SOCK_RAW, htons(ETHERTYPE));
	if (!line->device || line->fd < 0 || bind(line->fd, (struct sockaddr *)&at, sizeof(at)))
		err(1, "%s", device);
	snprintf(req.ifr_name, IFNAMSIZ, "%s", port);
	if (ioctl(line->fd, SIOCGIFHWADDR, &req))
		err(1, "%s", port);
	if (req.ifr_hwaddr.sa_family != ARP_HIPPI)
		errx(1, "%s has type %d, expected %d", port, req.ifr_hwaddr.sa_family, ARP_HIPPI);
	memcpy(line->to_port.dest, req.ifr_hwaddr.sa_data, MAC_LEN);
	memcpy(line->to_port.source, our_mac, MAC_LEN);
	memcpy(line->to_us.dest, our_mac, MAC_LEN);
	memcpy(line->to_us.source, req.ifr_hwaddr.sa_data, MAC_LEN);
}

void line_send(struct line *line, const struct frame *f)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = line->device };

	while (sendto(line->fd, f->data, f->len, 0, (struct sockaddr *)&to, sizeof(to)) < 0) {
		if (errno != ENOBUFS)
			err(1, "cannot send %zu bytes", f->len);
		usleep(100);
	}
}

bool line_receive(struct line *line, struct frame *f, int ms)
{
	struct pollfd p = { .fd = line->fd, .events = POLLIN };
	ssize_t len;

	if (poll(&p, 1, ms) <= 0)
		return false;
	len = recv(line->fd, f->data, sizeof(f->data), MSG_TRUNC);
	if (len < 0)
		err(1, "cannot receive");
	if ((size_t)len > sizeof(f->data))
		errx(1, "a frame of %zd bytes, expected at most %zu", len, sizeof(f->data));
	f->len = len;
	return true;
}

void line_empty(struct line *line)
{
	static struct frame f;

	while (line_receive(line, &f, 0))
		;
}

static void ethtool_call(const struct line *line, void *data)
{
	struct ifreq req = { .ifr_data = data };

	snprintf(req.ifr_name, IFNAMSIZ, "%s", line->port);
	if (ioctl(line->fd, SIOCETHTOOL, &req))
		err(1, "counters of %s", line->port);
}

void read_counters(const struct line *line, struct counters *c)
{
	struct {
		struct ethtool_sset_info info;
		uint32_t count;
	} set = { .info = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1 << ETH_SS_STATS } };
	struct {
		struct ethtool_gstrings head;
		char names[COUNTERS_MAX][NAME_LEN];
	} *strings = calloc(1, sizeof(*strings));
	struct {
		struct ethtool_stats head;
		uint64_t values[COUNTERS_MAX];
	} *stats = calloc(1, sizeof(*stats));

	ethtool_call(line, &set);
	if (!strings || !stats || !set.count || set.count > COUNTERS_MAX)
		errx(1, "%s has %u counters, expected up to %d", line->port, set.count,
		     COUNTERS_MAX);
	strings->head = (struct ethtool_gstrings) {
		.cmd = ETHTOOL_GSTRINGS, .string_set = ETH_SS_STATS, .len = set.count,
	};
	stats->head = (struct ethtool_stats) { .cmd = ETHTOOL_GSTATS, .n_stats = set.count };
	ethtool_call(line, strings);
	ethtool_call(line, stats);
	c->count = set.count;
	memcpy(c->names, strings->names, sizeof(c->names));
	memcpy(c->values, stats->values, sizeof(c->values));
	free(strings);
	free(stats);
}

uint64_t counter(const struct counters *c, const char *name)
{
	unsigned int i;

	for (i = 0; i < c->count; i++)
		if (!strcmp(c->names[i], name))
			return c->values[i];
	errx(1, "found no %s among the counters", name);
}
