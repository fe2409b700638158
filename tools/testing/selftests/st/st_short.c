// SPDX-License-Identifier: GPL-2.0
/*
 * Short records between two AF_STs, sent without a Write sequence, see
 * Documentation/networking/st.rst, "Short records"; mixed with long ones.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "common.h"

enum { MAX = 1024, LONGEST = 2500, MANY = 3000 };

FIXTURE(brief)
{
	int	fds[2];
	char	buf[LONGEST];
};

FIXTURE_SETUP(brief)
{
	ASSERT_TRUE(set_up());
	ASSERT_TRUE(new_pair(self->fds));
}

FIXTURE_TEARDOWN(brief)
{
	close(self->fds[A]);
	close(self->fds[B]);
}

/**
 * struct mix - a thread that sends or receives records of random lengths
 * @fd: connection
 * @seed: seed of the lengths
 * @done: number of records transferred
 * @error: errno of the failed one, or 0
 * @thread: the thread
 */
struct mix {
	int		fd;
	unsigned int	seed;
	unsigned int	done;
	int		error;
	pthread_t	thread;
};

/* Half of them are a few bytes long. */
static size_t next_len(unsigned int *seed)
{
	unsigned int n = rand_r(seed);

	return n % (n & 0x10000 ? LONGEST : 100);
}

/* Three of four do not wait. */
static bool send_one(struct mix *mix, const char *buf, size_t len, unsigned int *flags)
{
	while (send(mix->fd, buf, len, rand_r(flags) % 4 ? MSG_DONTWAIT : 0) != (ssize_t)len) {
		if (errno == EAGAIN && poll_for(mix->fd, POLLOUT, 6 * SOON_MS) & POLLOUT)
			continue;
		mix->error = errno;
		return false;
	}
	return true;
}

