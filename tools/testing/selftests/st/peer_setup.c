// SPDX-License-Identifier: GPL-2.0
/*
 * Setup of Virtual Connections, ST 5.1.1 and 5.2; the peer is the other host.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "kselftest_harness.h"

#include "counters.h"
#include "peer.h"

#define BUFSIZE		20	/* offers of AF_ST, Documentation/networking/st.rst */
/* What fits an MTU of 65535, or is set */
#define MAX_STU		(medium() == HIPPI6400 ? 20 : \
			 medium() == FCLE || medium() == FCVI ? 16 : 15)

FIXTURE(setup)
{
	struct bench bench;
	struct peer *peer;
	struct st_errors before;	/* of the listener's Port */
};

FIXTURE_SETUP(setup)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->peer = &self->bench.peer;
	self->before = errors_of(self->bench.listener);
}

FIXTURE_TEARDOWN(setup)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* A socket that starts to connect to the peer, and its Request_Connection */
static int begin_call(struct vc *vc, struct op *request)
{
	struct sockaddr_st to = peer_address(vc->peer, vc->port);
	int fd = new_socket(A, SOCK_NONBLOCK);

	if (fd < 0 || !connect_to(fd, &to) || errno != EINPROGRESS || !vc_next(vc, request))
		return -1;
	vc_learn(vc, request);
	vc->fd = fd;
	return fd;
}

static int error_of(int fd)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &value, &len) ? -1 : value;
}

/* Checks that the listener has no new connection. */
static bool none_to_accept(int listener)
{
	return !poll_for(listener, POLLIN, 0);
}

static bool rejected(struct vc *vc, const struct op *request)
{
	struct op answer = {
		.op = CONNECTION_ANSWER,
		.flags = F_REJECT,
		.d_port = request->s_port,
		.s_port = request->d_port,
		.d_key = request->offset,
	};

	return peer_send(vc->peer, request, NULL, 0) && vc_expect(vc, &answer);
}

/* 5.1.1, table 4: every field of a Request_Connection */
TEST_F(setup, request_connection)
{
	struct vc vc = vc_new(self->peer);
	struct op request, expected = {
		.op = REQUEST_CONNECTION,
		.flags = F_OUT_OF_ORDER | F_LITTLE_ENDIAN,
		.d_port = vc.port,
		.bufx = BUFSIZE,
		.sync = MAX_STU,
	};
	int fd = begin_call(&vc, &request);

	ASSERT_LE(0, fd);
	EXPECT_LT(1, request.param);
	expected.flags |= request.flags & F_MEMORY;
	expected.param = request.param;
	expected.s_port = port_of(fd);
	expected.offset = request.offset;
	EXPECT_TRUE(op_is(&request, &expected));

	request = vc_answer(&vc);
	ASSERT_TRUE(vc_send(&vc, &request));
	EXPECT_EQ(POLLOUT, poll_for(fd, POLLOUT, LONG_MS));
	EXPECT_EQ(expected.offset, get_info(fd).local_key);
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(fd);
}

/* 5.1.1, table 4: every field of a Connection_Answer, and the state of both ends */
TEST_F(setup, connection_answer)
{
	struct vc vc = vc_new(self->peer);
	struct op op = vc_request(&vc, port_of(self->bench.listener)), expected;
	struct st_info info;

	vc.k_port = op.d_port;
	ASSERT_TRUE(peer_send(self->peer, &op, NULL, 0));
	ASSERT_TRUE(vc_read(&vc, CONNECTION_ANSWER, &op));
	expected = vc_from(&vc, CONNECTION_ANSWER,
			   F_OUT_OF_ORDER | F_LITTLE_ENDIAN | (op.flags & F_MEMORY));
	expected.param = op.param;
	expected.bufx = BUFSIZE;
	expected.offset = op.offset;
	expected.sync = MAX_STU;
	EXPECT_TRUE(op_is(&op, &expected));
	EXPECT_LT(1, op.param);

	vc_learn(&vc, &op);
	vc.fd = accept(self->bench.listener, NULL, NULL);
	ASSERT_LE(0, vc.fd);
	info = get_info(vc.fd);
	EXPECT_EQ(op.offset, info.local_key);
	EXPECT_EQ(vc.key, info.remote_key);
	EXPECT_EQ(op.param, info.local_slots);
	EXPECT_EQ(vc.slots, info.remote_slots);
	EXPECT_EQ(BUFSIZE, info.local_bufsize);
	EXPECT_EQ(vc.bufsize, info.remote_bufsize);
	EXPECT_EQ(MAX_STU, info.local_max_stu);
	EXPECT_EQ(vc.max_stu, info.remote_max_stu);
	EXPECT_EQ(1, info.out_of_order);
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
	EXPECT_TRUE(logged(self->bench.listener, &self->before, NOTHING));
}

