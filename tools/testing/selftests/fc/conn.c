// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <string.h>

#include "conn.h"

uint32_t ip_ours = 0x0a4d0002;

void put_addr(uint8_t *to, uint32_t ip, const char *discrim)
{
	unsigned int len = strlen(discrim);

	memset(to, 0, ADDR_LEN);
	to[AT_HOST_LEN] = 16;
	to[AT_DISCRIM_LEN] = len < 16 ? 16 : len;
	put(to + AT_HOST + 10, 2, 0xffff);
	put(to + AT_HOST + 12, 4, ip);
	memcpy(to + AT_DISCRIM, discrim, len);
}

static void put_conn(uint8_t *to, uint32_t handle, const char *discrim)
{
	memset(to, 0, CONN_LEN);
	put(to + AT_REVISION, 2, 1);
	put(to + AT_HANDLE, 4, handle);
	put_addr(to + AT_LOC, ip_ours, "peer");
	put_addr(to + AT_REM, IP_THEIRS, discrim);
	to[AT_LEVEL] = UD;
	to[AT_RIGHTS] = 3;
	put(to + AT_MAX_SIZE, 4, MAX_SIZE);
	put(to + AT_DEPTH, 4, DEPTH);
}

struct conn conn_new(const char *discrim)
{
	static uint32_t next = 0x77000001;
	struct conn c = {
		.id = next ^ 0x30000000, .ours = next, .theirs = NO_HANDLE, .len = CONN_LEN,
	};

	next++;
	put_conn(c.payload, c.ours, discrim);
	return c;
}

void conn_again(struct conn *c)
{
	c->id += 0x01000000;
	c->retry = true;
	c->theirs = NO_HANDLE;
}

struct iu rqst_of(const struct conn *c, uint8_t flags)
{
	return (struct iu) {
		.op = CONNECT_RQST, .flags = flags | (c->retry ? RQST_RETRY : 0),
		.handle = NO_HANDLE, .last = c->id, .end = F_INITIATIVE, .data = c->payload,
		.len = c->len,
	};
}

static struct iu resp_of(const struct conn *c, uint8_t op, uint32_t handle, uint8_t reason)
{
	return (struct iu) {
		.op = op, .flags = (c->retry ? RESP_RETRY : 0) | (reason ? CONN_STS : 0),
		.handle = handle, .param = STATUS(reason), .last = c->id,
		.end = op_end(op, false),
	};
}

struct iu resp2_of(const struct conn *c, uint8_t reason)
{
	return resp_of(c, CONNECT_RESP2, c->theirs, reason);
}

void send_rqst(struct peer *p, struct conn *c, uint8_t flags)
{
	const struct iu iu = rqst_of(c, flags);

	c->x = xchg_open(p);
	send_iu(p, &c->x, &iu);
}

static void check_resp(const struct conn *c, const struct iu *iu, uint8_t reason)
{
	const uint8_t known = CONN_STS | RESP_RETRY | (iu->op == CONNECT_RESP1 ? RESP_INFO : 0);

	same("CONNECTION_ID", iu->last, c->id);
	same("MSG_ID of a setup", iu->msg_id, 0);
	same("RMT_VA of a setup", iu->va, 0);
	same("RMT_VA_HANDLE of a setup", iu->va_handle, 0);
	same("FLAGS", iu->flags & known & ~RESP_INFO,
	     (c->retry ? RESP_RETRY : 0) | (reason ? CONN_STS : 0));
	same("reserved FLAGS", iu->flags & ~known, 0);
	same("status", iu->param, STATUS(reason));
}

/* FC-VI 7.2: reserved bytes, and those behind the Discriminator, are zero */
static void check_addr(const char *what, const uint8_t *addr)
{
	zero(what, addr, 2);
	same(what, addr[AT_HOST_LEN], 16);
	if (addr[AT_DISCRIM_LEN] < 16 || addr[AT_DISCRIM_LEN] > 128)
		errx(1, "%s: found a Discriminator of %u bytes", what, addr[AT_DISCRIM_LEN]);
	zero(what, addr + AT_DISCRIM + addr[AT_DISCRIM_LEN], 128 - addr[AT_DISCRIM_LEN]);
}

