// SPDX-License-Identifier: GPL-2.0
/*
 * Peer-to-peer setups, FC-VI 5.3.3, 5.3.4, table 2 and annex A.  Which Port_Name is the lower one
 * is told on the command line.
 */
#include <err.h>
#include <errno.h>
#include <string.h>

#include "step.h"
#include "user.h"

#define TIMEOUT_MS	20000

/*
 * The user's request, and one of this side that matches it.  Each side's remote Discriminator is
 * "peer", VI-DG 3.3.6.
 */
static void both_ask(struct peer *p, struct user *u, struct conn *own, struct conn *others,
		     uint32_t vi)
{
	*own = conn_new("user");
	*others = conn_new("peer");
	/* Both requests are of one endpoint of this side */
	own->ours = others->ours;
	user_asks(p, u, vi, FCVI_DEV_PEER, TIMEOUT_MS);
	await_rqst(p, own, MODE_PEER);
	send_rqst(p, others, MODE_PEER);
}

static void connected(struct peer *p, struct user *u, const struct conn *c, uint32_t vi)
{
	const struct iu iu = disconnect_of(VI_APP, c->ours, 0, 0);

	user_outcome(u, vi, 0);
	user_state(u, vi, FCVI_DEV_CONNECTED);
	unanswered(p, "a connection that stands");
	user_disconnect(u, vi);
	await_disconnect(p, &iu, END_ACCEPT, c->theirs);
	user_disconnected(u, 0);
}

/* The user gives a setup up whose own request was answered, annex D */
static void given_up(struct peer *p, struct user *u, const struct conn *own, uint32_t vi)
{
	const struct iu iu = disconnect_of(VI_APP | SETUP_ABORT, NO_HANDLE, own->id, 0);

	user_undecided(u, vi);
	user_disconnect(u, vi);
	await_disconnect(p, &iu, END_UNKNOWN, NO_HANDLE);
	user_disconnected(u, 0);
	user_outcome(u, vi, ECANCELED);
}

/* One asks before the other does */
static void do_peers_in_turn(struct peer *p, struct user *u)
{
	uint32_t vi = user_vi(u, UD, 0);
	struct conn own, others;

	/* FC-VI 5.3.3: nobody waits, and the later request is accepted */
	others = conn_new("peer");
	send_rqst(p, &others, MODE_PEER);
	conn_finish(p, &others, NOT_WAITING);
	own = conn_new("user");
	user_asks(p, u, vi, FCVI_DEV_PEER, TIMEOUT_MS);
	await_rqst(p, &own, MODE_PEER);
	send_resp1(p, &own, ACCEPT);
	await_resp2(p, &own, ACCEPT);
	send_resp3(p, &own, ACCEPT);
	connected(p, u, &own, vi);

	/* The other way round: the user waits on, until it is asked */
	own = conn_new("user");
	user_asks(p, u, vi, FCVI_DEV_PEER, TIMEOUT_MS);
	await_rqst(p, &own, MODE_PEER);
	send_resp1(p, &own, NOT_WAITING);
	await_resp2(p, &own, ACCEPT);
	send_resp3(p, &own, ACCEPT);
	unanswered(p, "a refusal with 03");
	user_undecided(u, vi);
	/* With another Discriminator, and as a client, it is not meant */
	others = conn_new("another");
	send_rqst(p, &others, MODE_PEER);
	conn_finish(p, &others, NO_MATCH);
	others = conn_new("peer");
	send_rqst(p, &others, MODE_CLIENT);
	conn_finish(p, &others, NOT_WAITING);
	user_undecided(u, vi);
	others = conn_new("peer");
	send_rqst(p, &others, MODE_PEER);
	conn_finish(p, &others, ACCEPT);
	connected(p, u, &others, vi);
	user_destroy(u, vi);
}

/* Annex A, Case 1, table 2 a): the user's port has the lower name and completes its own */
static void do_lower(struct peer *p, struct user *u)
{
	static const struct {
		uint8_t answer;
		uint8_t reason;
		int error;
	} cases[] = {
		{ REJECT_CONCURRENT, REJECT_PROTOCOL, EAGAIN },
		{ REJECT_PROTOCOL, REJECT, ENETUNREACH },
		{ REJECT, REJECT, ECONNREFUSED },
		{ 0x1f, REJECT, ECONNREFUSED },
	};
	uint32_t vi = user_vi(u, UD, 0);
	struct conn own, others;
	unsigned int i;
	struct iu iu;

	both_ask(p, u, &own, &others, vi);
	unanswered(p, "a matching request before RESP1");
	send_resp1(p, &own, ACCEPT);
	await_resp2(p, &own, ACCEPT);
	await_resp1(p, &others, REJECT_CONCURRENT);
	send_resp3(p, &own, ACCEPT);
	send_resp2(p, &others, ACCEPT);
	await_resp3(p, &others, ACCEPT);
	connected(p, u, &own, vi);
	/* Cases 2 and 3: answer and request have passed each other */
	for (i = NO_MATCH; i <= NOT_WAITING; i += NOT_WAITING - NO_MATCH) {
		both_ask(p, u, &own, &others, vi);
		send_resp1(p, &own, i);
		await_resp2(p, &own, ACCEPT);
		await_resp1(p, &others, ACCEPT);
		send_resp3(p, &own, ACCEPT);
		send_resp2(p, &others, ACCEPT);
		await_resp3(p, &others, ACCEPT);
		connected(p, u, &others, vi);
	}
	/* Cases 4, 6 and 7: nothing is connected */
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		both_ask(p, u, &own, &others, vi);
		send_resp1(p, &own, cases[i].answer);
		await_resp2(p, &own, ACCEPT);
		conn_finish(p, &others, cases[i].reason);
		send_resp3(p, &own, ACCEPT);
		if (cases[i].error == EAGAIN) {
			given_up(p, u, &own, vi);
			continue;
		}
		user_outcome(u, vi, cases[i].error);
		if (cases[i].error != ENETUNREACH)
			continue;
		iu = disconnect_of(VI_APP | SETUP_ABORT, NO_HANDLE, own.id, END_PROTOCOL);
		user_disconnect(u, vi);
		await_disconnect(p, &iu, END_UNKNOWN, NO_HANDLE);
		user_disconnected(u, 0);
	}
	/* Case 5: a transport error is tried again, FC-VI 8.5.4 */
	both_ask(p, u, &own, &others, vi);
	send_resp1(p, &own, REJECT_TRANSPORT);
	await_resp2(p, &own, ACCEPT);
	conn_finish(p, &others, REJECT);
	send_resp3(p, &own, ACCEPT);
	own.retry = true;
	await_rqst(p, &own, MODE_PEER);
	send_resp1(p, &own, ACCEPT);
	await_resp2(p, &own, ACCEPT);
	send_resp3(p, &own, ACCEPT);
	connected(p, u, &own, vi);
	user_destroy(u, vi);
}

