// SPDX-License-Identifier: GPL-2.0
/*
 * Checksums, ST 8.3 and 10.4.  The peer verifies those of all operations of the
 * sockets in every test.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "counters.h"
#include "peer.h"

enum { I_ID = 0x1d00, T_LEN = 1001, MAX_BLOCK = 12, R_ID = 0x2b0d };

FIXTURE(checksum)
{
	struct bench bench;
	struct vc *vc;
	struct st_errors before;
	__u8 out[T_LEN];
	__u8 in[T_LEN];
};

FIXTURE_SETUP(checksum)
{
	ASSERT_TRUE(bench_open(&self->bench));
	self->vc = &self->bench.vc;
	self->before = errors_of(self->vc->fd);
	fill(self->out, T_LEN, 1, 0);
}

FIXTURE_TEARDOWN(checksum)
{
	EXPECT_TRUE(bench_close(&self->bench));
}

static struct op slots_op(struct vc *vc)
{
	struct op op = vc_to(vc, REQUEST_STATE, 0);

	op.sync = ++vc->sync;
	op.d_id = NO_ID;
	return op;
}

static bool received(int fd, __u8 *in)
{
	return recv_record(fd, in, T_LEN) == T_LEN && is_filled(in, T_LEN, 1, 0);
}

/* 8.3.1: the sum over an even and an odd number of bytes of an STU */
TEST_F(checksum, sent)
{
	static const size_t lens[] = { 1, 2, 3, 255, 256, 257, T_LEN };
	struct vc *vc = self->vc;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		struct job job = { .fd = vc->fd, .buf = self->out, .len = lens[i] };
		struct op rts, op;
		struct msg *data;

		ASSERT_TRUE(job_start(&job));
		ASSERT_TRUE(vc_read(vc, REQUEST_TO_SEND, &rts));
		op = vc_to(vc, CLEAR_TO_SEND, 0);
		op.param = MAX_BLOCK;
		op.d_id = rts.s_id;
		op.s_id = R_ID;
		ASSERT_TRUE(vc_send(vc, &op));
		data = vc_data(vc);
		ASSERT_NE(NULL, data);
		EXPECT_EQ(lens[i], data->len);
		EXPECT_TRUE(is_filled(payload_of(data), data->len, 1, 0));
		EXPECT_TRUE(cksum_right(data->bytes, HDR_LEN + data->len));
		free(data);
		op = vc_to(vc, REQUEST_STATE_RESPONSE, 0);
		op.param = vc->slots;
		op.b_num = NO_B_NUM;
		op.d_id = rts.s_id;
		op.s_id = R_ID;
		ASSERT_TRUE(vc_send(vc, &op));
		job_end(&job);
		EXPECT_EQ(lens[i], job.result);
	}
}

/* 8.3.2: a socket with checksums disabled sends none */
TEST_F(checksum, not_sent)
{
	struct vc vc = vc_new(&self->bench.peer);
	int listener = new_socket(A, 0), zero = 0;
	struct job job = { .buf = self->out, .len = 1 };
	struct op rts, op;
	struct msg *data;

	ASSERT_EQ(0, setsockopt(listener, SOL_ST, ST_CHECKSUM, &zero, sizeof(zero)));
	ASSERT_EQ(0, listen(listener, 1));
	self->bench.peer.no_cksum = true;
	ASSERT_TRUE(vc_call(&vc, listener));
	job.fd = vc.fd;
	EXPECT_TRUE(vc_quiet(&vc));
	ASSERT_TRUE(job_start(&job));
	ASSERT_TRUE(vc_read(&vc, REQUEST_TO_SEND, &rts));
	op = vc_to(&vc, CLEAR_TO_SEND, 0);
	op.param = MAX_BLOCK;
	op.d_id = rts.s_id;
	ASSERT_TRUE(vc_send(&vc, &op));
	data = vc_data(&vc);
	ASSERT_NE(NULL, data);
	EXPECT_EQ(0, data->op.cksum);
	free(data);
	EXPECT_TRUE(vc_hang_up(&vc));
	job_end(&job);
	self->bench.peer.no_cksum = false;
	EXPECT_STREQ("", self->bench.peer.wrong);
	close(vc.fd);
	close(listener);
}

