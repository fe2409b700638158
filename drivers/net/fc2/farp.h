/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FARP: the N_Port ID of an IP address, FC-VI 7.4 and 7.5.
 */
#ifndef _FC2_FARP_H
#define _FC2_FARP_H

#include <linux/in6.h>
#include <linux/types.h>

struct fc2_port;
struct sk_buff;

/**
 * struct fc2_farp_info - an address in the cache
 * @ip: the address; IPv4 addresses are v4-mapped
 * @id: N_Port ID; 0 while the question is not answered
 * @wwpn: Port_Name; only with @id
 */
struct fc2_farp_info {
	struct in6_addr	ip;
	u32		id;
	u64		wwpn;
};

void fc2_farp_request(struct fc2_port *port, const struct sk_buff *request);
bool fc2_farp_answer(struct fc2_port *port, const struct sk_buff *request, u64 *wwpn, u64 *wwnn);
bool fc2_farp_question(struct fc2_port *port, struct in6_addr *ip);
void fc2_farp_served(struct fc2_port *port, const struct in6_addr *ip, u32 id, u64 wwpn);
void fc2_farp_void(struct fc2_port *port, u32 id, u64 wwpn);
void fc2_farp_void_all(struct fc2_port *port);
bool fc2_farp_get(struct fc2_port *port, unsigned long n, struct fc2_farp_info *info);
void fc2_farp_port_begin(struct fc2_port *port);
void fc2_farp_port_end(struct fc2_port *port);

#endif
