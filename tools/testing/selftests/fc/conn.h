/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Connection Setup and Disconnect of FC-VI, from either end.
 */
#ifndef CONN_H
#define CONN_H

#include "vi.h"

/* IPv4 address of the other port, and that of this one */
#define IP_THEIRS	0x0a4d0001
extern uint32_t ip_ours;

/* FC-VI 5.9.7, tables 11 and 12 */
enum {
	ACCEPT = 0x00, NO_MATCH = 0x01, TIMEOUT = 0x02, NOT_WAITING = 0x03, REJECT = 0x04,
	REJECT_CONCURRENT = 0x05, REJECT_LOGIN = 0x20, REJECT_PROTOCOL = 0x21,
	REJECT_TRANSPORT = 0x22,
	END_TRANSPORT = 0x40, END_DESC = 0x42, END_WRITE_PROT, END_WRITE_DATA,
	END_WRITE_ABORT, END_RDMA, END_READ_PROT,
	END_PROTOCOL, END_SETUP, END_UNKNOWN, END_ACCEPT,
};

#define STATUS(reason)	((uint32_t)(reason) << 16)

/* Payload of CONNECT_RQST and RESP1, tables 13 to 18 */
#define CONN_LEN	340
#define CONN_INFO_LEN	256
enum {
	AT_REVISION = 6, AT_HANDLE = 8, AT_LOC = 12, AT_REM = 160, AT_ATTRS = 308,
	AT_LEVEL = AT_ATTRS + 2, AT_RIGHTS, AT_MAX_SIZE, AT_PREF = AT_ATTRS + 8,
	AT_MAX_BANDWIDTH = AT_ATTRS + 12, AT_MIN_BANDWIDTH = AT_ATTRS + 16,
	AT_MAX_DELAY = AT_ATTRS + 20, AT_DEPTH = AT_ATTRS + 24,
};

/* Within an address */
enum { AT_HOST_LEN = 2, AT_DISCRIM_LEN, AT_HOST, AT_DISCRIM = 20 };

#define ADDR_LEN	148

enum { UD = 1, RD, RR };

#define MAX_SIZE	0x100000
#define DEPTH		31

/**
 * struct conn - a connection, or its setup
 * @id: CONNECTION_ID
 * @ours: handle of this side
 * @theirs: handle of the other side, or NO_HANDLE
 * @retry: RETRY is set in all IUs
 * @x: Exchange of the setup
 * @payload: of the last CONNECT_RQST, by whomever it was sent
 * @len: bytes of that
 * @resp1: payload of the RESP1
 */
struct conn {
	uint32_t id;
	uint32_t ours;
	uint32_t theirs;
	bool retry;
	struct xchg x;
	uint8_t payload[CONN_LEN + CONN_INFO_LEN];
	unsigned int len;
	uint8_t resp1[CONN_LEN];
};

/* A setup with a handle and a CONNECTION_ID of its own, by default for Unreliable Delivery */
struct conn conn_new(const char *discrim);
/* The same endpoint once more, FC-VI 8.5.4 */
void conn_again(struct conn *c);
void put_addr(uint8_t *to, uint32_t ip, const char *discrim);

/* This side is the originator.  @flags: of the CONNECT_RQST */
struct iu rqst_of(const struct conn *c, uint8_t flags);
struct iu resp2_of(const struct conn *c, uint8_t reason);
void send_rqst(struct peer *p, struct conn *c, uint8_t flags);
void await_resp1(struct peer *p, struct conn *c, uint8_t reason);
void send_resp2(struct peer *p, struct conn *c, uint8_t reason);
void await_resp3(struct peer *p, struct conn *c, uint8_t reason);
/* The rest of a setup that is refused for this reason, or accepted */
void conn_finish(struct peer *p, struct conn *c, uint8_t reason);

/* The other side is the originator */
void await_rqst(struct peer *p, struct conn *c, uint8_t mode);
void send_resp1(struct peer *p, struct conn *c, uint8_t reason);
void await_resp2(struct peer *p, struct conn *c, uint8_t reason);
void send_resp3(struct peer *p, struct conn *c, uint8_t reason);

/* A Disconnect of ours; the other side has to answer with this reason */
struct iu disconnect_of(uint8_t flags, uint32_t handle, uint32_t id, uint8_t reason);
void disconnect(struct peer *p, const struct iu *rqst, uint8_t reason, uint32_t handle,
		uint32_t msg_id);
/* Answers one of the other side */
void answer_disconnect(struct peer *p, struct xchg *x, const struct iu *rqst, uint8_t reason,
		       uint32_t handle);
/* One of the other side, which is @rqst but for its Exchange; it is answered */
void await_disconnect(struct peer *p, const struct iu *rqst, uint8_t reason, uint32_t handle);

#endif
