// SPDX-License-Identifier: GPL-2.0
/*
 * Short records, which two AF_STs Put into memory negotiated at setup:
 * Documentation/networking/st.rst, "Short records"; ST 4.2, 6.1.4.2.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "peer.h"

enum {
	MAX = SHORT_MAX, SKIPPED = 16, OPAQUE = 0x0a0b0c0d,
	K_ID = SHORT_ID, K_MX = SHORT_MX,	/* of the socket */
	P_ID = 0x5507, P_MX = 0x8123, P_BUFX = 7, P_OFFSET = 4096,	/* of the peer */
	LAST = 0xffff,	/* byte of a buffer of the peer */
};

FIXTURE(brief)
{
	struct bench bench;
	struct vc vc;
	struct st_errors before;
	__u8 out[MAX + 1];
	__u8 in[MAX + 1];
};

/* The socket's offer */
static bool is_offer(const struct msg *msg)
{
	__u8 opt[OPTIONAL_LEN];

	short_offer(opt, K_ID, K_MX, MAX, 0, 0);
	return msg->len == OPTIONAL_LEN && !memcmp(payload_of(msg), opt, OPTIONAL_LEN);
}

/* The peer connects with that optional payload; returns whether the answer has one. */
static bool call(struct bench *bench, struct vc *vc, const __u8 *opt, bool *answered)
{
	struct op op;
	struct msg *msg;
	bool ok;

	*vc = vc_new(&bench->peer);
	op = vc_request(vc, port_of(bench->listener));
	vc->k_port = op.d_port;
	if (!peer_send(vc->peer, &op, opt, opt ? OPTIONAL_LEN : 0))
		return false;
	msg = peer_next(vc->peer, false, LONG_MS);
	if (!msg)
		return false;
	*answered = msg->len;
	ok = msg->op.op == CONNECTION_ANSWER && !(msg->op.flags & F_REJECT) &&
	     (!msg->len || is_offer(msg));
	vc_learn(vc, &msg->op);
	free(msg);
	vc->fd = accept(bench->listener, NULL, NULL);
	return ok && vc->fd >= 0 && set_timeout(vc->fd, SO_RCVTIMEO, LONG_MS) &&
	       set_timeout(vc->fd, SO_SNDTIMEO, LONG_MS);
}

FIXTURE_SETUP(brief)
{
	__u8 opt[OPTIONAL_LEN];
	bool answered;

	fill(self->out, sizeof(self->out), 1, 0);
	ASSERT_TRUE(bench_open(&self->bench));
	short_offer(opt, P_ID, P_MX, MAX, P_BUFX, P_OFFSET);
	ASSERT_TRUE(call(&self->bench, &self->vc, opt, &answered));
	ASSERT_TRUE(answered);
	/* No short record is sent before the first operation from the Initiator */
	ASSERT_TRUE(vc_quiet(&self->vc));
	self->before = errors_of(self->vc.fd);
}

FIXTURE_TEARDOWN(brief)
{
	/* Leftover connections end soon */
	EXPECT_TRUE(sysctl_set(A, "op_timeout_ms", 10));
	EXPECT_TRUE(vc_hang_up(&self->vc));
	close(self->vc.fd);
	EXPECT_TRUE(bench_close(&self->bench));
}

/* A short record from the socket; every field */
static bool comes(struct vc *vc, __u32 b_num, __u32 opaque, const void *bytes, size_t len,
		  struct op *op)
{
	struct msg *msg = vc_data(vc);
	struct op expected;
	bool ok;

	if (!msg)
		return false;
	*op = msg->op;
	expected = vc_from(vc, DATA, F_SEND_STATE | F_LAST | F_CHANNEL_1);
	expected.b_id = P_MX;
	expected.bufx = P_BUFX;
	expected.offset = P_OFFSET;
	expected.sync = op->sync;
	expected.b_num = b_num;
	expected.d_id = P_ID;
	expected.s_id = opaque;
	ok = op_is(op, &expected) && msg->len == len && !memcmp(payload_of(msg), bytes, len);
	free(msg);
	return ok;
}

