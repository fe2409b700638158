// SPDX-License-Identifier: GPL-2.0
/*
 * Teardown of Virtual Connections, ST 5.1.2 and 10.6.1; the peer is the other
 * host.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "peer.h"

FIXTURE(teardown)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
};

FIXTURE_SETUP(teardown)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->bench.listener);
}

FIXTURE_TEARDOWN(teardown)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* A Disconnect operation to the other end, and one from it */
static struct op disconnect_to(const struct vc *vc, __u8 code)
{
	struct op op = vc_to(vc, code, 0);

	op.offset = vc->key;
	return op;
}

static struct op disconnect_from(const struct vc *vc, __u8 code)
{
	struct op op = vc_from(vc, code, 0);

	op.offset = vc->k_key;
	return op;
}

static bool send_disconnect(struct vc *vc, __u8 code)
{
	struct op op = disconnect_to(vc, code);

	return vc_send(vc, &op);
}

static bool expect_disconnect(struct vc *vc, __u8 code)
{
	struct op op = disconnect_from(vc, code);

	return vc_expect(vc, &op);
}

/* Checks on an open connection that nothing unread was sent */
static bool nothing_came(struct bench *bench)
{
	struct vc vc = vc_new(&bench->peer);
	bool ok = vc_call(&vc, bench->listener) && vc_quiet(&vc) && vc_hang_up(&vc);

	close(vc.fd);
	return ok;
}

/* 5.1.2, table 4: the socket is the Initiator; every field of its two operations */
TEST_F(teardown, by_the_socket)
{
	struct vc *vc = self->vc;

	ASSERT_EQ(0, shutdown(vc->fd, SHUT_WR));
	EXPECT_TRUE(expect_disconnect(vc, REQUEST_DISCONNECT));
	ASSERT_TRUE(send_disconnect(vc, DISCONNECT_ANSWER));
	EXPECT_TRUE(expect_disconnect(vc, DISCONNECT_COMPLETE));
	/* It can still answer if this is lost */
	ASSERT_TRUE(send_disconnect(vc, DISCONNECT_ANSWER));
	EXPECT_TRUE(expect_disconnect(vc, DISCONNECT_COMPLETE));
	EXPECT_TRUE(nothing_came(&self->bench));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 5.1.2, table 4: the peer is the Initiator; every field of the answer */
TEST_F(teardown, by_the_peer)
{
	struct vc *vc = self->vc;
	char byte;

	ASSERT_TRUE(send_disconnect(vc, REQUEST_DISCONNECT));
	EXPECT_TRUE(expect_disconnect(vc, DISCONNECT_ANSWER));
	EXPECT_ERRNO(ENODATA, recv_record(vc->fd, &byte, 1));
	EXPECT_ERRNO(EPIPE, send(vc->fd, &byte, 1, MSG_NOSIGNAL));
	/* The answer was lost: once more, before and after the end */
	ASSERT_TRUE(send_disconnect(vc, REQUEST_DISCONNECT));
	EXPECT_TRUE(expect_disconnect(vc, DISCONNECT_ANSWER));
	ASSERT_TRUE(send_disconnect(vc, DISCONNECT_COMPLETE));
	ASSERT_TRUE(send_disconnect(vc, DISCONNECT_COMPLETE));
	ASSERT_TRUE(send_disconnect(vc, REQUEST_DISCONNECT));
	EXPECT_TRUE(expect_disconnect(vc, DISCONNECT_ANSWER));
	EXPECT_TRUE(nothing_came(&self->bench));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 5.1.2: both ends start; each answers the other */
TEST_F(teardown, by_both)
{
	struct vc *vc = self->vc;

	ASSERT_EQ(0, shutdown(vc->fd, SHUT_WR));
	EXPECT_TRUE(expect_disconnect(vc, REQUEST_DISCONNECT));
	ASSERT_TRUE(send_disconnect(vc, REQUEST_DISCONNECT));
	EXPECT_TRUE(expect_disconnect(vc, DISCONNECT_ANSWER));
	ASSERT_TRUE(send_disconnect(vc, DISCONNECT_ANSWER));
	EXPECT_TRUE(expect_disconnect(vc, DISCONNECT_COMPLETE));
	ASSERT_TRUE(send_disconnect(vc, DISCONNECT_COMPLETE));
	EXPECT_TRUE(nothing_came(&self->bench));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 5.1.2: Port and Key are kept for two Op_timeouts, then released */
TEST_F(teardown, kept_for_a_while)
{
	long long end = now_ms() + LONG_MS;
	struct vc *vc = self->vc;
	struct op op;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 10));
	ASSERT_TRUE(send_disconnect(vc, REQUEST_DISCONNECT));
	EXPECT_TRUE(expect_disconnect(vc, DISCONNECT_ANSWER));
	ASSERT_TRUE(send_disconnect(vc, DISCONNECT_COMPLETE));
	/* Meanwhile other operations are ignored and not errors. */
	op = vc_to(vc, REQUEST_STATE, 0);
	op.d_id = NO_ID;
	do {
		ASSERT_TRUE(vc_send(vc, &op));
		usleep(10000);
	} while (!errors_of(self->bench.listener).count[ST_ERR_INVALID_KEY] && now_ms() < end);
	EXPECT_LT(0, errors_of(self->bench.listener).count[ST_ERR_INVALID_KEY]);
	EXPECT_TRUE(nothing_came(&self->bench));
}

/* 5.1.2: pending Transfers end with the connection */
TEST_F(teardown, amid_transfers)
{
	struct vc *vc = self->vc;
	char out[100], in[100];
	struct job job = { .fd = vc->fd, .buf = out, .len = sizeof(out) };
	struct op cts, rts;

	ASSERT_TRUE(vc_write(vc, 1, sizeof(in), 12, &cts));
	ASSERT_TRUE(job_start(&job));
	ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &rts));
	ASSERT_TRUE(send_disconnect(vc, REQUEST_DISCONNECT));
	EXPECT_TRUE(expect_disconnect(vc, DISCONNECT_ANSWER));
	job_end(&job);
	EXPECT_EQ(-1, job.result);
	EXPECT_EQ(ECONNRESET, job.error);
	EXPECT_ERRNO(ECONNRESET, recv_record(vc->fd, in, sizeof(in)));
	ASSERT_TRUE(send_disconnect(vc, DISCONNECT_COMPLETE));
	EXPECT_TRUE(nothing_came(&self->bench));
}

