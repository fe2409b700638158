/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A port that sends Messages to nowhere: they are written down as a line of text.
 */
#ifndef _FCVI_TESTS_SENDS_H
#define _FCVI_TESTS_SENDS_H

#include "sched.h"
#include "state.h"

/* Bytes of payload of a frame */
#define TEST_ROOM	16

struct test_mx {
	struct fcvi_mx	mx;
	bool		open;
	struct fcvi_iu	iu;
};

/**
 * struct test_tx - a port with endpoints that are Connected
 * @p: the port
 * @test: the test
 * @desc: Descriptors, which are called A, B, C ... in the log
 * @nr: how many were posted
 * @mx: Exchanges, in the order in which they were opened
 * @nr_mx: how many
 * @room: bytes of payload of a frame
 * @full: the device takes no frame
 * @no_open: no Exchange is to be had
 * @fail_at: number of the frame, from the next one on, from 1, that fails; 0: none
 * @fill_err: making it fails with that
 * @send_err: sending it fails with that
 * @data_err: the memory of data that come is gone
 * @again: the Descriptor that is posted when one is complete, or NULL
 * @later: how often the rest was left to others
 * @frames: how many frames were sent
 * @quiet: they are not written down
 * @cs_ctl: CS_CTL of the last one
 * @flags: enum fc2_send_flags of it
 * @iu: Device_Header of it
 */
struct test_tx {
	struct test_port	*p;
	struct kunit		*test;
	struct fcvi_desc	desc[26];
	unsigned int		nr;
	struct test_mx		mx[64];
	unsigned int		nr_mx;
	unsigned int		room;
	bool			full;
	bool			no_open;
	unsigned int		fail_at;
	int			fill_err;
	int			send_err;
	int			data_err;
	struct fcvi_desc	*again;
	unsigned int		later;
	unsigned int		frames;
	bool			quiet;
	u8			cs_ctl;
	u8			flags;
	struct fcvi_iu		iu;
};

struct test_tx *test_tx_idle(struct kunit *test, enum fcvi_level level);
struct test_tx *test_tx(struct kunit *test, enum fcvi_level level);
void test_tx_end(struct test_tx *t);
void test_tx_log(struct test_tx *t, const char *log);
struct fcvi_desc *test_post_send(struct test_tx *t, enum fcvi_op op, u8 flags, u32 len);
void test_answer(struct test_tx *t, unsigned int nr, u8 flags);
void test_data(struct test_tx *t, unsigned int nr, u32 offset, u32 len, u8 flags);
void test_in(struct test_tx *t, unsigned int nr, const struct fcvi_iu *iu, u32 offset, u32 len,
	     u8 flags);
struct fcvi_iu test_header(struct test_tx *t, unsigned int nr);
void test_over(struct test_tx *t, unsigned int nr, int err);

#endif
