// SPDX-License-Identifier: GPL-2.0
/*
 * Endpoint states, FC-VI 8.2, 8.5 and C: each event in each state.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "connect.h"
#include "disconnect.h"
#include "port.h"
#include "respond.h"
#include "state.h"

/* How an endpoint came into its state */
enum test_before {
	IDLE,
	IDLE_LATE,	/* T1, with an open Exchange */
	CLIENT,		/* request sent */
	CLIENT_R,	/* the same, in Retry */
	PEER,
	PEER_R,
	WAITING,	/* peer after RESP1 03 */
	WAITING_R,
	ALONE,		/* peer after RESP1 03 and RESP3 */
	HIGHER,		/* peer that has accepted the other's request, and waits for RESP1 */
	HIGHER_R,
	LOWER,		/* peer that holds the other's request */
	LOWER_R,
	SERVER,		/* RESP1 sent */
	CONNECTED,	/* client, RESP2 sent */
	COMPLETE,	/* client, RESP3 received */
	SERVED,		/* server */
	OTHERS,		/* peer, by the other's request, its own is open */
	FAILED,		/* client after T3 twice */
	LOST,		/* client after T3 as Connected, its Disconnect not answered yet */
	TOLD,		/* the same, answered */
	UNSERVED,	/* server after T2 */
};

enum test_event {
	E_CLIENT,
	E_PEER,
	E_ACCEPT,
	E_RESP1,
	E_T1,
	E_T3,
	E_BROKEN,	/* Sequence error of the own Exchange */
	E_RESP3,
	E_RQST,		/* request of the other peer */
	E_AGAIN,	/* the same with RETRY */
	E_RESP2,
	E_T2,
	E_DISCONNECT,
	E_MESSAGE,	/* Message Error, RD and RR */
	E_LOGOUT,
};

