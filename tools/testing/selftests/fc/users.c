// SPDX-License-Identifier: GPL-2.0
/*
 * Setups and Disconnects with users of the other port: clients and servers, FC-VI 5.3, 8.2, 8.5,
 * annexes C and D.
 */
#include <err.h>
#include <errno.h>
#include <string.h>

#include "step.h"
#include "user.h"

#define TIMEOUT_MS	10000

/* FC-VI 7.4 */
static void answer_farp(struct peer *p)
{
	uint8_t payload[FARP_LEN];
	static struct frame f;
	struct fc fc;

	await_fc(p, &f, &fc, R_REQUEST, FARP_REQ);
	same("bytes of the FARP-REQ", fc.len, FARP_LEN);
	same("address that is asked for", get(fc.data + 72, 4), ip_ours);
	memcpy(payload, fc.data, FARP_LEN);
	payload[0] = FARP_REPLY;
	put(payload + 9, 3, p->id);
	put(payload + 28, 8, p->wwpn);
	put(payload + 36, 8, p->wwnn);
	ask_acc(p, &f, &fc, payload, FARP_LEN, 4);
}

/* A login voids what the other port knows of addresses, FC-VI 7.7.1, and it asks once in a step */
void user_asks(struct peer *p, struct user *u, uint32_t vi, uint32_t flags, uint32_t timeout)
{
	static bool known;

	user_connect(u, vi, flags, timeout);
	if (!known)
		answer_farp(p);
	known = true;
}

void end_by_peer(struct peer *p, struct user *u, struct conn *c, uint32_t vi)
{
	const struct iu iu = disconnect_of(VI_APP, c->theirs, 0, 0);

	disconnect(p, &iu, END_ACCEPT, c->ours, 0);
	user_event(u, FCVI_DEV_ERR_CONN_LOST, vi);
	user_state(u, vi, FCVI_DEV_ERROR);
	user_leaves(p, u, c, vi);
	user_state(u, vi, FCVI_DEV_IDLE);
	user_destroy(u, vi);
}

static void do_server(struct peer *p, struct user *u)
{
	struct fcvi_dev_request r;
	struct desc *d;
	struct conn c = conn_new("server");
	uint32_t vi, request;
	struct iu iu;

	vi = connect_to_server(p, u, &c, 0);
	/* Posted Descriptors are flushed, VI-ARCH 4.2 */
	d = user_post_recv(u, vi, 0, 100);
	end_by_peer(p, u, &c, vi);
	user_done(u, d, FLUSHED_ERROR | DONE_RECEIVE, 0);
	/* The handle is kept for R_A_TOV: a Disconnect that comes again gets the same answer */
	iu = disconnect_of(VI_APP, c.theirs, 0, 0);
	disconnect(p, &iu, END_ACCEPT, c.ours, 0);

	/* The user sees what was asked for, and says no, or has other attributes */
	c = conn_new("server");
	c.payload[AT_LEVEL] = RD;
	put_addr(c.payload + AT_LOC, ip_ours, "client of the peer");
	user_listen(u, "server");
	send_rqst(p, &c, MODE_CLIENT);
	request = user_request(u, "server", &r);
	same_bytes("address of the client", r.rem.host, c.payload + AT_LOC + AT_HOST, 16);
	same("bytes of the Discriminator", r.rem.discrim_len, strlen("client of the peer"));
	same_bytes("Discriminator", r.rem.discrim, "client of the peer", r.rem.discrim_len);
	same("level of the client", r.attrs.level, RD);
	same("longest Message of the client", r.attrs.max_trans_size, MAX_SIZE);
	same("pipeline depth of the client", r.attrs.pipeline_depth, DEPTH);
	vi = user_vi(u, UD, 0);
	user_accept(u, request, vi, EPROTOTYPE);
	unanswered(p, "a request whose attributes are another's");
	user_reject(u, request);
	conn_finish(p, &c, REJECT);
	user_state(u, vi, FCVI_DEV_IDLE);

	/* VI-ARCH 4.1 b: after another's attributes it may be accepted */
	c = conn_new("server");
	put(c.payload + AT_MAX_SIZE, 4, 4096);
	user_listen(u, "server");
	send_rqst(p, &c, MODE_CLIENT);
	request = user_request(u, "server", NULL);
	user_accept(u, request, vi, EMSGSIZE);
	user_destroy(u, vi);
	user_reject(u, request);
	conn_finish(p, &c, REJECT);

	/* Somebody waits, with another Discriminator, or in another mode */
	user_listen(u, "server");
	c = conn_new("another");
	send_rqst(p, &c, MODE_CLIENT);
	conn_finish(p, &c, NO_MATCH);
	c = conn_new("server");
	send_rqst(p, &c, MODE_PEER);
	conn_finish(p, &c, NOT_WAITING);
}