static bool state(struct vc *vc, __u32 sync, __u32 b_num)
{
	struct op op = vc_to(vc, REQUEST_STATE_RESPONSE, 0);

	op.param = vc->slots;
	op.offset = b_num;
	op.sync = sync;
	op.b_num = b_num;
	op.d_id = K_ID;
	op.s_id = P_ID;
	return vc_send(vc, &op);
}

/* A record of the peer */
static struct op record(struct vc *vc, __u32 b_num)
{
	struct op op = vc_to(vc, DATA, F_SEND_STATE | F_LAST | F_CHANNEL_1);

	op.b_id = K_MX;
	op.sync = ++vc->sync;
	op.b_num = b_num;
	op.d_id = K_ID;
	op.s_id = OPAQUE;
	return op;
}

/* The socket's answer to it; every field */
static bool told(struct vc *vc, const struct op *to, __u16 slots, __u32 b_num)
{
	struct op expected = vc_from(vc, REQUEST_STATE_RESPONSE, 0);

	expected.param = slots;
	expected.offset = b_num;
	expected.sync = to->sync;
	expected.b_num = b_num;
	expected.d_id = P_ID;
	expected.s_id = K_ID;
	return vc_expect(vc, &expected);
}

static bool ask(struct vc *vc, __u32 b_num, __u16 slots, __u32 then)
{
	struct op op = vc_to(vc, REQUEST_STATE, 0);

	op.sync = ++vc->sync;
	op.b_num = b_num;
	op.d_id = K_ID;
	op.s_id = P_ID;
	return vc_send(vc, &op) && told(vc, &op, slots, then);
}

/* A new socket connects to the peer, which accepts the offer. */
static bool calls(struct peer *peer, struct vc *vc, __u8 bufsize)
{
	struct sockaddr_st to;
	__u8 opt[OPTIONAL_LEN];
	struct op op;

	*vc = vc_new(peer);
	to = peer_address(peer, vc->port);
	vc->fd = new_socket(A, SOCK_NONBLOCK);
	if (vc->fd < 0 || !connect_to(vc->fd, &to) || !vc_next(vc, &op))
		return false;
	vc_learn(vc, &op);
	op = vc_answer(vc);
	op.bufx = bufsize;
	short_offer(opt, P_ID, P_MX, MAX, P_BUFX, P_OFFSET);
	return vc_send_data(vc, &op, opt, sizeof(opt)) && poll_for(vc->fd, POLLOUT, LONG_MS);
}