static void *send_mix(void *arg)
{
	struct mix *mix = arg;
	unsigned int lens = mix->seed, flags = ~mix->seed;
	char buf[LONGEST];
	size_t len;

	while (mix->done < MANY) {
		len = next_len(&lens);
		fill(buf, len, mix->done, 0);
		if (!send_one(mix, buf, len, &flags))
			break;
		__atomic_add_fetch(&mix->done, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/* Everything arrives, in order. */
static void *receive_mix(void *arg)
{
	struct mix *mix = arg;
	unsigned int lens = mix->seed;
	char buf[LONGEST];
	size_t len;

	for (; mix->done < MANY; mix->done++) {
		len = next_len(&lens);
		if (recv_record(mix->fd, buf, LONGEST) != (ssize_t)len ||
		    !is_filled(buf, len, mix->done, 0)) {
			mix->error = errno;
			break;
		}
	}
	return NULL;
}

/* Losses are detected soon, and as often as necessary. */
static bool quick_timeouts(void)
{
	int i;

	for (i = A; i <= B; i++)
		if (!sysctl_set(i, "max_retry", 255) || !sysctl_set(i, "op_timeout_min_ms", 10) ||
		    !sysctl_set(i, "op_timeout_ms", 100))
			return false;
	return true;
}

static bool mix_start(struct mix mixes[2], const int fds[2])
{
	int i;

	mixes[A] = (struct mix) {};
	if (getrandom(&mixes[A].seed, sizeof(mixes[A].seed), 0) < 0)
		return fail("getrandom");
	fprintf(stderr, "# seed %u\n", mixes[A].seed);
	mixes[B] = mixes[A];
	for (i = A; i <= B; i++) {
		mixes[i].fd = fds[i];
		if (pthread_create(&mixes[i].thread, NULL, i == A ? send_mix : receive_mix,
				   &mixes[i]))
			return fail("thread");
	}
	return true;
}

static bool mix_ends(struct mix mixes[2])
{
	bool ok = true;
	int i;

	for (i = A; i <= B; i++) {
		pthread_join(mixes[i].thread, NULL);
		if (mixes[i].done == MANY)
			continue;
		fprintf(stderr, "# %s: %u of %u: %s\n", i == A ? "sent" : "received",
			mixes[i].done, MANY, strerror(mixes[i].error));
		ok = false;
	}
	return ok;
}

/* There and back; all of them are short ones. */
TEST_F(brief, there_and_back)
{
	static const size_t lens[] = { 1, 7, 64, 255, 256, 1023, MAX };
	unsigned int i, j;

	for (i = 0; i < 20 * ARRAY_SIZE(lens); i++) {
		for (j = A; j <= B; j++) {
			size_t len = lens[i % ARRAY_SIZE(lens)];

			fill(self->buf, len, i, 0);
			ASSERT_EQ((ssize_t)len, send(self->fds[j], self->buf, len, 0));
			memset(self->buf, 0, len);
			ASSERT_EQ((ssize_t)len, recv_record(self->fds[!j], self->buf, LONGEST));
			ASSERT_TRUE(is_filled(self->buf, len, i, 0));
		}
	}
	for (j = A; j <= B; j++) {
		EXPECT_EQ(i, get_info(self->fds[j]).tx_short);
		EXPECT_EQ(i, get_info(self->fds[j]).rx_short);
		EXPECT_EQ(i, get_info(self->fds[j]).tx_transfers);
		EXPECT_EQ(i, get_info(self->fds[j]).rx_transfers);
	}
	/* One byte more is too long, and an empty record is no short record. */
	EXPECT_EQ(MAX + 1, send(self->fds[A], self->buf, MAX + 1, MSG_DONTWAIT));
	EXPECT_EQ(0, send(self->fds[A], self->buf, 0, MSG_DONTWAIT));
	EXPECT_EQ(MAX + 1, recv_record(self->fds[B], self->buf, LONGEST));
	EXPECT_EQ(0, recv_record(self->fds[B], self->buf, LONGEST));
	EXPECT_EQ(i, get_info(self->fds[A]).tx_short);
	EXPECT_EQ(i, get_info(self->fds[B]).rx_short);
}

/* Short ones and others */
TEST_F_TIMEOUT(brief, mixed, 300)
{
	struct mix mixes[2];
	struct st_info info;

	ASSERT_TRUE(quick_timeouts());
	ASSERT_TRUE(mix_start(mixes, self->fds));
	EXPECT_TRUE(mix_ends(mixes));
	info = get_info(self->fds[B]);
	EXPECT_EQ(MANY, info.rx_transfers);
	EXPECT_LT(0, info.rx_short);
	EXPECT_GT(MANY, info.rx_short);
}

/* Records in flight are lost when a device goes down. */
TEST_F_TIMEOUT(brief, mixed_while_devices_go_and_come, 300)
{
	struct mix mixes[2];
	struct st_info info;

	ASSERT_TRUE(quick_timeouts());
	ASSERT_TRUE(mix_start(mixes, self->fds));
	ASSERT_TRUE(links_come_and_go(&mixes[B].done, 100));
	EXPECT_TRUE(mix_ends(mixes));
	info = get_info(self->fds[A]);
	EXPECT_LT(0, info.op_retries + info.block_retries);
	EXPECT_LT(0, info.tx_short);
}

/* Nothing is read until no more is accepted: then everything accepted arrives. */
TEST_F(brief, no_room)
{
	unsigned int sent, i;

	for (sent = 0; sent < 100000; sent++) {
		fill(self->buf, 100, sent, 0);
		if (send(self->fds[A], self->buf, 100, MSG_DONTWAIT) != 100)
			break;
	}
	EXPECT_EQ(EAGAIN, errno);
	for (i = 0; i < sent; i++) {
		ASSERT_EQ(100, recv_record(self->fds[B], self->buf, LONGEST));
		ASSERT_TRUE(is_filled(self->buf, 100, i, 0));
	}
	EXPECT_EQ(0, poll_for(self->fds[B], POLLIN, BRIEF_MS));
}

/* Either end may refuse them. */
TEST_F(brief, not_wanted)
{
	int fds[2], i;

	for (i = A; i <= B; i++) {
		ASSERT_TRUE(sysctl_set(i, "short_records", 0));
		ASSERT_TRUE(new_pair(fds));
		ASSERT_TRUE(sysctl_set(i, "short_records", 1));
		fill(self->buf, 10, i, 0);
		EXPECT_EQ(10, send(fds[A], self->buf, 10, MSG_DONTWAIT));
		memset(self->buf, 0, 10);
		EXPECT_EQ(10, recv_record(fds[B], self->buf, LONGEST));
		EXPECT_TRUE(is_filled(self->buf, 10, i, 0));
		EXPECT_EQ(0, get_info(fds[B]).rx_short);
		close(fds[A]);
		close(fds[B]);
	}
}

TEST_HARNESS_MAIN