/* The server's user has accepted, and RESP2 is lost: FC-VI C.5.9 */
static void do_server_alone(struct peer *p, struct user *u)
{
	struct conn c;
	uint32_t vi, request;
	struct iu iu;

	/* The client takes the connection for one: 4B, and the server knows */
	c = conn_new("server");
	vi = user_vi(u, UD, 0);
	user_listen(u, "server");
	send_rqst(p, &c, MODE_CLIENT);
	user_accept(u, user_request(u, "server", NULL), vi, 0);
	await_resp1(p, &c, ACCEPT);
	iu = disconnect_of(VI_APP, c.theirs, 0, 0);
	disconnect(p, &iu, END_ACCEPT, c.ours, 0);
	user_outcome(u, vi, ETIMEDOUT);
	user_event(u, FCVI_DEV_ERR_CONN_LOST, vi);
	user_leaves(p, u, &c, vi);

	/* The client gives the setup up */
	c = conn_new("server");
	user_listen(u, "server");
	send_rqst(p, &c, MODE_CLIENT);
	user_accept(u, user_request(u, "server", NULL), vi, 0);
	await_resp1(p, &c, ACCEPT);
	iu = disconnect_of(VI_APP | SETUP_ABORT, NO_HANDLE, c.id, 0);
	disconnect(p, &iu, END_ACCEPT, c.ours, 0);
	user_outcome(u, vi, ETIMEDOUT);
	user_state(u, vi, FCVI_DEV_IDLE);
	user_no_event(u);

	/* RESP2 with a status: the server is Idle again */
	c = conn_new("server");
	user_listen(u, "server");
	send_rqst(p, &c, MODE_CLIENT);
	user_accept(u, user_request(u, "server", NULL), vi, 0);
	await_resp1(p, &c, ACCEPT);
	send_resp2(p, &c, TIMEOUT);
	await_resp3(p, &c, ACCEPT);
	user_outcome(u, vi, ETIMEDOUT);
	user_state(u, vi, FCVI_DEV_IDLE);

	/* Before the user has answered: it can't accept any more */
	c = conn_new("server");
	user_listen(u, "server");
	send_rqst(p, &c, MODE_CLIENT);
	request = user_request(u, "server", NULL);
	iu = disconnect_of(VI_APP | SETUP_ABORT, NO_HANDLE, c.id, 0);
	disconnect(p, &iu, END_ACCEPT, c.ours, 0);
	user_accept(u, request, vi, ETIMEDOUT);
	user_state(u, vi, FCVI_DEV_IDLE);

	/* The same by the user: the originator may be Connected, FC-VI C.5.9.2 */
	c = conn_new("server");
	user_listen(u, "server");
	send_rqst(p, &c, MODE_CLIENT);
	user_accept(u, user_request(u, "server", NULL), vi, 0);
	await_resp1(p, &c, ACCEPT);
	user_disconnect(u, vi);
	iu = disconnect_of(VI_APP, c.ours, 0, END_TRANSPORT);
	await_disconnect(p, &iu, END_ACCEPT, c.theirs);
	user_disconnected(u, 0);
	user_state(u, vi, FCVI_DEV_IDLE);
	user_destroy(u, vi);
}

