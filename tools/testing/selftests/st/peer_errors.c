// SPDX-License-Identifier: GPL-2.0
/*
 * Impossible or misaddressed operations: ST 4.2, 10.5, 10.6.1, 10.7.7.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "counters.h"
#include "peer.h"

FIXTURE(errors)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
};

FIXTURE_SETUP(errors)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
}

FIXTURE_TEARDOWN(errors)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

/* Table 2, except setup and teardown */
static const __u8 codes[] = {
	REQUEST_MEMORY_REGION, MEMORY_REGION_AVAILABLE, GET, REQUEST_TO_SEND, REQUEST_ANSWER,
	REQUEST_TO_RECEIVE, CLEAR_TO_SEND, DATA, REQUEST_STATE, REQUEST_STATE_RESPONSE, END,
	END_ACK,
};

/* Otherwise valid: of this connection, and with legal fields */
static struct op good(const struct vc *vc, __u8 code)
{
	struct op op = vc_to(vc, code, 0);

	if (code == REQUEST_TO_SEND || code == REQUEST_MEMORY_REGION ||
	    code == REQUEST_TO_RECEIVE || code == DATA || code == GET)
		op.flags |= F_CHANNEL_1;
	if (code == REQUEST_TO_SEND)
		op.b_id = 12;
	if (code == REQUEST_STATE || code == REQUEST_STATE_RESPONSE)
		op.d_id = NO_ID;
	if (code == REQUEST_STATE_RESPONSE)
		op.param = SLOTS_NOT_COUNTED;
	return op;
}

/* 10.5.1: every Op that is not in table 2, with the value in the log */
TEST_F(errors, undefined_opcode)
{
	struct vc *vc = self->vc;
	unsigned int code, count = 0;
	struct op op;

	for (code = 0; code < 32; code++) {
		if (op_name(code))
			continue;
		op = vc_to(vc, code, 0);
		ASSERT_TRUE(peer_send(vc->peer, &op, NULL, 0));
		count++;
		EXPECT_TRUE(vc_quiet(vc));
		EXPECT_TRUE(logged(vc->fd, &self->before,
				   LOGGED({ ST_ERR_UNDEFINED_OPCODE, count })));
		EXPECT_EQ(code, errors_of(vc->fd).undefined_opcode_value);
	}
	EXPECT_EQ(15, count);
}

/* 10.5.1, for a Port without a socket */
TEST_F(errors, undefined_opcode_for_nobody)
{
	long long counted = errors_without_port(A, ST_A_ERRORS_UNDEFINED_OPCODE);
	struct vc *vc = self->vc;
	struct op op = vc_to(vc, 0x19, 0);

	op.d_port = 2;
	ASSERT_TRUE(peer_send(vc->peer, &op, NULL, 0));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(counter_reaches(errors_without_port, A, ST_A_ERRORS_UNDEFINED_OPCODE,
				    counted + 1));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 4.2: not a legal length of a Control operation: discarded */
TEST_F(errors, illegal_length)
{
	static const size_t lens[] = { 0, 1, 39, 41, 71, 73, 80, 104, 2000 };
	long long counted = dropped(A, ST_A_DROPS_ILLEGAL_LENGTH);
	static __u8 bytes[2000];
	struct vc *vc = self->vc;
	struct op op = good(vc, REQUEST_STATE);
	/* No PDU of RapidIO is empty; HIPPI-FP sees itself what is too short for A.2 */
	unsigned int first = medium() == RIO9 ? 1 : medium() == HIPPI_FP ? 3 : 0, i;

	for (i = first; i < ARRAY_SIZE(lens); i++) {
		op_to_wire(&op, bytes);
		cksum_set(bytes, lens[i] < HDR_LEN ? HDR_LEN : lens[i]);
		ASSERT_TRUE(peer_send_raw(vc->peer, 0, bytes, lens[i]));
	}
	op.op = DATA;
	op_to_wire(&op, bytes);
	ASSERT_TRUE(peer_send_raw(vc->peer, 0, bytes, HDR_LEN - 1));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(counter_reaches(dropped, A, ST_A_DROPS_ILLEGAL_LENGTH,
				    counted + ARRAY_SIZE(lens) - first +
				    (medium() != HIPPI_FP)));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 4.2: the optional payload of 32 bytes, in all operations with an answer */
TEST_F(errors, optional_payload)
{
	static const __u8 payload[OPTIONAL_LEN] = "interpreted by nobody";
	struct vc *vc = self->vc;
	struct op op = good(vc, REQUEST_STATE), answer;

	ASSERT_TRUE(vc_send_data(vc, &op, payload, sizeof(payload)));
	EXPECT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &answer));
	op = good(vc, REQUEST_TO_SEND);
	op.b_num = 1;
	ASSERT_TRUE(vc_send_data(vc, &op, payload, sizeof(payload)));
	EXPECT_TRUE(vc_read(vc, CLEAR_TO_SEND, &answer));
	op = good(vc, END);
	op.d_id = answer.s_id;
	ASSERT_TRUE(vc_send_data(vc, &op, payload, sizeof(payload)));
	EXPECT_TRUE(vc_read(vc, END_ACK, &answer));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.6.1: the Key is of no connection, or of another */
TEST_F(errors, key)
{
	struct vc other = vc_new(&self->bench.peer), *vc = self->vc;
	unsigned int i;
	struct op op;

	ASSERT_TRUE(vc_call(&other, self->bench.listener));
	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		op = good(vc, codes[i]);
		op.d_key ^= 0x10000;
		ASSERT_TRUE(vc_send(vc, &op));
		op.d_key = other.k_key;
		ASSERT_TRUE(vc_send(vc, &op));
	}
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(vc_quiet(&other));
	EXPECT_TRUE(logged(vc->fd, &self->before,
			   LOGGED({ ST_ERR_INVALID_KEY, 2 * ARRAY_SIZE(codes) })));
	EXPECT_TRUE(vc_hang_up(&other));
	close(other.fd);
}