/* 5.1.1, 5.2.1: the Responder may use another Port than the one that was called */
TEST_F(setup, answer_from_another_port)
{
	struct vc vc = vc_new(self->peer);
	struct sockaddr_st name;
	socklen_t len = sizeof(name);
	struct op op;
	int fd = begin_call(&vc, &op);

	ASSERT_LE(0, fd);
	vc.port ^= 0x1000;
	op = vc_answer(&vc);
	ASSERT_TRUE(vc_send(&vc, &op));
	ASSERT_EQ(POLLOUT, poll_for(fd, POLLOUT, LONG_MS));
	ASSERT_EQ(0, getpeername(fd, (struct sockaddr *)&name, &len));
	EXPECT_EQ(vc.port, ntohs(name.sst_port));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(fd);
}

/* 5.1.1, 7.3: the Responder rejects */
TEST_F(setup, rejected_by_the_peer)
{
	struct vc vc = vc_new(self->peer);
	struct op op;
	int fd = begin_call(&vc, &op);

	ASSERT_LE(0, fd);
	op = vc_to(&vc, CONNECTION_ANSWER, F_REJECT);
	ASSERT_TRUE(vc_send(&vc, &op));
	EXPECT_TRUE(poll_for(fd, POLLOUT, LONG_MS) & POLLERR);
	EXPECT_EQ(ECONNREFUSED, error_of(fd));
	close(fd);
}

/* 5.1.1, 10.6.1: the Port has no listener */
TEST_F(setup, nobody_at_the_port)
{
	long long counted = errors_without_port(A, ST_A_ERRORS_INVALID_PORT);
	struct vc vc = vc_new(self->peer);
	struct op op = vc_request(&vc, 2);

	EXPECT_TRUE(rejected(&vc, &op));
	EXPECT_TRUE(counter_reaches(errors_without_port, A, ST_A_ERRORS_INVALID_PORT, counted + 1));
	EXPECT_TRUE(logged(self->bench.listener, &self->before, NOTHING));
}

/* 5.2.6, 10.6.3 */
TEST_F(setup, unknown_ethertype)
{
	struct vc vc = vc_new(self->peer);
	struct op op = vc_request(&vc, port_of(self->bench.listener));

	op.b_id = 0x88b5;
	EXPECT_TRUE(rejected(&vc, &op));
	EXPECT_TRUE(none_to_accept(self->bench.listener));
	EXPECT_TRUE(logged(self->bench.listener, &self->before,
			   LOGGED({ ST_ERR_UNKNOWN_ETHERTYPE, 1 })));
}

/* 5.2.3, 10.6.4: in a Request_Connection; the values at the ends are good ones */
TEST_F(setup, bufsize)
{
	static const __u32 wrong[] = { 0, 7, 33, 63, 0x10000010, 0xffffffff };
	static const __u8 right[] = { 8, 32 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct vc vc = vc_new(self->peer);
		struct op op = vc_request(&vc, port_of(self->bench.listener));

		op.bufx = wrong[i];
		op.sync = 8;
		EXPECT_TRUE(rejected(&vc, &op));
	}
	EXPECT_TRUE(none_to_accept(self->bench.listener));
	EXPECT_TRUE(logged(self->bench.listener, &self->before,
			   LOGGED({ ST_ERR_ILLEGAL_BUFSIZE, ARRAY_SIZE(wrong) })));
	for (i = 0; i < ARRAY_SIZE(right); i++) {
		struct vc vc = vc_new(self->peer);

		vc.bufsize = right[i];
		vc.max_stu = 8;
		ASSERT_TRUE(vc_call(&vc, self->bench.listener));
		EXPECT_EQ(right[i], get_info(vc.fd).remote_bufsize);
		EXPECT_TRUE(vc_quiet(&vc));
		EXPECT_TRUE(vc_hang_up(&vc));
		close(vc.fd);
	}
}

/* 5.2.4: at least 256 bytes and no larger than a buffer */
TEST_F(setup, max_stu)
{
	static const __u32 wrong[] = { 0, 7, 17, 0x10000 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct vc vc = vc_new(self->peer);
		struct op op = vc_request(&vc, port_of(self->bench.listener));

		op.bufx = 16;
		op.sync = wrong[i];
		EXPECT_TRUE(rejected(&vc, &op));
	}
	EXPECT_TRUE(none_to_accept(self->bench.listener));
	EXPECT_TRUE(logged(self->bench.listener, &self->before,
			   LOGGED({ ST_ERR_ILLEGAL_STU_SIZE, ARRAY_SIZE(wrong) })));
}