/* A retry of the client, FC-VI C.4.1 rules 8 to 12 */
static void do_server_retry(struct peer *p, struct user *u)
{
	struct conn c = conn_new("server"), old;
	uint32_t vi = user_vi(u, UD, 0), request;
	struct iu iu;

	/* RESP1 was lost */
	user_listen(u, "server");
	send_rqst(p, &c, MODE_CLIENT);
	user_accept(u, user_request(u, "server", NULL), vi, 0);
	await_resp1(p, &c, ACCEPT);
	old = c;
	conn_again(&c);
	send_rqst(p, &c, MODE_CLIENT);
	await_resp1(p, &c, ACCEPT);
	same("handle of the second RESP1", c.theirs, old.theirs);
	iu = resp2_of(&old, ACCEPT);
	send_iu(p, &old.x, &iu);
	unanswered(p, "RESP2 of the first try");
	send_resp2(p, &c, ACCEPT);
	await_resp3(p, &c, ACCEPT);
	user_outcome(u, vi, 0);
	/* RESP3 was lost: the connection stands */
	old = c;
	conn_again(&c);
	send_rqst(p, &c, MODE_CLIENT);
	await_resp1(p, &c, ACCEPT);
	same("handle of the third RESP1", c.theirs, old.theirs);
	send_resp2(p, &c, ACCEPT);
	await_resp3(p, &c, ACCEPT);
	user_state(u, vi, FCVI_DEV_CONNECTED);
	end_by_peer(p, u, &c, vi);

	/* The user still thinks: what it says is for the second try */
	c = conn_new("server");
	vi = user_vi(u, UD, 0);
	user_listen(u, "server");
	send_rqst(p, &c, MODE_CLIENT);
	request = user_request(u, "server", NULL);
	conn_again(&c);
	send_rqst(p, &c, MODE_CLIENT);
	unanswered(p, "a retry before the user has answered");
	user_accept(u, request, vi, 0);
	conn_finish(p, &c, ACCEPT);
	user_outcome(u, vi, 0);
	end_by_peer(p, u, &c, vi);

	/* RETRY of what was never seen is a new request, rule 12 */
	c = conn_new("nobody");
	c.retry = true;
	send_rqst(p, &c, MODE_CLIENT);
	conn_finish(p, &c, NOT_WAITING);
}

void connect_client(struct peer *p, struct user *u, struct conn *c, uint32_t vi, uint32_t timeout)
{
	*c = conn_new("user");
	user_asks(p, u, vi, 0, timeout);
	await_rqst(p, c, MODE_CLIENT);
}

static void do_client(struct peer *p, struct user *u)
{
	uint32_t vi = user_vi(u, UD, 0);
	uint8_t addr[ADDR_LEN];
	struct conn c;
	struct desc *d;
	struct xchg x;
	struct iu iu;

	connect_client(p, u, &c, vi, TIMEOUT_MS);
	put_addr(addr, IP_THEIRS, "user");
	same_bytes("FCVI_LOC_ADDR", c.payload + AT_LOC, addr, ADDR_LEN);
	put_addr(addr, ip_ours, "peer");
	same_bytes("FCVI_REM_ADDR", c.payload + AT_REM, addr, ADDR_LEN);
	check_attrs(c.payload, UD, 0);
	user_undecided(u, vi);
	send_resp1(p, &c, ACCEPT);
	await_resp2(p, &c, ACCEPT);
	user_outcome(u, vi, 0);
	/* What is sent does not complete before RESP3, FC-VI C.5.5 */
	d = user_post(u, vi, OP_SEND, 0, 0, 0, 0, 0);
	await_new(p, &x, SEND_RQST, &iu);
	user_not_done(d);
	send_resp3(p, &c, ACCEPT);
	user_done(u, d, DONE_SEND, 0);
	user_disconnect(u, vi);
	user_state(u, vi, FCVI_DEV_ERROR);
	iu = disconnect_of(VI_APP, c.ours, 0, 0);
	await_disconnect(p, &iu, END_ACCEPT, c.theirs);
	user_disconnected(u, 0);
	user_state(u, vi, FCVI_DEV_IDLE);
	user_no_event(u);
	user_destroy(u, vi);
}

