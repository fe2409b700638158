/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A VN_Port that meets one other port, and checks each field of what that sends.
 */
#ifndef PEER_H
#define PEER_H

#include "wire.h"

#define PATIENCE_MS	10000

/* Common features of PLOGI: continuously increasing and random Relative Offset, SEQ_CNT */
enum { FEATURE_C = 0x8000, FEATURE_R = 0x4000, FEATURE_S = 0x0002 };

#define MFS		2112
#define FCOE_SIZE(mfs)	((mfs) + FC_HDR + FCOE_HDR + FCOE_END)

/**
 * struct peer - this port, and the other
 * @wire: where they are
 * @wwpn: Port_Name
 * @wwnn: Node_Name
 * @id: N_Port ID
 * @enode: MAC address of the ENode
 * @mac: MAC address of the VN_Port
 * @mfs: receive data field size
 * @features: of PLOGI
 * @ox_id: of the next request
 * @their_wwpn: Port_Name of the other
 * @their_wwnn: its Node_Name
 * @their_id: its N_Port ID
 * @their_enode: MAC address of its ENode
 * @their_mac: MAC address of its VN_Port
 * @their_mfs: its receive data field size
 * @their_r_a_tov: its R_A_TOV, in milliseconds
 */
struct peer {
	struct wire wire;
	uint64_t wwpn;
	uint64_t wwnn;
	uint32_t id;
	uint8_t enode[MAC];
	uint8_t mac[MAC];
	unsigned int mfs;
	uint16_t features;
	uint16_t ox_id;
	uint64_t their_wwpn;
	uint64_t their_wwnn;
	uint32_t their_id;
	uint8_t their_enode[MAC];
	uint8_t their_mac[MAC];
	unsigned int their_mfs;
	unsigned int their_r_a_tov;
};

extern const uint8_t all_vn2vn[MAC], all_stations[MAC];

void peer_open(struct peer *p, const char *device, uint64_t wwpn);
void vn_mac(uint8_t *mac, uint32_t id);

void make_vn2vn(const struct peer *p, struct frame *f, uint8_t subcode, const uint8_t *dst);
void send_vn2vn(struct peer *p, uint8_t subcode, const uint8_t *dst);
/* The next VN2VN frame of this kind, checked; what the other is goes to @p */
void await_vn2vn(struct peer *p, struct frame *f, uint8_t subcode);

/* The header of a request in one frame */
struct fc request_of(struct peer *p, const uint8_t *payload, unsigned int len);
void send_fc(struct peer *p, const struct fc *fc);
void ask(struct peer *p, const uint8_t *payload, unsigned int len);
void answer(struct peer *p, const struct fc *request, const uint8_t *payload, unsigned int len);
/* The next FC frame with this R_CTL for this port, its header checked; of ELS also the command */
void await_fc(struct peer *p, struct frame *f, struct fc *fc, uint8_t r_ctl, int command);
/* Whether no such frame comes */
bool nothing(struct peer *p, unsigned int ms);
/* Asks, and awaits LS_ACC with so many bytes, or LS_RJT with this reason and explanation */
void ask_acc(struct peer *p, struct frame *f, struct fc *fc, const uint8_t *payload,
	     unsigned int len, unsigned int expected);
void ask_rjt(struct peer *p, const uint8_t *payload, unsigned int len, uint8_t reason,
	     uint8_t explanation);

void make_login(const struct peer *p, uint8_t *payload, uint8_t command);
/* About an IPv4 address, from 10.77.0.2 */
void make_farp(const struct peer *p, uint8_t *payload, uint8_t command, uint32_t ip);
/* Probe, Claim and Beacon: the other knows this port, and has asked for FLOGI in FIP */
void meet(struct peer *p);
/* PLOGI, sent by the one with the higher Port_Name */
void log_in(struct peer *p);

#endif