/* 10.6.4: in a Connection_Answer it causes a Request_Disconnect */
TEST_F(setup, bufsize_in_answer)
{
	struct vc vc = vc_new(self->peer);
	struct st_errors before;
	struct op op, expected;
	int fd = begin_call(&vc, &op);

	ASSERT_LE(0, fd);
	before = errors_of(fd);
	op = vc_answer(&vc);
	op.bufx = 33;
	ASSERT_TRUE(vc_send(&vc, &op));
	expected = vc_from(&vc, REQUEST_DISCONNECT, 0);
	expected.offset = vc.k_key;
	EXPECT_TRUE(vc_expect(&vc, &expected));
	EXPECT_EQ(EPROTO, error_of(fd));
	EXPECT_TRUE(logged(fd, &before, LOGGED({ ST_ERR_ILLEGAL_BUFSIZE, 1 })));
	op = vc_to(&vc, DISCONNECT_ANSWER, 0);
	op.offset = vc.key;
	ASSERT_TRUE(vc_send(&vc, &op));
	expected.op = DISCONNECT_COMPLETE;
	EXPECT_TRUE(vc_expect(&vc, &expected));
	close(fd);
}

/* 10.3: a repeated request gets the same answer, and there is one connection */
TEST_F(setup, request_again)
{
	struct vc vc = vc_new(self->peer);
	struct op op = vc_request(&vc, port_of(self->bench.listener)), first, second;

	vc.k_port = op.d_port;
	ASSERT_TRUE(peer_send(self->peer, &op, NULL, 0));
	ASSERT_TRUE(vc_read(&vc, CONNECTION_ANSWER, &first));
	vc_learn(&vc, &first);
	vc.fd = accept(self->bench.listener, NULL, NULL);
	ASSERT_LE(0, vc.fd);
	ASSERT_TRUE(peer_send(self->peer, &op, NULL, 0));
	ASSERT_TRUE(vc_read(&vc, CONNECTION_ANSWER, &second));
	EXPECT_TRUE(op_is(&second, &first));
	EXPECT_TRUE(none_to_accept(self->bench.listener));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
	EXPECT_TRUE(logged(self->bench.listener, &self->before, NOTHING));
}

/* 5.2.2: every connection has its own Key, and only this Key affects it */
TEST_F(setup, keys)
{
	enum { COUNT = 8 };
	struct vc vc[COUNT];
	struct op op;
	int i, j;

	for (i = 0; i < COUNT; i++) {
		vc[i] = vc_new(self->peer);
		ASSERT_TRUE(vc_call(&vc[i], self->bench.listener));
		for (j = 0; j < i; j++)
			EXPECT_NE(vc[j].k_key, vc[i].k_key);
	}
	/* The Key of one with the Port of the next: of no connection */
	for (i = 0; i < COUNT; i++) {
		op = vc_to(&vc[i], REQUEST_STATE, 0);
		op.s_port = vc[(i + 1) % COUNT].port;
		op.d_id = NO_ID;
		ASSERT_TRUE(vc_send(&vc[i], &op));
	}
	for (i = 0; i < COUNT; i++)
		EXPECT_TRUE(vc_quiet(&vc[i]));
	EXPECT_TRUE(logged(self->bench.listener, &self->before,
			   LOGGED({ ST_ERR_INVALID_KEY, COUNT })));
	for (i = 0; i < COUNT; i++) {
		EXPECT_TRUE(vc_hang_up(&vc[i]));
		close(vc[i].fd);
	}
}

/* 5.2.1, 5.2.2: an answer with another Key, to another Port, or from another host */
TEST_F(setup, answer_that_is_not_for_it)
{
	struct peer other = *self->peer;
	struct vc vc = vc_new(self->peer);
	long long no_port = errors_without_port(A, ST_A_ERRORS_INVALID_PORT);
	struct st_errors before;
	struct op op, good;
	int fd = begin_call(&vc, &op);

	ASSERT_LE(0, fd);
	before = errors_of(fd);
	good = vc_answer(&vc);
	op = good;
	op.d_key++;
	ASSERT_TRUE(vc_send(&vc, &op));
	op = good;
	op.d_port = 2;
	ASSERT_TRUE(vc_send(&vc, &op));
	other.ula[5] ^= 0x80;
	ASSERT_TRUE(peer_send(&other, &good, NULL, 0));
	EXPECT_TRUE(logged(fd, &before, LOGGED({ ST_ERR_INVALID_KEY, 2 })));
	EXPECT_TRUE(counter_reaches(errors_without_port, A, ST_A_ERRORS_INVALID_PORT, no_port + 1));
	EXPECT_EQ(0, poll_for(fd, POLLOUT, 0));

	ASSERT_TRUE(vc_send(&vc, &good));
	EXPECT_EQ(POLLOUT, poll_for(fd, POLLOUT, LONG_MS));
	EXPECT_TRUE(vc_quiet(&vc));
	/* A repetition changes nothing, ST 10.3 */
	ASSERT_TRUE(vc_send(&vc, &good));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(logged(fd, &before, LOGGED({ ST_ERR_INVALID_KEY, 2 })));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(fd);
}