static const struct test_cell {
	u8 before;
	u8 event;
	u8 reason;
	u8 state;
	const char *log;
} test_cells[] = {
	/* connect */
	{ IDLE, E_CLIENT, 0, FCVI_PENDING, "RQST" },
	{ IDLE, E_PEER, 0, FCVI_PENDING, "RQST" },
	{ IDLE_LATE, E_CLIENT, 0, FCVI_PENDING, "RQST" },
	{ CLIENT, E_CLIENT, 0, FCVI_PENDING, "refused" },
	{ CLIENT_R, E_PEER, 0, FCVI_PENDING_RETRY, "refused" },
	{ COMPLETE, E_CLIENT, 0, FCVI_CONNECTED, "refused" },
	{ FAILED, E_CLIENT, 0, FCVI_ERROR, "refused" },

	/* RESP1 accepts */
	{ IDLE_LATE, E_RESP1, 0, FCVI_IDLE, "RESP2:02" },
	{ CLIENT, E_RESP1, 0, FCVI_CONNECTED, "receive RESP2 =connected" },
	{ CLIENT_R, E_RESP1, 0, FCVI_CONNECTED, "receive RESP2r =connected" },
	{ PEER, E_RESP1, 0, FCVI_CONNECTED, "receive RESP2 =connected" },
	{ PEER_R, E_RESP1, 0, FCVI_CONNECTED, "receive RESP2r =connected" },
	{ LOWER, E_RESP1, 0, FCVI_CONNECTED, "receive RESP2 RESP1:05 =connected" },
	{ LOWER_R, E_RESP1, 0, FCVI_CONNECTED, "receive RESP2r RESP1:05 =connected" },
	{ HIGHER, E_RESP1, 0, FCVI_PENDING, "RESP2:05" },
	{ OTHERS, E_RESP1, 0, FCVI_CONNECTED, "RESP2:05" },
	{ CONNECTED, E_RESP1, 0, FCVI_CONNECTED, "" },
	{ COMPLETE, E_RESP1, 0, FCVI_CONNECTED, "" },
	{ FAILED, E_RESP1, 0, FCVI_ERROR, "" },

	/* RESP1 01 and 03 */
	{ IDLE_LATE, E_RESP1, 0x01, FCVI_IDLE, "RESP2" },
	{ IDLE_LATE, E_RESP1, 0x03, FCVI_IDLE, "RESP2" },
	{ CLIENT, E_RESP1, 0x01, FCVI_IDLE, "RESP2 =no-match" },
	{ CLIENT, E_RESP1, 0x03, FCVI_IDLE, "RESP2 =no-match" },
	{ CLIENT_R, E_RESP1, 0x01, FCVI_IDLE, "RESP2r =no-match" },
	{ CLIENT_R, E_RESP1, 0x03, FCVI_IDLE, "RESP2r =no-match" },
	{ PEER, E_RESP1, 0x01, FCVI_PENDING, "RESP2" },
	{ PEER, E_RESP1, 0x03, FCVI_PENDING, "RESP2" },
	{ PEER_R, E_RESP1, 0x01, FCVI_PENDING_RETRY, "RESP2r" },
	{ LOWER, E_RESP1, 0x01, FCVI_PENDING, "RESP2 receive RESP1" },
	{ LOWER, E_RESP1, 0x03, FCVI_PENDING, "RESP2 receive RESP1" },
	{ LOWER_R, E_RESP1, 0x03, FCVI_PENDING_RETRY, "RESP2r receive RESP1" },
	{ HIGHER, E_RESP1, 0x03, FCVI_PENDING, "RESP2" },
	{ OTHERS, E_RESP1, 0x01, FCVI_CONNECTED, "RESP2" },
	{ OTHERS, E_RESP1, 0x03, FCVI_CONNECTED, "RESP2" },
	{ CONNECTED, E_RESP1, 0x03, FCVI_CONNECTED, "" },
	{ FAILED, E_RESP1, 0x03, FCVI_ERROR, "" },

	/* RESP1 05 */
	{ IDLE_LATE, E_RESP1, 0x05, FCVI_IDLE, "RESP2" },
	{ CLIENT, E_RESP1, 0x05, FCVI_IDLE, "RESP2 =reject" },
	{ CLIENT_R, E_RESP1, 0x05, FCVI_IDLE, "RESP2r =reject" },
	{ PEER, E_RESP1, 0x05, FCVI_PENDING, "RESP2" },
	{ PEER_R, E_RESP1, 0x05, FCVI_PENDING_RETRY, "RESP2r" },
	{ HIGHER, E_RESP1, 0x05, FCVI_PENDING, "RESP2" },
	{ HIGHER_R, E_RESP1, 0x05, FCVI_PENDING_RETRY, "RESP2r" },
	{ LOWER, E_RESP1, 0x05, FCVI_PENDING, "RESP2 RESP1:21" },
	{ LOWER_R, E_RESP1, 0x05, FCVI_PENDING_RETRY, "RESP2r RESP1:21" },
	{ OTHERS, E_RESP1, 0x05, FCVI_CONNECTED, "RESP2" },
	{ FAILED, E_RESP1, 0x05, FCVI_ERROR, "" },

	/* RESP1 02, 04, 06 to 1F */
	{ IDLE_LATE, E_RESP1, 0x04, FCVI_IDLE, "RESP2" },
	{ CLIENT, E_RESP1, 0x02, FCVI_IDLE, "RESP2 =timeout" },
	{ CLIENT, E_RESP1, 0x04, FCVI_IDLE, "RESP2 =reject" },
	{ CLIENT, E_RESP1, 0x06, FCVI_IDLE, "RESP2 =reject" },
	{ CLIENT, E_RESP1, 0x1f, FCVI_IDLE, "RESP2 =reject" },
	{ CLIENT_R, E_RESP1, 0x04, FCVI_IDLE, "RESP2r =reject" },
	{ PEER, E_RESP1, 0x04, FCVI_IDLE, "RESP2 =reject" },
	{ PEER_R, E_RESP1, 0x04, FCVI_IDLE, "RESP2r =reject" },
	{ LOWER, E_RESP1, 0x04, FCVI_IDLE, "RESP2 RESP1:04 =reject" },
	{ HIGHER, E_RESP1, 0x04, FCVI_IDLE, "RESP2 =reject" },
	{ OTHERS, E_RESP1, 0x04, FCVI_CONNECTED, "RESP2" },
	{ CONNECTED, E_RESP1, 0x04, FCVI_CONNECTED, "" },
	{ FAILED, E_RESP1, 0x04, FCVI_ERROR, "" },

	/* RESP1 22 */
	{ IDLE_LATE, E_RESP1, 0x22, FCVI_IDLE, "RESP2" },
	{ CLIENT, E_RESP1, 0x22, FCVI_PENDING_RETRY, "RESP2 RQSTr" },
	{ CLIENT_R, E_RESP1, 0x22, FCVI_ERROR, "RESP2r flush =unreachable" },
	{ PEER, E_RESP1, 0x22, FCVI_PENDING_RETRY, "RESP2 RQSTr" },
	{ PEER_R, E_RESP1, 0x22, FCVI_ERROR, "RESP2r flush =unreachable" },
	{ LOWER, E_RESP1, 0x22, FCVI_PENDING_RETRY, "RESP2 RESP1:04 RQSTr" },
	{ HIGHER, E_RESP1, 0x22, FCVI_PENDING, "RESP2" },
	{ OTHERS, E_RESP1, 0x22, FCVI_CONNECTED, "RESP2" },
	{ FAILED, E_RESP1, 0x22, FCVI_ERROR, "" },

	/* RESP1 20, 21, 23 to FF */
	{ IDLE_LATE, E_RESP1, 0x21, FCVI_IDLE, "RESP2" },
	{ CLIENT, E_RESP1, 0x20, FCVI_ERROR, "RESP2 flush =unreachable" },
	{ CLIENT, E_RESP1, 0x21, FCVI_ERROR, "RESP2 flush =unreachable" },
	{ CLIENT, E_RESP1, 0x23, FCVI_ERROR, "RESP2 flush =unreachable" },
	{ CLIENT, E_RESP1, 0x4b, FCVI_ERROR, "RESP2 flush =unreachable" },
	{ CLIENT, E_RESP1, 0xff, FCVI_ERROR, "RESP2 flush =unreachable" },
	{ CLIENT_R, E_RESP1, 0x21, FCVI_ERROR, "RESP2r flush =unreachable" },
	{ PEER, E_RESP1, 0x21, FCVI_ERROR, "RESP2 flush =unreachable" },
	{ LOWER, E_RESP1, 0x21, FCVI_ERROR, "RESP2 RESP1:04 flush =unreachable" },
	{ HIGHER, E_RESP1, 0x21, FCVI_ERROR, "RESP2 flush =unreachable" },
	{ OTHERS, E_RESP1, 0x21, FCVI_CONNECTED, "RESP2" },
	{ FAILED, E_RESP1, 0x21, FCVI_ERROR, "" },

	/* T1 */
	{ CLIENT, E_T1, 0, FCVI_IDLE, "flush =timeout" },
	{ CLIENT_R, E_T1, 0, FCVI_IDLE, "flush =timeout" },
	{ PEER, E_T1, 0, FCVI_IDLE, "flush =timeout" },
	{ WAITING, E_T1, 0, FCVI_IDLE, "flush =timeout" },
	{ WAITING_R, E_T1, 0, FCVI_IDLE, "flush =timeout" },
	{ ALONE, E_T1, 0, FCVI_IDLE, "flush =timeout" },
	{ LOWER, E_T1, 0, FCVI_IDLE, "RESP1:03 flush =timeout" },

	/* T3, or a Sequence error */
	{ IDLE_LATE, E_T3, 0, FCVI_IDLE, "ABTS" },
	{ IDLE_LATE, E_BROKEN, 0, FCVI_IDLE, "" },
	{ CLIENT, E_T3, 0, FCVI_PENDING_RETRY, "ABTS RQSTr" },
	{ CLIENT, E_BROKEN, 0, FCVI_PENDING_RETRY, "RQSTr" },
	{ CLIENT_R, E_T3, 0, FCVI_ERROR, "ABTS flush =unreachable" },
	{ CLIENT_R, E_BROKEN, 0, FCVI_ERROR, "flush =unreachable" },
	{ PEER, E_T3, 0, FCVI_PENDING_RETRY, "ABTS RQSTr" },
	{ PEER_R, E_T3, 0, FCVI_ERROR, "ABTS flush =unreachable" },
	{ WAITING, E_T3, 0, FCVI_PENDING, "ABTS" },
	{ WAITING_R, E_T3, 0, FCVI_PENDING_RETRY, "ABTS" },
	{ LOWER, E_T3, 0, FCVI_PENDING_RETRY, "ABTS RQSTr" },
	{ LOWER_R, E_T3, 0, FCVI_ERROR, "ABTS RESP1:04 flush =unreachable" },
	{ HIGHER, E_T3, 0, FCVI_PENDING, "ABTS" },
	{ HIGHER, E_BROKEN, 0, FCVI_PENDING, "" },
	{ HIGHER_R, E_T3, 0, FCVI_PENDING_RETRY, "ABTS" },
	{ CONNECTED, E_T3, 0, FCVI_ERROR, "ABTS flush =lost DISC:40" },
	{ CONNECTED, E_BROKEN, 0, FCVI_ERROR, "flush =lost DISC:40" },
	{ OTHERS, E_T3, 0, FCVI_CONNECTED, "ABTS" },

	/* RESP3 of the own Exchange */
	{ IDLE_LATE, E_RESP3, 0, FCVI_IDLE, "" },
	{ CLIENT, E_RESP3, 0, FCVI_ERROR, "flush =unreachable" },
	{ CLIENT_R, E_RESP3, 0, FCVI_ERROR, "flush =unreachable" },
	{ PEER, E_RESP3, 0, FCVI_ERROR, "flush =unreachable" },
	{ LOWER, E_RESP3, 0, FCVI_ERROR, "RESP1:04 flush =unreachable" },
	{ WAITING, E_RESP3, 0, FCVI_PENDING, "" },
	{ WAITING_R, E_RESP3, 0, FCVI_PENDING_RETRY, "" },
	{ CONNECTED, E_RESP3, 0, FCVI_CONNECTED, "=complete" },
	{ OTHERS, E_RESP3, 0, FCVI_CONNECTED, "" },
	{ IDLE_LATE, E_RESP3, 0x04, FCVI_IDLE, "" },
	{ CONNECTED, E_RESP3, 0x04, FCVI_ERROR, "flush =lost" },
	{ OTHERS, E_RESP3, 0x04, FCVI_CONNECTED, "" },

	/* accept */
	{ IDLE, E_ACCEPT, 0, FCVI_PENDING, "request receive RESP1" },
	{ CLIENT, E_ACCEPT, 0, FCVI_PENDING, "request refused" },
	{ CLIENT_R, E_ACCEPT, 0, FCVI_PENDING_RETRY, "request refused" },
	{ COMPLETE, E_ACCEPT, 0, FCVI_CONNECTED, "request refused" },
	{ FAILED, E_ACCEPT, 0, FCVI_ERROR, "request refused" },

	/* request of the other peer */
	{ IDLE, E_RQST, 0, FCVI_IDLE, "RESP1:03" },
	{ PEER, E_RQST, 0, FCVI_PENDING, "receive RESP1" },
	{ PEER_R, E_RQST, 0, FCVI_PENDING_RETRY, "receive RESP1" },
	{ WAITING, E_RQST, 0, FCVI_PENDING, "receive RESP1" },
	{ WAITING_R, E_RQST, 0, FCVI_PENDING_RETRY, "receive RESP1" },
	{ ALONE, E_RQST, 0, FCVI_PENDING, "receive RESP1" },
	{ CLIENT, E_RQST, 0, FCVI_PENDING, "RESP1:03" },
	{ HIGHER, E_RQST, 0, FCVI_PENDING, "RESP1:03" },
	{ OTHERS, E_RQST, 0, FCVI_CONNECTED, "RESP1:03" },
	{ OTHERS, E_AGAIN, 0, FCVI_CONNECTED, "RESP1r" },
	{ COMPLETE, E_AGAIN, 0, FCVI_CONNECTED, "RESP1r:03" },
	{ FAILED, E_RQST, 0, FCVI_ERROR, "RESP1:03" },
	{ HIGHER, E_AGAIN, 0, FCVI_PENDING, "RESP1r" },
	{ LOWER, E_AGAIN, 0, FCVI_PENDING, "" },

	/* RESP2 */
	{ SERVER, E_RESP2, 0, FCVI_CONNECTED, "RESP3 =connected" },
	{ HIGHER, E_RESP2, 0, FCVI_CONNECTED, "RESP3 =connected" },
	{ HIGHER_R, E_RESP2, 0, FCVI_CONNECTED, "RESP3 =connected" },
	{ SERVER, E_RESP2, 0x02, FCVI_IDLE, "RESP3 =timeout" },
	{ SERVER, E_RESP2, 0x05, FCVI_IDLE, "RESP3 =timeout" },
	{ HIGHER, E_RESP2, 0x02, FCVI_IDLE, "RESP3 =timeout" },
	{ HIGHER_R, E_RESP2, 0x02, FCVI_IDLE, "RESP3 =timeout" },

	/* T2 */
	{ SERVER, E_T2, 0, FCVI_ERROR, "flush =timeout =lost" },
	{ HIGHER, E_T2, 0, FCVI_ERROR, "flush =timeout =lost" },
	{ HIGHER_R, E_T2, 0, FCVI_ERROR, "flush =timeout =lost" },

	/* disconnect by the application */
	{ IDLE, E_DISCONNECT, 0, FCVI_IDLE, "flush-recv =disconnected" },
	{ CLIENT, E_DISCONNECT, 0, FCVI_IDLE, "flush DISC-app-setup answer =disconnected" },
	{ CLIENT_R, E_DISCONNECT, 0, FCVI_IDLE, "flush DISC-app-setup answer =disconnected" },
	{ PEER, E_DISCONNECT, 0, FCVI_IDLE, "flush DISC-app-setup answer =disconnected" },
	{ LOWER, E_DISCONNECT, 0, FCVI_IDLE,
	  "RESP1:04 flush DISC-app-setup answer =disconnected" },
	{ SERVER, E_DISCONNECT, 0, FCVI_IDLE, "flush DISC-app:40 answer =disconnected" },
	{ HIGHER, E_DISCONNECT, 0, FCVI_IDLE, "flush DISC-app:40 answer =disconnected" },
	{ COMPLETE, E_DISCONNECT, 0, FCVI_IDLE, "flush DISC-app answer =disconnected" },
	{ SERVED, E_DISCONNECT, 0, FCVI_IDLE, "flush DISC-app answer =disconnected" },
	{ FAILED, E_DISCONNECT, 0, FCVI_IDLE, "DISC-app-setup:49 answer =disconnected" },
	{ LOST, E_DISCONNECT, 0, FCVI_IDLE, "answer =disconnected" },
	{ TOLD, E_DISCONNECT, 0, FCVI_IDLE, "=disconnected" },
	{ UNSERVED, E_DISCONNECT, 0, FCVI_IDLE, "DISC-app:40 answer =disconnected" },

	/* Message Error on RD and RR */
	{ COMPLETE, E_MESSAGE, 0x42, FCVI_ERROR, "flush =lost DISC:42" },
	{ SERVED, E_MESSAGE, 0x43, FCVI_ERROR, "flush =lost DISC:43" },

	/* logout */
	{ IDLE, E_LOGOUT, 0, FCVI_IDLE, "" },
	{ IDLE_LATE, E_LOGOUT, 0, FCVI_IDLE, "" },
	{ CLIENT, E_LOGOUT, 0, FCVI_IDLE, "=unreachable" },
	{ CLIENT_R, E_LOGOUT, 0, FCVI_IDLE, "=unreachable" },
	{ HIGHER, E_LOGOUT, 0, FCVI_IDLE, "=unreachable" },
	{ LOWER, E_LOGOUT, 0, FCVI_IDLE, "=unreachable" },
	{ SERVER, E_LOGOUT, 0, FCVI_IDLE, "=unreachable" },
	{ CONNECTED, E_LOGOUT, 0, FCVI_ERROR, "flush =lost" },
	{ SERVED, E_LOGOUT, 0, FCVI_ERROR, "flush =lost" },
	{ FAILED, E_LOGOUT, 0, FCVI_ERROR, "" },
	{ LOST, E_LOGOUT, 0, FCVI_ERROR, "" },
};