/* Tables 13 to 18 */
static void check_conn(const uint8_t *payload, unsigned int len, bool info)
{
	same("bytes of the payload", len, CONN_LEN + (info ? CONN_INFO_LEN : 0));
	zero("reserved bytes of the payload", payload, AT_REVISION);
	same("FCVI_REVISION", get(payload + AT_REVISION, 2), 1);
	check_addr("FCVI_LOC_ADDR", payload + AT_LOC);
	check_addr("FCVI_REM_ADDR", payload + AT_REM);
	zero("reserved bytes of the attributes", payload + AT_ATTRS, 2);
	if (payload[AT_LEVEL] < UD || payload[AT_LEVEL] > RR)
		errx(1, "found reliability level %u", payload[AT_LEVEL]);
	same("reserved attribute flags", payload[AT_RIGHTS] & ~3, 0);
	same("reserved bits of Preference", payload[AT_PREF] & ~PREF, 0);
	zero("reserved bytes behind Preference", payload + AT_PREF + 1, 3);
	zero("bandwidths and delay", payload + AT_MAX_BANDWIDTH, 12);
	zero("bytes behind the attributes", payload + AT_DEPTH + 4, 4);
}

void await_resp1(struct peer *p, struct conn *c, uint8_t reason)
{
	struct iu iu;

	await_iu(p, &c->x, CONNECT_RESP1, &iu);
	check_resp(c, &iu, reason);
	same("FCVI_HANDLE of RESP1", iu.handle, NO_HANDLE);
	check_conn(iu.data, iu.len, iu.flags & RESP_INFO);
	memcpy(c->resp1, iu.data, CONN_LEN);
	c->theirs = get(iu.data + AT_HANDLE, 4);
	if (reason)
		same("FCVI_RESP_HANDLE of who refuses", c->theirs, NO_HANDLE);
	else if (c->theirs == NO_HANDLE)
		errx(1, "found no FCVI_RESP_HANDLE of who accepts");
	/* Who can't read the request can't repeat its addresses */
	if (reason == REJECT_PROTOCOL)
		return;
	same_bytes("FCVI_LOC_ADDR of RESP1", iu.data + AT_LOC, c->payload + AT_REM, ADDR_LEN);
	same_bytes("FCVI_REM_ADDR of RESP1", iu.data + AT_REM, c->payload + AT_LOC, ADDR_LEN);
}

void send_resp2(struct peer *p, struct conn *c, uint8_t reason)
{
	const struct iu iu = resp2_of(c, reason);

	send_iu(p, &c->x, &iu);
}

void await_resp3(struct peer *p, struct conn *c, uint8_t reason)
{
	struct iu iu;

	await_iu(p, &c->x, CONNECT_RESP3, &iu);
	check_resp(c, &iu, reason);
	/* FC-VI 5.3.3 and 6.11.2 differ on who has been refused */
	if (c->theirs != NO_HANDLE || iu.handle != NO_HANDLE)
		same("FCVI_HANDLE of RESP3", iu.handle, c->ours);
}

void conn_finish(struct peer *p, struct conn *c, uint8_t reason)
{
	await_resp1(p, c, reason);
	send_resp2(p, c, ACCEPT);
	await_resp3(p, c, ACCEPT);
}

/* FC-VI 6.8 */
void await_rqst(struct peer *p, struct conn *c, uint8_t mode)
{
	struct iu iu;

	await_new(p, &c->x, CONNECT_RQST, &iu);
	same("FCVI_HANDLE of CONNECT_RQST", iu.handle, NO_HANDLE);
	same("FLAGS of CONNECT_RQST", iu.flags & ~RQST_INFO, mode | (c->retry ? RQST_RETRY : 0));
	same("PARAMETER of CONNECT_RQST", iu.param, 0);
	same("MSG_ID of CONNECT_RQST", iu.msg_id, 0);
	same("RMT_VA of CONNECT_RQST", iu.va, 0);
	same("RMT_VA_HANDLE of CONNECT_RQST", iu.va_handle, 0);
	check_conn(iu.data, iu.len, iu.flags & RQST_INFO);
	if (c->retry) {
		same("FCVI_RQST_HANDLE of the same endpoint", get(iu.data + AT_HANDLE, 4),
		     c->theirs);
		if (iu.last == c->id)
			errx(1, "found the CONNECTION_ID of the first try");
	}
	c->id = iu.last;
	c->theirs = get(iu.data + AT_HANDLE, 4);
	c->len = iu.len;
	memcpy(c->payload, iu.data, iu.len);
	if (c->id == NO_ID || c->theirs == NO_HANDLE)
		errx(1, "found CONNECTION_ID 0x%x, FCVI_RQST_HANDLE 0x%x", c->id, c->theirs);
}