/* 10.6.1: for an unknown connection the answer echoes its fields */
TEST_F(teardown, unknown)
{
	static const struct {
		bool port;
		bool key;
		bool s_port;
	} wrong[] = {
		{ .key = true }, { .port = true }, { .s_port = true },
		{ .port = true, .key = true },
		{ .port = true, .key = true, .s_port = true },
	};
	struct vc *vc = self->vc;
	struct op op, expected;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		op = disconnect_to(vc, REQUEST_DISCONNECT);
		op.d_port ^= wrong[i].port ? 0x5555 : 0;
		op.s_port ^= wrong[i].s_port ? 0x5555 : 0;
		op.d_key ^= wrong[i].key ? 0x5555 : 0;
		expected = (struct op) {
			.op = DISCONNECT_ANSWER,
			.d_port = op.s_port,
			.s_port = op.d_port,
			.d_key = op.offset,
			.offset = op.d_key,
		};
		ASSERT_TRUE(vc_send(vc, &op));
		EXPECT_TRUE(vc_expect(vc, &expected));
		op.op = DISCONNECT_ANSWER;
		expected.op = DISCONNECT_COMPLETE;
		ASSERT_TRUE(vc_send(vc, &op));
		EXPECT_TRUE(vc_expect(vc, &expected));
		op.op = DISCONNECT_COMPLETE;
		ASSERT_TRUE(vc_send(vc, &op));
		EXPECT_TRUE(vc_quiet(vc));
	}
}