/* Table 2 b): it has the higher name, and accepts at once */
static void do_higher(struct peer *p, struct user *u)
{
	uint32_t vi = user_vi(u, UD, 0);
	struct conn own, others;

	both_ask(p, u, &own, &others, vi);
	await_resp1(p, &others, ACCEPT);
	send_resp1(p, &own, REJECT_CONCURRENT);
	await_resp2(p, &own, ACCEPT);
	send_resp3(p, &own, ACCEPT);
	user_undecided(u, vi);
	send_resp2(p, &others, ACCEPT);
	await_resp3(p, &others, ACCEPT);
	connected(p, u, &others, vi);
	/* The refusal comes when the connection stands already */
	both_ask(p, u, &own, &others, vi);
	conn_finish(p, &others, ACCEPT);
	user_outcome(u, vi, 0);
	send_resp1(p, &own, REJECT_CONCURRENT);
	await_resp2(p, &own, ACCEPT);
	send_resp3(p, &own, ACCEPT);
	user_state(u, vi, FCVI_DEV_CONNECTED);
	end_by_peer(p, u, &others, vi);
}

/* Timers of peers, FC-VI 8.5.3, C.4; R_A_TOV is short */
static void do_higher_alone(struct peer *p, struct user *u)
{
	uint32_t vi = user_vi(u, UD, 0);
	struct conn own, others;
	struct iu iu;

	/* The own request gets no answer, but the other's has made the connection */
	both_ask(p, u, &own, &others, vi);
	conn_finish(p, &others, ACCEPT);
	user_outcome(u, vi, 0);
	await_abort(p, &own.x);
	unanswered(p, "a request that was aborted");
	user_state(u, vi, FCVI_DEV_CONNECTED);
	end_by_peer(p, u, &others, vi);

	/* No RESP2 either: T2 decides */
	vi = user_vi(u, UD, 0);
	both_ask(p, u, &own, &others, vi);
	await_resp1(p, &others, ACCEPT);
	await_abort(p, &own.x);
	user_outcome(u, vi, ETIMEDOUT);
	user_event(u, FCVI_DEV_ERR_CONN_LOST, vi);
	user_state(u, vi, FCVI_DEV_ERROR);
	user_disconnect(u, vi);
	iu = disconnect_of(VI_APP, others.ours, 0, END_TRANSPORT);
	await_disconnect(p, &iu, END_ACCEPT, others.theirs);
	user_disconnected(u, 0);
	user_destroy(u, vi);
}

/* The attributes of the other are not those of the user's endpoint, VI-DG 3.3.7 */
static void do_peers_differ(struct peer *p, struct user *u)
{
	static const struct {
		unsigned int at;
		unsigned int bytes;
		uint32_t value;
		int error;
	} tries[] = {
		{ AT_LEVEL, 1, RD, EPROTOTYPE }, { AT_MAX_SIZE, 4, 4096, EMSGSIZE },
	};
	uint32_t vi = user_vi(u, UD, 0);
	struct conn own, others;
	unsigned int i;

	for (i = 0; i < sizeof(tries) / sizeof(*tries); i++) {
		own = conn_new("user");
		user_asks(p, u, vi, FCVI_DEV_PEER, TIMEOUT_MS);
		await_rqst(p, &own, MODE_PEER);
		put(own.payload + tries[i].at, tries[i].bytes, tries[i].value);
		send_resp1(p, &own, REJECT);
		await_resp2(p, &own, ACCEPT);
		send_resp3(p, &own, ACCEPT);
		user_outcome(u, vi, tries[i].error);
		user_state(u, vi, FCVI_DEV_IDLE);
	}
	own = conn_new("user");
	user_asks(p, u, vi, FCVI_DEV_PEER, TIMEOUT_MS);
	await_rqst(p, &own, MODE_PEER);
	send_resp1(p, &own, NOT_WAITING);
	await_resp2(p, &own, ACCEPT);
	send_resp3(p, &own, ACCEPT);
	others = conn_new("peer");
	others.payload[AT_LEVEL] = RR;
	send_rqst(p, &others, MODE_PEER);
	conn_finish(p, &others, REJECT);
	user_outcome(u, vi, EPROTOTYPE);
	user_destroy(u, vi);
}

const struct step peer_steps[] = {
	{ "peers-in-turn", NULL, do_peers_in_turn, 0 },
	{ "lower", NULL, do_lower, 0 },
	{ "higher", NULL, do_higher, 0 },
	{ "higher-alone", NULL, do_higher_alone, 0 },
	{ "peers-differ", NULL, do_peers_differ, 0 },
	{ }
};