/* The Initiator, too, sends and accepts short records. */
TEST_F(brief, taken_by_the_responder)
{
	struct vc vc;
	struct op op;

	ASSERT_TRUE(calls(&self->bench.peer, &vc, 16));
	EXPECT_EQ(5, send(vc.fd, self->out, 5, MSG_DONTWAIT));
	EXPECT_TRUE(comes(&vc, 0, 0, self->out, 5, &op));
	EXPECT_TRUE(state(&vc, op.sync, 0));
	op = record(&vc, 0);
	ASSERT_TRUE(vc_send_data(&vc, &op, self->out, 7));
	EXPECT_TRUE(told(&vc, &op, vc.k_slots - 1, 0));
	EXPECT_EQ(7, recv_record(vc.fd, self->in, sizeof(self->in)));
	EXPECT_EQ(1, get_info(vc.fd).tx_short);
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/* 10.6.4: an offer with an illegal Bufsize is ignored. */
TEST_F(brief, taken_with_an_illegal_bufsize)
{
	int value = 0;
	socklen_t len = sizeof(value);
	struct vc vc;
	struct op op;

	ASSERT_TRUE(calls(&self->bench.peer, &vc, 255));
	EXPECT_TRUE(vc_read(&vc, REQUEST_DISCONNECT, &op));
	EXPECT_EQ(0, getsockopt(vc.fd, SOL_SOCKET, SO_ERROR, &value, &len));
	EXPECT_EQ(EPROTO, value);
	op = vc_to(&vc, DISCONNECT_ANSWER, 0);
	op.offset = vc.key;
	ASSERT_TRUE(vc_send(&vc, &op));
	EXPECT_TRUE(vc_read(&vc, DISCONNECT_COMPLETE, &op));
	close(vc.fd);
}

/* 4.2: a peer that does not offer short records gets no offer. */
TEST_F(brief, offered_by_the_initiator)
{
	struct sockaddr_st to;
	struct msg *msg;
	struct vc vc;
	struct op op;
	int i;

	for (i = 1; i >= 0; i--) {
		ASSERT_TRUE(sysctl_set(A, "short_records", i));
		vc = vc_new(&self->bench.peer);
		to = peer_address(vc.peer, vc.port);
		vc.fd = new_socket(A, SOCK_NONBLOCK);
		ASSERT_LE(0, vc.fd);
		EXPECT_ERRNO(EINPROGRESS, connect_to(vc.fd, &to));
		msg = peer_next(vc.peer, false, LONG_MS);
		ASSERT_NE(NULL, msg);
		EXPECT_EQ(REQUEST_CONNECTION, msg->op.op);
		EXPECT_EQ(i, is_offer(msg));
		EXPECT_EQ(i ? OPTIONAL_LEN : 0, msg->len);
		vc_learn(&vc, &msg->op);
		free(msg);
		op = vc_answer(&vc);
		ASSERT_TRUE(vc_send(&vc, &op));
		EXPECT_EQ(POLLOUT, poll_for(vc.fd, POLLOUT, LONG_MS));
		/* The peer did not offer any */
		EXPECT_EQ(1, send(vc.fd, self->out, 1, MSG_DONTWAIT));
		EXPECT_TRUE(vc_read(&vc, REQUEST_TO_SEND, &op));
		EXPECT_TRUE(sysctl_set(A, "op_timeout_ms", 10));
		EXPECT_TRUE(vc_hang_up(&vc));
		EXPECT_TRUE(sysctl_set(A, "op_timeout_ms", NEVER_MS));
		close(vc.fd);
	}
	EXPECT_TRUE(sysctl_set(A, "short_records", 1));
}

/* Nor does a peer whose offer is unusable. */
TEST_F(brief, offers)
{
	const struct {
		__u32	id;
		__u16	max;
		__u32	offset;
		bool	broken;
		bool	good;
	} offers[] = {
		{ P_ID, 1, LAST, false, true },
		{ P_ID, 65535, LAST + 1 - MAX, false, true },
		{ P_ID, 65535, LAST + 2 - MAX, false, false },
		{ P_ID, MAX, LAST + 1, false, false },
		{ P_ID, MAX, 0xffffffff, false, false },
		{ P_ID, 0, 0, false, false },
		{ NO_ID, MAX, 0, false, false },
		{ P_ID, MAX, 0, true, false },
	};
	__u8 opt[OPTIONAL_LEN];
	unsigned int i;
	bool answered;
	struct vc vc;

	for (i = 0; i < ARRAY_SIZE(offers); i++) {
		TH_LOG("offer %u", i);
		short_offer(opt, offers[i].id, P_MX, offers[i].max, P_BUFX, offers[i].offset);
		opt[0] ^= offers[i].broken;
		ASSERT_TRUE(call(&self->bench, &vc, opt, &answered));
		EXPECT_EQ(offers[i].good, answered);
		EXPECT_TRUE(vc_hang_up(&vc));
		close(vc.fd);
	}
	ASSERT_TRUE(call(&self->bench, &vc, NULL, &answered));
	EXPECT_FALSE(answered);
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
	ASSERT_TRUE(sysctl_set(A, "short_records", 0));
	short_offer(opt, P_ID, P_MX, MAX, 0, 0);
	ASSERT_TRUE(call(&self->bench, &vc, opt, &answered));
	EXPECT_TRUE(sysctl_set(A, "short_records", 1));
	EXPECT_FALSE(answered);
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/* Without a Request_To_Send, in order, up to the longest */
TEST_F(brief, sent)
{
	static const size_t lens[] = { 1, 8, 255, 256, 257, MAX };
	struct vc *vc = &self->vc;
	struct job job = { .fd = vc->fd, .buf = self->out };
	unsigned int i;
	struct op op;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		job.len = lens[i];
		ASSERT_TRUE(job_start(&job));
		ASSERT_TRUE(comes(vc, i, 0, self->out, lens[i], &op));
		EXPECT_TRUE(job_asleep(&job));
		ASSERT_TRUE(state(vc, op.sync, i));
		job_end(&job);
		EXPECT_EQ(lens[i], job.result);
	}
	EXPECT_EQ(i, get_info(vc->fd).tx_short);
	EXPECT_EQ(i, get_info(vc->fd).tx_transfers);
	/* A longer record is a Write, and so are records until that is complete. */
	EXPECT_EQ(MAX + 1, send(vc->fd, self->out, MAX + 1, MSG_DONTWAIT));
	EXPECT_TRUE(vc_read(vc, REQUEST_TO_SEND, &op));
	EXPECT_EQ(MAX + 1, op.b_num);
	EXPECT_EQ(1, send(vc->fd, self->out, 1, MSG_DONTWAIT));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* One at a time: the next record waits for the answer. */
TEST_F(brief, one_at_a_time)
{
	struct vc *vc = &self->vc;
	struct op first, op;

	ASSERT_EQ(3, send(vc->fd, self->out, 3, MSG_DONTWAIT));
	ASSERT_EQ(4, send(vc->fd, self->out + 3, 4, MSG_DONTWAIT));
	ASSERT_TRUE(comes(vc, 0, 0, self->out, 3, &first));
	EXPECT_TRUE(vc_quiet(vc));
	ASSERT_TRUE(state(vc, first.sync, 0));
	ASSERT_TRUE(comes(vc, 1, 0, self->out + 3, 4, &op));
	/* The answer to the first repeated, and a refusal of the first */
	ASSERT_TRUE(state(vc, first.sync, 0));
	ASSERT_TRUE(state(vc, first.sync, NO_B_NUM));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(1, get_info(vc->fd).tx_short);
	ASSERT_TRUE(state(vc, op.sync, 1));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(2, get_info(vc->fd).tx_short);
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* A refused record is sent by a Write, and so are some later ones. */
TEST_F(brief, refused)
{
	struct vc *vc = &self->vc;
	struct op op, cts;
	struct msg *msg;
	unsigned int i;

	for (i = 0; i <= SKIPPED; i++) {
		ASSERT_EQ(5, send(vc->fd, self->out, 5, MSG_DONTWAIT));
		if (!i) {
			ASSERT_TRUE(comes(vc, 0, 0, self->out, 5, &op));
			ASSERT_TRUE(state(vc, op.sync, NO_B_NUM));
		}
		ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &op));
		EXPECT_EQ(5, op.b_num);
		cts = vc_to(vc, CLEAR_TO_SEND, 0);
		cts.param = 12;
		cts.d_id = op.s_id;
		cts.s_id = 100 + i;
		ASSERT_TRUE(vc_send(vc, &cts));
		msg = vc_data(vc);
		ASSERT_NE(NULL, msg);
		EXPECT_EQ(100 + i, msg->op.d_id);
		EXPECT_EQ(5, msg->len);
		op = vc_to(vc, REQUEST_STATE_RESPONSE, 0);
		op.param = vc->slots;
		op.sync = msg->op.sync;
		free(msg);
		op.d_id = cts.d_id;
		op.s_id = cts.s_id;
		ASSERT_TRUE(vc_send(vc, &op));
		/* A record that does not wait for others is not counted */
		ASSERT_TRUE(vc_executed(vc));
	}
	ASSERT_EQ(5, send(vc->fd, self->out, 5, MSG_DONTWAIT));
	EXPECT_TRUE(comes(vc, 1, 0, self->out, 5, &op));
	EXPECT_EQ(0, get_info(vc->fd).tx_short);
	EXPECT_EQ(SKIPPED + 1, get_info(vc->fd).tx_transfers);
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/*
 * A peer that does not know this memory: 6.2.1; nothing is sent to it before its first
 * operation.
 */
TEST_F(brief, unknown)
{
	__u8 opt[OPTIONAL_LEN];
	struct op data, op;
	struct vc vc;
	bool answered;

	short_offer(opt, P_ID, P_MX, MAX, P_BUFX, P_OFFSET);
	ASSERT_TRUE(call(&self->bench, &vc, opt, &answered));
	ASSERT_EQ(5, send(vc.fd, self->out, 5, MSG_DONTWAIT));
	EXPECT_TRUE(vc_read(&vc, REQUEST_TO_SEND, &op));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);

	ASSERT_EQ(5, send(self->vc.fd, self->out, 5, MSG_DONTWAIT));
	ASSERT_TRUE(comes(&self->vc, 0, 0, self->out, 5, &data));
	op = vc_to(&self->vc, REQUEST_STATE_RESPONSE, 0);
	op.param = self->vc.slots;
	op.offset = NO_B_NUM;
	op.sync = data.sync;
	op.b_num = NO_B_NUM;
	op.d_id = K_ID;
	op.s_id = NO_ID;
	ASSERT_TRUE(vc_send(&self->vc, &op));
	EXPECT_TRUE(vc_read(&self->vc, REQUEST_TO_SEND, &op));
	EXPECT_TRUE(logged(self->vc.fd, &self->before, NOTHING));
}

/* 10.2: a missing answer is requested; every field */
TEST_F(brief, asked_for)
{
	struct vc *vc = &self->vc;
	struct op data, op, expected = vc_from(vc, REQUEST_STATE, 0);

	ASSERT_TRUE(sysctl_set(A, "op_timeout_min_ms", 10));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 100));
	ASSERT_EQ(5, send(vc->fd, self->out, 5, MSG_DONTWAIT));
	ASSERT_TRUE(comes(vc, 0, 0, self->out, 5, &data));
	ASSERT_TRUE(vc_read(vc, REQUEST_STATE, &op));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", NEVER_MS));
	ASSERT_TRUE(sysctl_set(A, "op_timeout_min_ms", NEVER_MS));
	expected.sync = op.sync;
	expected.d_id = P_ID;
	expected.s_id = K_ID;
	EXPECT_TRUE(op_is(&op, &expected));
	EXPECT_LT(data.sync, op.sync);
	ASSERT_TRUE(state(vc, op.sync, 0));
	EXPECT_TRUE(vc_executed(vc));
	EXPECT_EQ(1, get_info(vc->fd).tx_short);
}

