// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "link.h"

bool link_mark(struct link *link)
{
	return counters_get(&link->port, &link->before);
}

bool link_moved(struct link *link, const struct moved *list)
{
	return only_moved(&link->port, &link->before, list);
}

static bool set_params(struct port *port, const char *param, unsigned int value)
{
	return param_set(port, "retry_ms", 10000) && param_set(port, "ack_timeout_ms", 10000) &&
	       param_set(port, "activity_ms", 60000) && param_set(port, "holdoff_ms", 0) &&
	       param_set(port, "retry_limit", 16) && (!param || param_set(port, param, value));
}

bool link_open(struct link *link, const char *param, unsigned int value)
{
	return port_open(&link->port, "hip0") && port_set_up(&link->port, false) &&
	       set_params(&link->port, param, value) && link_mark(link) &&
	       peer_open(&link->peer, 0) && port_set_up(&link->port, true);
}

void link_close(struct link *link)
{
	port_set_up(&link->port, false);
	peer_close(&link->peer);
	port_close(&link->port);
}

bool link_up(struct link *link)
{
	return peer_bring_up(&link->peer) && port_wait_carrier(&link->port, true);
}

size_t link_frame(struct link *link, __u8 *frame, size_t payload, unsigned int number)
{
	return make_frame(frame, link->port.ula, payload, number);
}

bool link_delivers(int fd, const __u8 *frame, size_t len)
{
	static __u8 got[FRAME_MAX + 1];
	ssize_t n = frame_recv(fd, got, sizeof(got), SOON_MS);
	size_t i;

	if (n < 0) {
		fprintf(stderr, "# no frame delivered in %d ms\n", SOON_MS);
		return false;
	}
	for (i = 0; i < len && i < (size_t)n; i++) {
		if (got[i] != frame[i]) {
			fprintf(stderr, "# byte %zu of a frame is %02x, expected %02x\n", i,
				got[i], frame[i]);
			return false;
		}
	}
	if ((size_t)n != len)
		fprintf(stderr, "# frame of %zd bytes, expected %zu\n", n, len);
	return (size_t)n == len;
}
