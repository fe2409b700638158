/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses in the tools: parsing and formatting. */
#ifndef TOOLS_ST_ADDR_H
#define TOOLS_ST_ADDR_H

#include <stddef.h>

#include <linux/st.h>

#define ADDRESS_TEXT	48	/* bytes of any address as text, with the NUL */

/**
 * struct search - where to look for a peer
 * @ifindex: ifindex of the device; 0: any
 * @llp: name of the lower-layer protocol; NULL: any
 * @timeout: seconds to wait for the resolution of an IP address; 0: the default of the kernel
 */
struct search {
	unsigned int	ifindex;
	const char	*llp;
	unsigned int	timeout;
};

/* Opens the socket to the netlink family "st", once; ends the program on errors. */
void open_st(void);

/*
 * Finds the peer for @text: an address in the format of its link, an IP address or a host name.
 * Sets all of @to but the Port; reports errors, and exits.
 */
void find_address(const char *text, const struct search *where, struct sockaddr_st *to);

/* The same for a device and an address, such as eth1,02:00:5e:00:00:01. */
void find_path(const char *text, unsigned int timeout, struct sockaddr_st *to);

/* Formats an address as its link does.  Returns @text. */
const char *address_text(const struct sockaddr_st *a, char text[ADDRESS_TEXT]);

#endif