/* From the peer: the record for the application, and the answer */
TEST_F(brief, received)
{
	static const size_t lens[] = { 1, 255, 256, MAX };
	struct vc *vc = &self->vc;
	struct op op;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		op = record(vc, i);
		ASSERT_TRUE(vc_send_data(vc, &op, self->out, lens[i]));
		ASSERT_TRUE(told(vc, &op, vc->k_slots - 1, i));
		/* A repetition, ST 10.3: it is answered, and not received twice. */
		ASSERT_TRUE(vc_send_data(vc, &op, self->out, lens[i]));
		ASSERT_TRUE(told(vc, &op, vc->k_slots - 1, i));
		EXPECT_TRUE(ask(vc, i, vc->k_slots - 1, i));
		EXPECT_EQ(lens[i], recv_record(vc->fd, self->in, sizeof(self->in)));
		EXPECT_EQ(0, memcmp(self->in, self->out, lens[i]));
		EXPECT_EQ(0, poll_for(vc->fd, POLLIN, 0));
	}
	EXPECT_EQ(i, get_info(vc->fd).rx_short);
	EXPECT_EQ(i, get_info(vc->fd).rx_transfers);
	/* Without Send_State there is no answer. */
	op = record(vc, i);
	op.flags &= ~F_SEND_STATE;
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 9));
	EXPECT_TRUE(vc_executed(vc));
	EXPECT_EQ(9, recv_record(vc->fd, self->in, sizeof(self->in)));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* It waits for the end of an earlier, incomplete Write. */