/* FC-VI 6.9; the attributes are those of the request */
void send_resp1(struct peer *p, struct conn *c, uint8_t reason)
{
	struct iu iu = resp_of(c, CONNECT_RESP1, NO_HANDLE, reason);

	memcpy(c->resp1, c->payload, CONN_LEN);
	put(c->resp1 + AT_HANDLE, 4, reason ? NO_HANDLE : c->ours);
	memcpy(c->resp1 + AT_LOC, c->payload + AT_REM, ADDR_LEN);
	memcpy(c->resp1 + AT_REM, c->payload + AT_LOC, ADDR_LEN);
	iu.data = c->resp1;
	iu.len = CONN_LEN;
	send_iu(p, &c->x, &iu);
}

void await_resp2(struct peer *p, struct conn *c, uint8_t reason)
{
	struct iu iu;

	await_iu(p, &c->x, CONNECT_RESP2, &iu);
	check_resp(c, &iu, reason);
	same("FCVI_HANDLE of RESP2", iu.handle, get(c->resp1 + AT_HANDLE, 4));
}

void send_resp3(struct peer *p, struct conn *c, uint8_t reason)
{
	const struct iu iu = resp_of(c, CONNECT_RESP3, c->theirs, reason);

	send_iu(p, &c->x, &iu);
}

struct iu disconnect_of(uint8_t flags, uint32_t handle, uint32_t id, uint8_t reason)
{
	return (struct iu) {
		.op = DISCONNECT_RQST, .flags = flags | (reason ? CONN_STS : 0),
		.handle = handle, .param = STATUS(reason), .last = id, .end = F_INITIATIVE,
	};
}

/* FC-VI 6.13 */
void disconnect(struct peer *p, const struct iu *rqst, uint8_t reason, uint32_t handle,
		uint32_t msg_id)
{
	struct xchg x = xchg_open(p);
	struct iu iu;

	send_iu(p, &x, rqst);
	await_iu(p, &x, DISCONNECT_RESP, &iu);
	same("FLAGS of DISCONNECT_RESP", iu.flags,
	     (rqst->flags & (VI_APP | SETUP_ABORT)) | CONN_STS);
	same("status of DISCONNECT_RESP", iu.param, STATUS(reason));
	same("FCVI_HANDLE of DISCONNECT_RESP", iu.handle, handle);
	same("MSG_ID of DISCONNECT_RESP", iu.msg_id, msg_id);
	same("CONNECTION_ID of DISCONNECT_RESP", iu.last, rqst->last);
	same("RMT_VA of DISCONNECT_RESP", iu.va, 0);
	same("RMT_VA_HANDLE of DISCONNECT_RESP", iu.va_handle, 0);
}

void answer_disconnect(struct peer *p, struct xchg *x, const struct iu *rqst, uint8_t reason,
		       uint32_t handle)
{
	const struct iu iu = {
		.op = DISCONNECT_RESP, .flags = (rqst->flags & (VI_APP | SETUP_ABORT)) | CONN_STS,
		.handle = handle, .param = STATUS(reason), .last = rqst->last, .end = F_LAST,
	};

	send_iu(p, x, &iu);
}

/* FC-VI 6.12 */
void await_disconnect(struct peer *p, const struct iu *rqst, uint8_t reason, uint32_t handle)
{
	struct xchg x;
	struct iu iu;

	await_new(p, &x, DISCONNECT_RQST, &iu);
	same("FLAGS of DISCONNECT_RQST", iu.flags, rqst->flags);
	same("status of DISCONNECT_RQST", iu.param, rqst->param);
	same("FCVI_HANDLE of DISCONNECT_RQST", iu.handle, rqst->handle);
	same("MSG_ID of DISCONNECT_RQST", iu.msg_id, rqst->msg_id);
	same("CONNECTION_ID of DISCONNECT_RQST", iu.last, rqst->last);
	same("RMT_VA of DISCONNECT_RQST", iu.va, 0);
	same("RMT_VA_HANDLE of DISCONNECT_RQST", iu.va_handle, 0);
	answer_disconnect(p, &x, &iu, reason, handle);
}