/* 8.3.3: x'0000' is no checksum and not wrong */
TEST_F(checksum, none_received)
{
	struct vc *vc = self->vc;
	struct op cts, op;

	self->bench.peer.plain = true;
	EXPECT_TRUE(vc_quiet(vc));
	ASSERT_TRUE(vc_write(vc, I_ID, T_LEN, MAX_BLOCK, &cts));
	op = vc_stu(vc, &cts, 0, 0, 0);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out, 501));
	op = vc_stu(vc, &cts, 1, 501, F_LAST);
	ASSERT_TRUE(vc_send_data(vc, &op, self->out + 501, T_LEN - 501));
	EXPECT_TRUE(received(vc->fd, self->in));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.4: each bit of a Control operation, except those of Op and addressee */
TEST_F(checksum, each_bit)
{
	struct vc *vc = self->vc;
	unsigned int bit, count = 0;
	__u8 bytes[HDR_LEN];
	struct op op;

	for (bit = 16; bit < 8 * HDR_LEN; bit++) {
		if (bit / 16 == 2)	/* D_Port: of another error log */
			continue;
		op = slots_op(vc);
		op_to_wire(&op, bytes);
		cksum_set(bytes, HDR_LEN);
		bytes[bit / 8] ^= 0x80 >> bit % 8;
		if (!op_from_wire(bytes).cksum)
			continue;
		ASSERT_TRUE(peer_send_raw(vc->peer, 0, bytes, HDR_LEN));
		count++;
	}
	EXPECT_LT(280, count);
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_CKSUM, count })));
}

/* 8.3.2: the optional payload is summed too */
TEST_F(checksum, optional_payload)
{
	__u8 bytes[HDR_LEN + OPTIONAL_LEN];
	struct vc *vc = self->vc;
	struct op op = slots_op(vc), response;

	memset(bytes, 0x5a, sizeof(bytes));
	op_to_wire(&op, bytes);
	cksum_set(bytes, sizeof(bytes));
	ASSERT_TRUE(peer_send_raw(vc->peer, 0, bytes, sizeof(bytes)));
	vc->sent++;
	ASSERT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &response));
	EXPECT_EQ(op.sync, response.sync);
	bytes[sizeof(bytes) - 1] ^= 1;
	ASSERT_TRUE(peer_send_raw(vc->peer, 0, bytes, sizeof(bytes)));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_CKSUM, 1 })));
}

/* 8.3.1: if the sum is x'0000', x'FFFF' is sent, and accepted */
TEST_F(checksum, never_zero)
{
	struct vc *vc = self->vc;
	struct op op = vc_to(vc, REQUEST_STATE, 0), response;
	__u8 bytes[HDR_LEN];

	op.d_id = NO_ID;
	op_to_wire(&op, bytes);
	op.sync = cksum_of(bytes, HDR_LEN);
	op_to_wire(&op, bytes);
	ASSERT_EQ(0xffff, cksum_of(bytes, HDR_LEN));
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &response));

	response.sync = 0;
	response.cksum = 0;
	op_to_wire(&response, bytes);
	op.sync = cksum_of(bytes, HDR_LEN);
	ASSERT_TRUE(vc_send(vc, &op));
	ASSERT_TRUE(vc_read(vc, REQUEST_STATE_RESPONSE, &response));
	EXPECT_EQ(0xffff, response.cksum);
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/**
 * struct segment - a part of a Block whose Cksum is in its last operation
 * @len: bytes of each Data operation
 * @count: how many there are
 * @last: the Block ends with it
 */
struct segment {
	size_t	len[3];
	int	count;
	bool	last;
};