/* Own Exchange and CONNECTION_ID, and the other's, of the cell under test */
struct test_context {
	struct test_port *p;
	struct fcvi_xchg *own;
	u32 id;
	struct fcvi_xchg *other;
};

static void test_own(struct test_context *t)
{
	KUNIT_ASSERT_NOT_NULL(t->p->test, t->p->vi[0].own);
	t->own = t->p->vi[0].own->x;
	t->id = t->p->vi[0].own->id;
}

static void test_begin(struct test_context *t, enum fcvi_role role, bool retry)
{
	KUNIT_ASSERT_EQ(t->p->test, test_connect(t->p, role), 0);
	if (retry)
		test_fire(t->p, &t->p->vi[0].own->timer);
	test_own(t);
}

static void test_serve(struct test_context *t)
{
	t->other = test_rqst(t->p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
	KUNIT_ASSERT_EQ(t->p->test, fcvi_accept(t->p->request, t->p->vi), 0);
}

static void test_before(struct test_context *t, enum test_before before)
{
	struct test_port *p = t->p;
	struct fcvi_vi *vi = p->vi;
	bool retry = before == CLIENT_R || before == PEER_R || before == WAITING_R ||
		     before == HIGHER_R || before == LOWER_R;

	switch (before) {
	case IDLE:
		break;
	case IDLE_LATE:
		test_begin(t, FCVI_CLIENT, false);
		test_fire(p, &vi->t1);
		break;
	case CLIENT:
	case CLIENT_R:
		test_begin(t, FCVI_CLIENT, retry);
		break;
	case PEER:
	case PEER_R:
		test_begin(t, FCVI_PEER, retry);
		break;
	case WAITING:
	case WAITING_R:
	case ALONE:
		test_begin(t, FCVI_PEER, retry);
		test_resp1(p, t->own, t->id, FCVI_NOT_WAITING);
		if (before == ALONE)
			test_resp3(p, t->own, t->id, FCVI_OK);
		break;
	case LOWER:
	case LOWER_R:
		p->port.wwpn = p->rport.wwpn - 1;
		fallthrough;
	case HIGHER:
	case HIGHER_R:
		test_begin(t, FCVI_PEER, retry);
		t->other = test_rqst(p, FCVI_MODE_PEER, false, TEST_ID);
		break;
	case OTHERS:
		test_begin(t, FCVI_PEER, false);
		t->other = test_rqst(p, FCVI_MODE_PEER, false, TEST_ID);
		test_resp2(p, t->other, FCVI_OK);
		break;
	case SERVER:
		test_serve(t);
		break;
	case SERVED:
		test_serve(t);
		test_resp2(p, t->other, FCVI_OK);
		break;
	case UNSERVED:
		test_serve(t);
		test_fire(p, &vi->other->timer);
		break;
	case CONNECTED:
	case COMPLETE:
	case LOST:
	case TOLD:
		test_begin(t, FCVI_CLIENT, false);
		test_resp1(p, t->own, t->id, FCVI_OK);
		if (before == COMPLETE)
			test_resp3(p, t->own, t->id, FCVI_OK);
		if (before == LOST || before == TOLD)
			test_fire(p, &vi->own->timer);
		if (before == TOLD)
			test_disc_resp(p, FCVI_DISCONNECTED);
		break;
	case FAILED:
		test_begin(t, FCVI_CLIENT, true);
		test_fire(p, &vi->own->timer);
		break;
	}
	p->log[0] = 0;
}

static void test_event(struct test_context *t, enum test_event event, enum fcvi_reason reason)
{
	struct test_port *p = t->p;
	struct fcvi_vi *vi = p->vi;

	switch (event) {
	case E_CLIENT:
	case E_PEER:
		if (test_connect(p, event == E_PEER ? FCVI_PEER : FCVI_CLIENT) == -EISCONN)
			test_note(p, "refused");
		break;
	case E_ACCEPT:
		test_rqst(p, FCVI_MODE_CLIENT_SERVER, false, TEST_ID);
		if (fcvi_accept(p->request, vi) == -EISCONN) {
			test_note(p, "refused");
			p->request->user = false;
		}
		break;
	case E_RESP1:
		test_resp1(p, t->own, t->id, reason);
		break;
	case E_T1:
		test_fire(p, &vi->t1);
		break;
	case E_T3:
		test_fire(p, &t->own->setup->timer);
		break;
	case E_BROKEN:
		fcvi_port_end(t->own, -EILSEQ);
		container_of(t->own, struct test_xchg, x)->open = false;
		break;
	case E_RESP3:
		test_resp3(p, t->own, t->id, reason);
		break;
	case E_RQST:
		test_rqst(p, FCVI_MODE_PEER, false, TEST_ID + 1);
		break;
	case E_AGAIN:
		test_rqst(p, FCVI_MODE_PEER, true, TEST_ID + 1);
		break;
	case E_RESP2:
		test_resp2(p, t->other, reason);
		break;
	case E_T2:
		test_fire(p, &vi->other->timer);
		break;
	case E_DISCONNECT:
		KUNIT_EXPECT_EQ(p->test, fcvi_disconnect(vi), 0);
		if (vi->disc) {
			KUNIT_EXPECT_EQ(p->test, vi->state, FCVI_ERROR);
			test_note(p, "answer");
			test_disc_resp(p, FCVI_DISCONNECTED);
		}
		break;
	case E_MESSAGE:
		fcvi_disconnect_lost(vi, reason);
		break;
	case E_LOGOUT:
		fcvi_port_logout(&p->port, &p->rport);
		break;
	}
}

static void test_cell_name(const struct test_cell *cell, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%u: before %u, event %u, reason %02x",
		 (unsigned int)(cell - test_cells), cell->before, cell->event, cell->reason);
}

KUNIT_ARRAY_PARAM(test_cells, test_cells, test_cell_name);

static void test_table(struct kunit *test)
{
	const struct test_cell *cell = test->param_value;
	struct test_context t = { .p = test_port(test) };

	test_before(&t, cell->before);
	test_event(&t, cell->event, cell->reason);
	test_expect(t.p, cell->state, cell->log);
	test_port_end(t.p);
}

static struct kunit_case fcvi_table_cases[] = {
	KUNIT_CASE_PARAM(test_table, test_cells_gen_params),
	{}
};

static struct kunit_suite fcvi_table_suite = {
	.name		= "fcvi_table",
	.test_cases	= fcvi_table_cases,
};

kunit_test_suites(&fcvi_table_suite);