/* 10.5.2: a Connection_Answer without a Request_Connection */
TEST_F(setup, answer_that_was_not_asked_for)
{
	struct vc *vc = &self->bench.vc;
	struct op op = vc_answer(vc);

	ASSERT_TRUE(vc_send(vc, &op));
	op.offset++;
	ASSERT_TRUE(vc_send(vc, &op));
	op.flags = F_REJECT;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_UNEXPECTED_OPCODE, 3 })));
	EXPECT_EQ(CONNECTION_ANSWER, errors_of(vc->fd).unexpected_opcode_value);
	EXPECT_EQ(vc->key, get_info(vc->fd).remote_key);
}

/* 10.5.2: nothing else is executed before the answer */
TEST_F(setup, too_early)
{
	static const __u8 early[] = {
		REQUEST_TO_SEND, REQUEST_ANSWER, CLEAR_TO_SEND, REQUEST_STATE,
		REQUEST_STATE_RESPONSE, END, END_ACK,
	};
	struct vc vc = vc_new(self->peer);
	struct st_errors before;
	struct op op;
	unsigned int i;
	int fd = begin_call(&vc, &op);

	ASSERT_LE(0, fd);
	before = errors_of(fd);
	for (i = 0; i < ARRAY_SIZE(early); i++) {
		op = vc_to(&vc, early[i], early[i] == REQUEST_TO_SEND ? F_CHANNEL_1 : 0);
		op.b_id = early[i] == REQUEST_TO_SEND ? 12 : 0;
		ASSERT_TRUE(vc_send(&vc, &op));
		ASSERT_TRUE(logged(fd, &before, LOGGED({ ST_ERR_UNEXPECTED_OPCODE, i + 1 })));
		EXPECT_EQ(early[i], errors_of(fd).unexpected_opcode_value);
	}
	op = vc_answer(&vc);
	ASSERT_TRUE(vc_send(&vc, &op));
	EXPECT_EQ(POLLOUT, poll_for(fd, POLLOUT, LONG_MS));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(fd);
}

/* 4.2, 7.4: the optional payload and Interrupt are good in both operations */
TEST_F(setup, optional_payload)
{
	static const __u8 payload[OPTIONAL_LEN] = { 1, 2, 3 };
	struct vc vc = vc_new(self->peer);
	struct op op = vc_request(&vc, port_of(self->bench.listener));
	int fd;

	op.flags |= F_INTERRUPT;
	vc.k_port = op.d_port;
	ASSERT_TRUE(peer_send(self->peer, &op, payload, sizeof(payload)));
	ASSERT_TRUE(vc_read(&vc, CONNECTION_ANSWER, &op));
	EXPECT_FALSE(op.flags & F_REJECT);
	vc_learn(&vc, &op);
	vc.fd = accept(self->bench.listener, NULL, NULL);
	ASSERT_LE(0, vc.fd);
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);

	vc = vc_new(self->peer);
	fd = begin_call(&vc, &op);
	ASSERT_LE(0, fd);
	op = vc_answer(&vc);
	op.flags |= F_INTERRUPT;
	ASSERT_TRUE(vc_send_data(&vc, &op, payload, sizeof(payload)));
	EXPECT_EQ(POLLOUT, poll_for(fd, POLLOUT, LONG_MS));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(fd);
	EXPECT_TRUE(logged(self->bench.listener, &self->before, NOTHING));
}