static bool send_segment(struct vc *vc, const struct op *cts, const struct segment *seg,
			 const __u8 *bytes, __u16 *stu_num, size_t *at, __u16 damage)
{
	static __u8 all[3 * HDR_LEN + T_LEN];
	size_t len = 0, place = *at;
	struct op op[3];
	int i;

	for (i = 0; i < seg->count; i++) {
		bool end = i == seg->count - 1;

		op[i] = vc_stu(vc, cts, *stu_num + i, place, end && seg->last ? F_LAST : 0);
		op_to_wire(&op[i], all + len);
		memcpy(all + len + HDR_LEN, bytes + place, seg->len[i]);
		len += HDR_LEN + seg->len[i];
		place += seg->len[i];
	}
	vc->peer->plain = true;
	op[seg->count - 1].cksum = cksum_of(all, len) ^ damage;
	for (i = 0; i < seg->count; i++) {
		if (!vc_send_data(vc, &op[i], bytes + *at, seg->len[i]))
			return false;
		*at += seg->len[i];
	}
	*stu_num += seg->count;
	vc->peer->plain = false;
	return true;
}

/* 8.3.2, 8.3.4: segments of several Data operations, sums in some without bytes */
TEST_F(checksum, segments)
{
	static const struct segment segs[] = {
		{ { 257, 100, 0 }, 3, false },
		{ { 1, 2, 3 }, 3, false },
		{ { 0 }, 1, false },
		{ { 638, 0 }, 2, true },
	};
	struct vc *vc = self->vc;
	__u16 stu_num = 0;
	struct op cts;
	unsigned int i;
	size_t at = 0;

	ASSERT_TRUE(vc_write(vc, I_ID, T_LEN, MAX_BLOCK, &cts));
	for (i = 0; i < ARRAY_SIZE(segs); i++)
		ASSERT_TRUE(send_segment(vc, &cts, &segs[i], self->out, &stu_num, &at, 0));
	EXPECT_EQ(T_LEN, at);
	EXPECT_TRUE(received(vc->fd, self->in));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

/* 10.4, 10.7.8: a wrong sum in any segment: the Block is requested again */
TEST_F(checksum, damaged_segments)
{
	static const struct segment segs[] = {
		{ { 300, 200, 0 }, 3, false },
		{ { 501, 0 }, 2, true },
	};
	struct vc *vc = self->vc;
	struct op cts, again;
	unsigned int wrong, i;

	ASSERT_TRUE(vc_write(vc, I_ID, T_LEN, MAX_BLOCK, &cts));
	for (wrong = 0; wrong <= ARRAY_SIZE(segs); wrong++) {
		__u16 stu_num = 0;
		size_t at = 0;

		for (i = 0; i < ARRAY_SIZE(segs) && i <= wrong; i++)
			ASSERT_TRUE(send_segment(vc, &cts, &segs[i], self->out, &stu_num, &at,
						 i == wrong ? 0x0100 : 0));
		if (wrong == ARRAY_SIZE(segs))
			break;
		ASSERT_TRUE(vc_read(vc, CLEAR_TO_SEND, &again));
		EXPECT_NE(cts.b_id, again.b_id);
		cts.b_id = again.b_id;
		EXPECT_TRUE(op_is(&again, &cts));
		EXPECT_TRUE(logged(vc->fd, &self->before, LOGGED({ ST_ERR_CKSUM, wrong + 1 })));
	}
	EXPECT_TRUE(received(vc->fd, self->in));
	EXPECT_TRUE(vc_quiet(vc));
}

/* 10.4: it is also discarded if there is no addressee */
TEST_F(checksum, wrong_for_nobody)
{
	long long cksum = errors_without_port(A, ST_A_ERRORS_CKSUM);
	long long port = errors_without_port(A, ST_A_ERRORS_INVALID_PORT);
	struct vc *vc = self->vc;
	struct op op = slots_op(vc);

	op.d_port = 2;
	op.cksum = 0x1234;
	ASSERT_TRUE(vc_send(vc, &op));
	EXPECT_TRUE(vc_quiet(vc));
	EXPECT_TRUE(counter_reaches(errors_without_port, A, ST_A_ERRORS_CKSUM, cksum + 1));
	EXPECT_TRUE(counter_reaches(errors_without_port, A, ST_A_ERRORS_INVALID_PORT, port));
	EXPECT_TRUE(logged(vc->fd, &self->before, NOTHING));
}

TEST_HARNESS_MAIN