TEST_F(brief, behind_a_write)
{
	struct vc *vc = &self->vc;
	struct op cts, op;

	ASSERT_TRUE(vc_write(vc, 1, 10, 12, &cts));
	op = record(vc, 0);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 10, 5));
	ASSERT_TRUE(told(vc, &op, vc->k_slots - 2, 0));
	EXPECT_EQ(0, poll_for(vc->fd, POLLIN, 0));
	op = vc_stu(vc, &cts, 0, 0, F_LAST | F_SILENT);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 10));
	EXPECT_EQ(10, recv_record(vc->fd, self->in, sizeof(self->in)));
	EXPECT_EQ(0, memcmp(self->in, self->out, 10));
	EXPECT_EQ(5, recv_record(vc->fd, self->in, sizeof(self->in)));
	EXPECT_EQ(0, memcmp(self->in, self->out + 10, 5));
}

/* A record that is queried before it arrives is refused, and late when it arrives. */
TEST_F(brief, late)
{
	struct vc *vc = &self->vc;
	struct op op;

	EXPECT_TRUE(ask(vc, 0, vc->k_slots, NO_B_NUM));
	op = record(vc, 0);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 5));
	ASSERT_TRUE(told(vc, &op, vc->k_slots, NO_B_NUM));
	EXPECT_EQ(0, poll_for(vc->fd, POLLIN, 0));
	op = record(vc, 1);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 5));
	ASSERT_TRUE(told(vc, &op, vc->k_slots - 1, 1));
	EXPECT_EQ(5, recv_record(vc->fd, self->in, sizeof(self->in)));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* Unwanted: after shutdown(), or held or refused by ST_WRITES */