/* 10.6.1: the same with a wrong second Key; the connection stays up */
TEST_F(teardown, wrong_key_of_the_sender)
{
	struct vc *vc = self->vc;
	struct op op = disconnect_to(vc, REQUEST_DISCONNECT);
	struct op expected = disconnect_from(vc, DISCONNECT_ANSWER);

	op.offset ^= 1;
	expected.d_key ^= 1;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_expect(vc, &expected));
	op.op = DISCONNECT_ANSWER;
	expected.op = DISCONNECT_COMPLETE;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_expect(vc, &expected));
	op.op = DISCONNECT_COMPLETE;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_INVALID_KEY, 3 })));
}

/* 5.2.1: another host that knows Ports and Keys cannot tear the connection down */
TEST_F(teardown, by_somebody_else)
{
	struct peer other = *self->vc->peer;
	struct op op = disconnect_to(self->vc, REQUEST_DISCONNECT);

	other.ula[5] ^= 0x80;
	ASSERT_TRUE(peer_send(&other, &op, NULL, 0));
	EXPECT_TRUE(vc_quiet(self->vc));
}

/* 10.5.2: unsolicited answers */
TEST_F(teardown, unexpected)
{
	struct vc *vc = self->vc;

	ASSERT_TRUE(send_disconnect(vc, DISCONNECT_ANSWER));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(DISCONNECT_ANSWER, errors_of(vc->fd).unexpected_opcode_value);
	ASSERT_TRUE(send_disconnect(vc, DISCONNECT_COMPLETE));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_EQ(DISCONNECT_COMPLETE, errors_of(vc->fd).unexpected_opcode_value);
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_UNEXPECTED_OPCODE, 2 })));
}

/* 5.1.2: the Initiator gives up while it is being answered */
TEST_F(teardown, of_a_request_connection)
{
	struct vc vc = vc_new(self->vc->peer);
	struct sockaddr_st to = peer_address(vc.peer, vc.port);
	struct op op;

	vc.fd = new_socket(A, SOCK_NONBLOCK);
	EXPECT_ERRNO(EINPROGRESS, connect_to(vc.fd, &to));
	ASSERT_TRUE(vc_next(&vc, &op));
	ASSERT_EQ(REQUEST_CONNECTION, op.op);
	vc_learn(&vc, &op);
	ASSERT_TRUE(send_disconnect(&vc, REQUEST_DISCONNECT));
	EXPECT_TRUE(expect_disconnect(&vc, DISCONNECT_ANSWER));
	EXPECT_TRUE(poll_for(vc.fd, POLLOUT, LONG_MS) & POLLERR);
	ASSERT_TRUE(send_disconnect(&vc, DISCONNECT_COMPLETE));
	close(vc.fd);
}

/* A socket that is shut down before the answer arrives tears the connection down at the peer. */
TEST_F(teardown, shut_down_during_setup)
{
	struct vc vc = vc_new(&self->bench.peer);
	struct sockaddr_st to = peer_address(vc.peer, vc.port);
	struct op op;

	vc.fd = new_socket(A, SOCK_NONBLOCK);
	ASSERT_LE(0, vc.fd);
	EXPECT_ERRNO(EINPROGRESS, connect_to(vc.fd, &to));
	ASSERT_TRUE(vc_next(&vc, &op));
	ASSERT_EQ(REQUEST_CONNECTION, op.op);
	vc_learn(&vc, &op);
	ASSERT_EQ(0, shutdown(vc.fd, SHUT_WR));
	op = vc_answer(&vc);
	ASSERT_TRUE(vc_send(&vc, &op));
	EXPECT_TRUE(expect_disconnect(&vc, REQUEST_DISCONNECT));
	EXPECT_TRUE(send_disconnect(&vc, DISCONNECT_ANSWER));
	EXPECT_TRUE(expect_disconnect(&vc, DISCONNECT_COMPLETE));
	close(vc.fd);
}

TEST_HARNESS_MAIN