/* 10.7.7: undefined flags of a Request_Connection are logged and ignored */
TEST_F(setup, flags)
{
	struct vc vc = vc_new(self->peer);

	vc.flags |= F_SILENT | F_SEND_STATE | F_LAST | F_REJECT | F_CHANNEL;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	EXPECT_EQ(1, get_info(vc.fd).out_of_order);
	EXPECT_TRUE(logged(vc.fd, &self->before, LOGGED({ ST_ERR_IMPROPER_FLAG_USE, 1 })));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/* Callers beyond the backlog are not answered until there is room */
TEST_F(setup, backlog_full)
{
	enum { ROOM = 2 };	/* one more than the backlog is accepted, as elsewhere */
	long long counted = dropped(A, ST_A_DROPS_BACKLOG_FULL);
	int listener = new_listener(A, 1), fd, i;
	struct op request, answer;
	struct vc vc[ROOM + 1];

	ASSERT_LE(0, listener);
	for (i = 0; i <= ROOM; i++) {
		vc[i] = vc_new(self->peer);
		vc[i].k_port = port_of(listener);
		request = vc_request(&vc[i], vc[i].k_port);
		ASSERT_TRUE(peer_send(self->peer, &request, NULL, 0));
		if (i == ROOM)
			break;
		ASSERT_TRUE(vc_read(&vc[i], CONNECTION_ANSWER, &answer));
		EXPECT_FALSE(answer.flags & F_REJECT);
		vc_learn(&vc[i], &answer);
	}
	EXPECT_TRUE(vc_quiet(&self->bench.vc));
	EXPECT_EQ(counted + 1, dropped(A, ST_A_DROPS_BACKLOG_FULL));
	fd = accept(listener, NULL, NULL);
	EXPECT_LE(0, fd);
	ASSERT_TRUE(peer_send(self->peer, &request, NULL, 0));
	ASSERT_TRUE(vc_read(&vc[ROOM], CONNECTION_ANSWER, &answer));
	EXPECT_FALSE(answer.flags & F_REJECT);
	vc_learn(&vc[ROOM], &answer);
	for (i = 0; i <= ROOM; i++)
		EXPECT_TRUE(vc_hang_up(&vc[i]));
	close(fd);
	close(listener);
}

/* 5.1: unused fields of an operation are not checked. */
TEST_F(setup, unused_fields)
{
	struct vc vc = vc_new(self->peer);
	struct op op = vc_request(&vc, port_of(self->bench.listener));
	int fd;

	op.d_key = 0x11111111;
	op.b_num = 0x22222222;
	op.d_id = 0x33333333;
	op.s_id = 0x44444444;
	vc.k_port = op.d_port;
	ASSERT_TRUE(peer_send(self->peer, &op, NULL, 0));
	ASSERT_TRUE(vc_read(&vc, CONNECTION_ANSWER, &op));
	EXPECT_FALSE(op.flags & F_REJECT);
	vc_learn(&vc, &op);
	vc.fd = accept(self->bench.listener, NULL, NULL);
	ASSERT_LE(0, vc.fd);
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);

	vc = vc_new(self->peer);
	fd = begin_call(&vc, &op);
	ASSERT_LE(0, fd);
	op = vc_answer(&vc);
	op.b_id = 0x1111;
	op.b_num = 0x22222222;
	op.d_id = 0x33333333;
	op.s_id = 0x44444444;
	ASSERT_TRUE(vc_send(&vc, &op));
	EXPECT_EQ(POLLOUT, poll_for(fd, POLLOUT, LONG_MS));
	EXPECT_TRUE(vc_quiet(&vc));
	EXPECT_TRUE(vc_hang_up(&vc));
	close(fd);
	EXPECT_TRUE(logged(self->bench.listener, &self->before, NOTHING));
}

/* 8.2: Out_of_Order needs both ends */
TEST_F(setup, in_order_only)
{
	struct vc vc = vc_new(self->peer);

	vc.flags = 0;
	ASSERT_TRUE(vc_call(&vc, self->bench.listener));
	EXPECT_EQ(0, get_info(vc.fd).out_of_order);
	EXPECT_TRUE(vc_hang_up(&vc));
	close(vc.fd);
}

/* A.1: Control operations use VC0 */
TEST_F(setup, on_vc0)
{
	long long before = dev_stat(B, "vc0_rx_messages"), others = 0;
	char name[32];
	int vc;

	for (vc = 1; vc < 4; vc++) {
		snprintf(name, sizeof(name), "vc%d_rx_messages", vc);
		others -= dev_stat(B, name);
	}
	EXPECT_TRUE(vc_quiet(&self->bench.vc));
	EXPECT_LE(before + 1, dev_stat(B, "vc0_rx_messages"));
	for (vc = 1; vc < 4; vc++) {
		snprintf(name, sizeof(name), "vc%d_rx_messages", vc);
		others += dev_stat(B, name);
	}
	EXPECT_EQ(0, others);
}

TEST_HARNESS_MAIN
