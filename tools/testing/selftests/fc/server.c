// SPDX-License-Identifier: GPL-2.0
/*
 * What many steps do with the other port and its user.
 */
#include "step.h"
#include "user.h"

void unanswered(struct peer *p, const char *what)
{
	const struct iu iu = disconnect_of(0, 0x7ffffffe, 0, 0);

	disconnect(p, &iu, END_UNKNOWN, NO_HANDLE, 0);
	silent(p, what);
}

/*
 * The user's Disconnect of a connection that this side has ended.  It needs no IU, but the other
 * side may send one, FC-VI 8.2.
 */
void user_leaves(struct peer *p, struct user *u, const struct conn *c, uint32_t vi)
{
	struct xchg x;
	struct iu iu;

	if (!user_disconnect(u, vi))
		return;
	await_new(p, &x, DISCONNECT_RQST, &iu);
	same("FLAGS of a late DISCONNECT_RQST", iu.flags & ~CONN_STS, VI_APP);
	same("FCVI_HANDLE of a late DISCONNECT_RQST", iu.handle, c->ours);
	same("CONNECTION_ID of a late DISCONNECT_RQST", iu.last, 0);
	answer_disconnect(p, &x, &iu, END_UNKNOWN, NO_HANDLE);
	user_disconnected(u, 0);
}

/* An endpoint of the user has the attributes that it was made with, tables 16 to 18 */
void check_attrs(const uint8_t *payload, uint8_t level, uint8_t flags)
{
	same("reliability level", payload[AT_LEVEL], level);
	same("right to write", payload[AT_RIGHTS] >> 1, !!(flags & FCVI_DEV_RDMA_WRITE));
	same("right to read", payload[AT_RIGHTS] & 1, !!(flags & FCVI_DEV_RDMA_READ));
	same("FCVI_MAX_TRANS_SIZE", get(payload + AT_MAX_SIZE, 4), MAX_SIZE);
	same("FCVI_PREF", payload[AT_PREF], flags & FCVI_DEV_PREF ? PREF : 0);
	same("FCVI_PIPELINE_DEPTH", get(payload + AT_DEPTH, 4), DEPTH);
}

uint32_t connect_to_server(struct peer *p, struct user *u, struct conn *c, uint8_t flags)
{
	const uint8_t level = c->payload[AT_LEVEL];
	uint32_t vi = user_vi(u, level, flags);

	user_listen(u, "server");
	send_rqst(p, c, MODE_CLIENT);
	user_accept(u, user_request(u, "server", NULL), vi, 0);
	await_resp1(p, c, ACCEPT);
	check_attrs(c->resp1, level, flags);
	send_resp2(p, c, ACCEPT);
	await_resp3(p, c, ACCEPT);
	user_outcome(u, vi, 0);
	user_state(u, vi, FCVI_DEV_CONNECTED);
	return vi;
}