/* 5.2.1, 10.6.1: the Key is right, and the Port is unused */
TEST_F(errors, port_of_nobody)
{
	long long counted = errors_without_port(A, ST_A_ERRORS_INVALID_PORT);
	struct vc *vc = self->vc;
	unsigned int i;
	struct op op;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		op = good(vc, codes[i]);
		op.d_port = 2;
		ASSERT_TRUE(vc_send(vc, &op));
	}
	EXPECT_TRUE(counter_reaches(errors_without_port, A, ST_A_ERRORS_INVALID_PORT,
				    counted + ARRAY_SIZE(codes)));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 5.2.1, 10.6.1: or used by another socket, in whose log it is */
TEST_F(errors, port_of_another)
{
	struct st_errors pair = errors_of(self->bench.pair[A]);
	struct vc *vc = self->vc;
	unsigned int i;
	struct op op;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		op = good(vc, codes[i]);
		op.d_port = port_of(self->bench.pair[A]);
		ASSERT_TRUE(vc_send(vc, &op));
	}
	EXPECT_TRUE(logged(self->bench.pair[A], &pair,
			   LOGGED({ ST_ERR_INVALID_KEY, ARRAY_SIZE(codes) })));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 5.1.1: remote Port, local Port and local Key have to match together */
TEST_F(errors, sender)
{
	struct peer other = self->bench.peer;
	struct vc *vc = self->vc;
	unsigned int i;
	struct op op;

	other.ula[5] ^= 0x80;
	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		op = good(vc, codes[i]);
		ASSERT_TRUE(peer_send(&other, &op, NULL, 0));
		op.s_port++;
		ASSERT_TRUE(vc_send(vc, &op));
	}
	EXPECT_TRUE(logged(vc->fd, &self->before,
			   LOGGED({ ST_ERR_INVALID_KEY, 2 * ARRAY_SIZE(codes) })));
	EXPECT_TRUE(vc_quiet(vc));
}

/* 10.7.7: undefined flags of an operation are logged, and it is executed */
TEST_F(errors, flags)
{
	static const struct {
		__u8	code;
		__u16	flags;
		__u8	answer;
	} cases[] = {
		{ REQUEST_STATE, F_ALL & ~F_INTERRUPT, REQUEST_STATE_RESPONSE },
		{ REQUEST_TO_SEND, F_ALL & ~(F_INTERRUPT | F_CHANNEL), CLEAR_TO_SEND },
		{ END, F_ALL & ~F_INTERRUPT, END_ACK },
	};
	struct vc *vc = self->vc;
	struct op op, answer = {};
	unsigned int i;
	__u16 bit, count = 0;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		for (bit = 1; bit < F_ALL; bit <<= 1) {
			if (!(cases[i].flags & bit))
				continue;
			op = good(vc, cases[i].code);
			op.flags |= bit;
			if (cases[i].code == REQUEST_TO_SEND) {
				op.b_num = 1;
				op.s_id = bit;
			} else if (cases[i].code == END) {
				op.d_id = answer.s_id;
			}
			ASSERT_TRUE(vc_send(vc, &op));
			ASSERT_TRUE(vc_next(vc, &answer));
			EXPECT_EQ(cases[i].answer, answer.op);
			count++;
			EXPECT_TRUE(logged(vc->fd, &self->before,
					   LOGGED({ ST_ERR_IMPROPER_FLAG_USE, count })));
		}
	}
	/* Data: the function bits, Out_of_Order and Reject */
	op = good(vc, REQUEST_TO_SEND);
	op.b_num = 1;
	op.s_id = F_ALL;
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &answer));
	op = vc_stu(vc, &answer, 0, 0, F_FUNCTION | F_OUT_OF_ORDER | F_REJECT | F_SEND_STATE);
	ASSERT_TRUE(vc_send_data(vc, &op, NULL, 0));
	EXPECT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &answer));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_IMPROPER_FLAG_USE, count + 1 })));
}

/* 5.1: unused fields of an operation are not checked */
TEST_F(errors, unused_fields)
{
	struct vc *vc = self->vc;
	struct op op = good(vc, REQUEST_STATE), answer;

	op.param = 0x1111;
	op.b_id = 0x2222;
	op.bufx = 0x33333333;
	op.offset = 0x44444444;
	op.b_num = 0x55555555;
	op.s_id = 0x66666666;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &answer));
	EXPECT_EQ(NO_ID, answer.d_id);
	op.op = REQUEST_STATE_RESPONSE;
	op.param = SLOTS_NOT_COUNTED;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	op = good(vc, REQUEST_TO_SEND);
	op.b_num = 1;
	op.bufx = 0x33333333;
	op.offset = 0x44444444;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_read(vc, CLEAR_TO_SEND, &answer));
	op = good(vc, END);
	op.param = 0x1111;
	op.b_id = 0x2222;
	op.bufx = 0x33333333;
	op.offset = 0x44444444;
	op.sync = 0x55555555;
	op.b_num = 0x66666666;
	op.d_id = answer.s_id;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_read(vc, END_ACK, &answer));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 7.4: Interrupt is a flag of all operations */
TEST_F(errors, interrupt)
{
	struct vc *vc = self->vc;
	struct op op = good(vc, REQUEST_STATE), answer;

	op.flags |= F_INTERRUPT;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &answer));
	op = good(vc, REQUEST_STATE_RESPONSE);
	op.flags |= F_INTERRUPT;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

TEST_HARNESS_MAIN
