/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses of the tools: what users write, and what is shown to them.
 */
#ifndef TOOLS_ST_ADDR_H
#define TOOLS_ST_ADDR_H

#include <stddef.h>

#include <linux/st.h>

#define ADDRESS_TEXT	48	/* as much as any address has, with the end */

/**
 * struct search - where a peer is looked for
 * @ifindex: of the device; 0: any
 * @llp: name of the lower-layer protocol; NULL: any
 * @timeout: seconds that a peer with an IP address has to answer; 0: as many as the kernel says
 */
struct search {
	unsigned int	ifindex;
	const char	*llp;
	unsigned int	timeout;
};

/*
 * Finds the peer that @text means, an address in the form of its link, an IP address or the name of
 * a host.  Fills in all of @to but the Port; reports errors, and exits.
 */
void find_address(const char *text, const struct search *where, struct sockaddr_st *to);

/* The same for a device and an address, such as eth1,02:00:5e:00:00:01. */
void find_path(const char *text, unsigned int timeout, struct sockaddr_st *to);

/* Writes an address in the form of its link.  Returns @text. */
const char *address_text(const struct sockaddr_st *a, char text[ADDRESS_TEXT]);

#endif