/* FC-VI 8.2, 5.9.7.2: what each answer means to a client */
static void do_refused(struct peer *p, struct user *u)
{
	static const struct {
		uint8_t reason;
		int error;
		bool idle;
	} tries[] = {
		{ NO_MATCH, EADDRNOTAVAIL, true }, { NOT_WAITING, EADDRNOTAVAIL, true },
		{ REJECT, ECONNREFUSED, true }, { REJECT_CONCURRENT, ECONNREFUSED, true },
		{ TIMEOUT, ETIMEDOUT, true }, { 0x06, ECONNREFUSED, true },
		{ 0x1f, ECONNREFUSED, true }, { REJECT_LOGIN, ENETUNREACH, false },
		{ REJECT_PROTOCOL, ENETUNREACH, false }, { 0x23, ENETUNREACH, false },
		{ 0xff, ENETUNREACH, false },
	};
	uint32_t vi = user_vi(u, UD, 0);
	unsigned int i;
	struct conn c;
	struct iu iu;

	for (i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		connect_client(p, u, &c, vi, TIMEOUT_MS);
		send_resp1(p, &c, tries[i].reason);
		await_resp2(p, &c, ACCEPT);
		send_resp3(p, &c, ACCEPT);
		user_outcome(u, vi, tries[i].error);
		user_state(u, vi, tries[i].idle ? FCVI_DEV_IDLE : FCVI_DEV_ERROR);
		if (tries[i].idle)
			continue;
		/* The failure may have been told already, or is told now */
		iu = disconnect_of(VI_APP | SETUP_ABORT, NO_HANDLE, c.id, END_PROTOCOL);
		user_disconnect(u, vi);
		await_disconnect(p, &iu, END_ACCEPT, NO_HANDLE);
		user_disconnected(u, 0);
	}
	user_no_event(u);
	user_destroy(u, vi);
}