TEST_F(brief, unwanted)
{
	static const int unwanted[] = { ST_WRITES_HOLD, ST_WRITES_REFUSE };
	struct vc *vc = &self->vc;
	struct op op;
	int i, val;

	for (i = 0; i < 2; i++) {
		val = unwanted[i];
		ASSERT_EQ(0, setsockopt(vc->fd, SOL_ST, ST_WRITES, &val, sizeof(val)));
		op = record(vc, i);
		ASSERT_TRUE(vc_send_data(vc, &op, self->out, 5));
		ASSERT_TRUE(told(vc, &op, vc->k_slots, NO_B_NUM));
	}
	val = ST_WRITES_TAKE;
	ASSERT_EQ(0, setsockopt(vc->fd, SOL_ST, ST_WRITES, &val, sizeof(val)));
	ASSERT_EQ(0, shutdown(vc->fd, SHUT_RD));
	op = record(vc, 2);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 5));
	EXPECT_TRUE(told(vc, &op, vc->k_slots, NO_B_NUM));
	EXPECT_EQ(0, get_info(vc->fd).rx_short);
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* No room behind unread records: SO_RCVBUF */
TEST_F(brief, no_room)
{
	struct vc *vc = &self->vc;
	int val = 1, taken = 0;
	struct op op, answer;
	unsigned int i;

	ASSERT_EQ(0, setsockopt(vc->fd, SOL_SOCKET, SO_RCVBUF, &val, sizeof(val)));
	for (i = 0; i < 5; i++) {
		op = record(vc, i);
		ASSERT_TRUE(vc_send_data(vc, &op, self->out, 5));
		ASSERT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &answer));
		taken += answer.b_num == i;
		if (answer.b_num != i)
			EXPECT_EQ(NO_B_NUM, answer.b_num);
	}
	EXPECT_LT(0, taken);
	EXPECT_GT(5, taken);
	while (taken--)
		EXPECT_EQ(5, recv_record(vc->fd, self->in, sizeof(self->in)));
	EXPECT_EQ(0, poll_for(vc->fd, POLLIN, 0));
	op = record(vc, i);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 5));
	EXPECT_TRUE(told(vc, &op, vc->k_slots - 1, i));
}

