/* SPDX-License-Identifier: GPL-2.0 */
/*
 * VN2VN frames of another port, and a port that takes its steps when a test wants it.
 */
#ifndef _FC2_TEST_VN_H
#define _FC2_TEST_VN_H

#include <kunit/test.h>
#include <linux/if_ether.h>
#include <linux/types.h>

#include "port.h"

struct fc2_fip;
struct fc2_neighbour;
struct sk_buff;

#define VN_WWPN		0x2000021122330123ULL
#define VN_ID		0x0123
#define VN_PEER_ID	0x0456
#define VN_SIZE		2158
#define VN_FRAME_MAX	300

extern const u8 vn_all[ETH_ALEN], vn_peer_mac[ETH_ALEN];

/* What the last call of fc2_fip_arm() in a test wanted */
extern unsigned long vn_delay;

/**
 * struct vn_frame - a VN2VN frame
 * @subcode: of it
 * @id: N_Port ID
 * @wwpn: Port_Name
 * @wwnn: Node_Name
 * @flags: of the FIP header
 * @size: FCoE size
 * @len: bytes of the FIP frame; 0: without padding
 */
struct vn_frame {
	u8 subcode;
	u32 id;
	u64 wwpn;
	u64 wwnn;
	u16 flags;
	u16 size;
	unsigned int len;
};

void vn_stop_timers(struct kunit *test);
struct vn_frame vn_peer(u8 subcode, unsigned int len);
unsigned int vn_put(u8 *frame, const struct vn_frame *vn);
void vn_rx_raw(struct kunit *test, struct fc2_port *port, const u8 *frame, unsigned int len);
void vn_rx(struct kunit *test, struct fc2_port *port, const struct vn_frame *vn);
void vn_step(struct fc2_port *port);
struct sk_buff *vn_sent(struct fc2_port *port, struct fc2_fip *fip);
u8 vn_said(struct fc2_port *port);
struct fc2_neighbour *vn_neighbour(struct fc2_port *port, u32 id);
struct fc2_port *vn_port(struct kunit *test, enum fc2_state state);

#endif