/* FC-VI 8.5: lost IUs, and the second try.  R_A_TOV is short */
static void do_client_retry(struct peer *p, struct user *u)
{
	uint32_t vi = user_vi(u, UD, 0);
	struct conn c, old;
	struct xchg left;
	struct iu iu;

	/* No RESP1: ABTS, then another Exchange */
	connect_client(p, u, &c, vi, TIMEOUT_MS);
	old = c;
	await_abort(p, &c.x);
	c.retry = true;
	await_rqst(p, &c, MODE_CLIENT);
	send_resp1(p, &old, ACCEPT);
	unanswered(p, "RESP1 of the first try");
	send_resp1(p, &c, ACCEPT);
	await_resp2(p, &c, ACCEPT);
	send_resp3(p, &c, ACCEPT);
	user_outcome(u, vi, 0);
	user_disconnect(u, vi);
	iu = disconnect_of(VI_APP, c.ours, 0, 0);
	await_disconnect(p, &iu, END_ACCEPT, c.theirs);
	user_disconnected(u, 0);

	/* Neither the second time */
	connect_client(p, u, &c, vi, TIMEOUT_MS);
	await_abort(p, &c.x);
	c.retry = true;
	await_rqst(p, &c, MODE_CLIENT);
	await_abort(p, &c.x);
	user_outcome(u, vi, ENETUNREACH);
	user_state(u, vi, FCVI_DEV_ERROR);
	user_disconnect(u, vi);
	iu = disconnect_of(VI_APP | SETUP_ABORT, NO_HANDLE, c.id, END_SETUP);
	await_disconnect(p, &iu, END_UNKNOWN, NO_HANDLE);
	user_disconnected(u, 0);

	/* A transport error is tried again; the first Exchange still ends */
	connect_client(p, u, &c, vi, TIMEOUT_MS);
	send_resp1(p, &c, REJECT_TRANSPORT);
	await_resp2(p, &c, ACCEPT);
	old = c;
	c.retry = true;
	await_rqst(p, &c, MODE_CLIENT);
	send_resp3(p, &old, ACCEPT);
	send_resp1(p, &c, REJECT_TRANSPORT);
	await_resp2(p, &c, ACCEPT);
	send_resp3(p, &c, ACCEPT);
	user_outcome(u, vi, ENETUNREACH);
	user_disconnect(u, vi);
	iu = disconnect_of(VI_APP | SETUP_ABORT, NO_HANDLE, c.id, END_SETUP);
	await_disconnect(p, &iu, END_UNKNOWN, NO_HANDLE);
	user_disconnected(u, 0);

	/* No RESP3: the connection is lost again, FC-VI 8.5.3 a 3 */
	connect_client(p, u, &c, vi, TIMEOUT_MS);
	send_resp1(p, &c, ACCEPT);
	await_resp2(p, &c, ACCEPT);
	user_outcome(u, vi, 0);
	await_abort(p, &c.x);
	iu = disconnect_of(0, c.ours, 0, END_TRANSPORT);
	await_disconnect(p, &iu, END_ACCEPT, c.theirs);
	user_event(u, FCVI_DEV_ERR_CONN_LOST, vi);
	/* That one was answered */
	same("a Disconnect that is under way", user_disconnect(u, vi), false);

	/* ABTS of the responder counts as a lost answer, too */
	connect_client(p, u, &c, vi, TIMEOUT_MS);
	abort_xchg(p, &c.x);
	c.retry = true;
	await_rqst(p, &c, MODE_CLIENT);
	/* The user ends it, and the other port at some time the Exchange that got no answer */
	left = c.x;
	user_disconnect(u, vi);
	iu = disconnect_of(VI_APP | SETUP_ABORT, NO_HANDLE, c.id, 0);
	await_disconnect(p, &iu, END_ACCEPT, NO_HANDLE);
	user_disconnected(u, 0);
	user_outcome(u, vi, ECANCELED);

	/* A Disconnect without an answer: one more, then the endpoint stays in Error, 8.6 */
	connect_client(p, u, &c, vi, TIMEOUT_MS);
	send_resp1(p, &c, ACCEPT);
	await_resp2(p, &c, ACCEPT);
	send_resp3(p, &c, ACCEPT);
	user_outcome(u, vi, 0);
	user_disconnect(u, vi);
	await_new(p, &c.x, DISCONNECT_RQST, &iu);
	await_abort(p, &c.x);
	await_new(p, &c.x, DISCONNECT_RQST, &iu);
	await_abort(p, &c.x);
	user_disconnected(u, ENETUNREACH);
	user_state(u, vi, FCVI_DEV_ERROR);
	user_disconnect(u, vi);
	iu = disconnect_of(VI_APP, c.ours, 0, 0);
	await_disconnect(p, &iu, END_UNKNOWN, NO_HANDLE);
	user_disconnected(u, 0);
	allow_abort(p, &left);
	user_destroy(u, vi);
}

/* T1, the user's time: FC-VI 8.2, C.5.5 */
static void do_client_late(struct peer *p, struct user *u)
{
	uint32_t vi = user_vi(u, UD, 0);
	struct conn c;

	connect_client(p, u, &c, vi, 100);
	user_outcome(u, vi, ETIMEDOUT);
	user_state(u, vi, FCVI_DEV_IDLE);
	send_resp1(p, &c, ACCEPT);
	await_resp2(p, &c, TIMEOUT);
	send_resp3(p, &c, ACCEPT);
	unanswered(p, "RESP3 after the user's time");
	user_destroy(u, vi);
}

const struct step user_steps[] = {
	{ "server", NULL, do_server, 0 },
	{ "server-alone", NULL, do_server_alone, 0 },
	{ "server-retry", NULL, do_server_retry, 0 },
	{ "client", NULL, do_client, 0 },
	{ "refused", NULL, do_refused, 0 },
	{ "client-retry", NULL, do_client_retry, 0 },
	{ "client-late", NULL, do_client_late, 0 },
	{ }
};