/* 10.7: each is logged, not answered, and changes nothing. */
TEST_F(brief, wrong)
{
	struct vc *vc = &self->vc;
	struct op op;
	struct {
		struct op	op;
		size_t		len;
		int		error;
	} wrong[] = {
		{ record(vc, 0), 5, ST_ERR_INVALID_MX },
		{ record(vc, 0), 5, ST_ERR_OUT_OF_RANGE_BUFX },
		{ record(vc, 0), 5, ST_ERR_OUT_OF_RANGE_BUFX },
		{ record(vc, 0), 0, ST_ERR_ILLEGAL_STU_SIZE },
		{ record(vc, 0), MAX + 1, ST_ERR_ILLEGAL_STU_SIZE },
		{ record(vc, 0), 5, ST_ERR_OUT_OF_ORDER_STU },
		{ record(vc, 0), 5, ST_ERR_IMPROPER_FLAG_USE },
		{ record(vc, 1), 5, ST_ERR_OUT_OF_RANGE_B_NUM },
		{ record(vc, NO_B_NUM), 5, ST_ERR_OUT_OF_RANGE_B_NUM },
		{ record(vc, 0xfffffffd), 5, ST_ERR_OUT_OF_RANGE_B_NUM },
		{ record(vc, 0), 5, ST_ERR_CKSUM },
	};
	unsigned int i;

	wrong[0].op.b_id++;
	wrong[1].op.bufx++;
	wrong[2].op.offset++;
	wrong[5].op.param++;
	wrong[6].op.flags &= ~F_LAST;
	wrong[10].op.cksum = 1;
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		TH_LOG("wrong %u", i);
		self->before = errors_of(vc->fd);
		ASSERT_TRUE(vc_send_data(vc, &wrong[i].op, self->out, wrong[i].len));
		EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ wrong[i].error, 1 })));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(0, poll_for(vc->fd, POLLIN, 0));
	op = record(vc, 0);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 5));
	EXPECT_TRUE(told(vc, &op, vc->k_slots - 1, 0));
	EXPECT_EQ(5, recv_record(vc->fd, self->in, sizeof(self->in)));
}

/* Invalid answers: another R-id, a record that was not sent */
TEST_F(brief, wrong_answers)
{
	struct vc *vc = &self->vc;
	struct op data, op;

	ASSERT_EQ(5, send(vc->fd, self->out, 5, MSG_DONTWAIT));
	ASSERT_TRUE(comes(vc, 0, 0, self->out, 5, &data));
	op = vc_to(vc, REQUEST_STATE_RESPONSE, 0);
	op.param = vc->slots;
	op.sync = data.sync;
	op.d_id = K_ID;
	op.s_id = P_ID + 1;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 })));
	ASSERT_TRUE(state(vc, data.sync, 1));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 },
							 { ST_ERR_OUT_OF_RANGE_B_NUM, 1 })));
	/* It is no Write, so a Clear_To_Send is wrong. */
	op = vc_to(vc, CLEAR_TO_SEND, 0);
	op.param = 12;
	op.d_id = 1;
	op.s_id = 1;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_D_ID, 1 },
							 { ST_ERR_OUT_OF_RANGE_B_NUM, 1 },
							 { ST_ERR_UNEXPECTED_OPCODE, 1 })));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(0, get_info(vc->fd).tx_short);
	ASSERT_TRUE(state(vc, data.sync, 0));
	EXPECT_TRUE(vc_executed(vc));
	EXPECT_EQ(1, get_info(vc->fd).tx_short);
}

TEST_HARNESS_MAIN
