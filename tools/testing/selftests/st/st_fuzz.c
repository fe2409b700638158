// SPDX-License-Identifier: GPL-2.0
/*
 * Random operations and sequences, correct, wrong and mixed, to sockets in use,
 * while another connection must not be affected.
 *
 * The seed determines what is sent; the time of its arrival, and so the
 * answers, depend on the machine, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define SOCKET_KIB	1024	/* with SO_RCVBUF, SO_SNDBUF by half again, and a Block */
#define MEMORY_KIB	(32 << 10)	/* for memory other than sockets */
#define KEPT_KIB	(32 << 10)	/* tolerated growth of caches at the end */
#define GONE_MS		90000
#define OP_TIMEOUT_MS	300
#define MAX_RETRY	40	/* with that time, more than a slow machine needs for any step */

static void close_socket(struct fuzz *f, int i)
{
	if (f->socket[i] >= 0)
		close(f->socket[i]);
	f->socket[i] = -1;
}

/* A new Virtual Connection, from either end */
static bool call(struct fuzz *f)
{
	int i = below(f, LINES);
	struct sockaddr_st to;
	struct op op;

	close_socket(f, i);
	f->line[i] = vc_new(&f->peer);
	f->line[i].bufsize = 8 + below(f, 25);
	f->line[i].max_stu = 8 + below(f, f->line[i].bufsize < 15 ? f->line[i].bufsize - 7 : 8);
	f->line[i].slots = one_in(f, 4) ? value(f) : 100;
	f->line[i].flags = one_in(f, 8) ? 0 : F_OUT_OF_ORDER;
	f->shorts[i] = 0;
	if (one_in(f, 2)) {
		op = vc_request(&f->line[i], port_of(f->listener));
		return say(f, &op, 0);
	}
	to = peer_address(&f->peer, f->line[i].port);
	f->socket[i] = new_socket(A, SOCK_NONBLOCK);
	connect_to(f->socket[i], &to);
	return f->socket[i] >= 0;
}

/* Actions of the users of the sockets */
static void use_sockets(struct fuzz *f)
{
	int i = below(f, LINES), fd;
	__u8 in[LONGEST];

	switch (below(f, 8)) {
	case 0:
		fd = accept4(f->listener, NULL, NULL, SOCK_NONBLOCK);
		if (fd < 0)
			break;
		close_socket(f, i);
		f->socket[i] = fd;
		break;
	case 1:
	case 2:
	case 3:
		send(f->socket[i], f->junk, below(f, LONGEST), MSG_DONTWAIT | MSG_NOSIGNAL);
		break;
	case 4:
		if (one_in(f, 16))
			shutdown(f->socket[i], SHUT_WR);
		break;
	case 5:
		if (one_in(f, 16))
			close_socket(f, i);
		break;
	default:
		recv(f->socket[i], in, below(f, LONGEST), MSG_DONTWAIT);
	}
}

static bool step(struct fuzz *f)
{
	switch (below(f, 32)) {
	case 0:
		return !one_in(f, 4) || call(f);
	case 1:
		return say_bytes(f);
	case 2:
	case 3:
	case 4:
		return say_almost(f);
	case 5:
		return one_in(f, 2) ? announce(f) : say_short(f);
	case 6:
		return !one_in(f, 8) || hang_up(f);
	case 7:
	case 8:
	case 9:
	case 10:
	case 11:
	case 12:
		return say_anything(f);
	default:
		use_sockets(f);
		return true;
	}
}

/* The unaffected connection */
static void *run_pair(void *arg)
{
	struct fuzz *f = arg;

	while (!__atomic_load_n(&f->stop, __ATOMIC_RELAXED)) {
		if (!pair_works(f->pair)) {
			f->harmed = true;
			break;
		}
		f->records += 2;
	}
	return NULL;
}

/* A number behind a word in a file, or -1 */
static long number_of(const char *path, const char *word)
{
	char line[128];
	long n = -1;
	FILE *f = fopen(path, "re");

	if (!f)
		return -1;
	while (n < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, word, strlen(word)))
			n = strtol(line + strlen(word), NULL, 10);
	fclose(f);
	return n;
}

/* Pages that are free and that a CPU keeps for itself: on several CPUs, many of them */
static long kept_by_cpus(void)
{
	unsigned long pages = 0, n;
	char line[128];
	FILE *f = fopen("/proc/zoneinfo", "re");

	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, " count: %lu", &n) == 1)
			pages += n;
	fclose(f);
	return pages * (sysconf(_SC_PAGESIZE) >> 10);
}

/* KiB of memory left to the kernel; memory of this program itself does not count */
static long available(void)
{
	return number_of("/proc/meminfo", "MemAvailable:") + kept_by_cpus() +
	       number_of("/proc/self/status", "VmRSS:");
}

/* Each socket holds its module. */
static long sockets(void)
{
	return number_of("/sys/module/af_st/refcnt", "");
}

/* Checks that all but this number of sockets disappear, without answers */
static bool all_gone(struct fuzz *f, long before)
{
	long long end = now_ms() + GONE_MS;
	struct msg *msg;
	int data;

	while (sockets() > before && now_ms() < end)
		for (data = 0; data < 2; data++)
			while ((msg = peer_next(&f->peer, data, 10)))
				free(msg);
	if (sockets() > before)
		printf("# %ld sockets, %ld at first\n", sockets(), before);
	return sockets() <= before;
}

static bool set_up_fuzz(struct fuzz *f)
{
	int i;

	fill_junk(f);
	for (i = 0; i < LINES; i++)
		f->socket[i] = -1;
	if (!set_up() || !peer_open(&f->peer) || !new_pair(f->pair))
		return false;
	for (i = 0; i < 2; i++)
		if (!set_timeout(f->pair[i], SO_RCVTIMEO, LONG_MS) ||
		    !set_timeout(f->pair[i], SO_SNDTIMEO, LONG_MS))
			return false;
	return pair_works(f->pair);
}

/* Runs for this time; returns true if the pair is not affected. */
static bool attack(struct fuzz *f, long long ms, long before)
{
	long long end = now_ms() + ms;
	unsigned int steps;
	pthread_t thread;
	bool ok = true;

	f->stop = false;
	if (pthread_create(&thread, NULL, run_pair, f))
		return false;
	for (steps = 1; ok && !f->harmed && now_ms() < end; steps++) {
		ok = step(f) && listen_and_answer(f);
		if (steps % 256)
			continue;
		if (available() < f->least)
			f->least = available();
		if (sockets() - before > f->most)
			f->most = sockets() - before;
	}
	f->steps += steps;
	__atomic_store_n(&f->stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	return ok && !f->harmed && pair_works(f->pair);
}

/* A run that leaves no sockets but those of the pair */
static bool attack_and_leave(struct fuzz *f, long long ms)
{
	long before = sockets();
	bool ok = true;
	int i;

	if (!sysctl_set(A, "op_timeout_ms", OP_TIMEOUT_MS) ||
	    !sysctl_set(A, "max_retry", MAX_RETRY))
		return false;
	f->listener = new_listener(A, 4);
	if (f->listener < 0 || fcntl(f->listener, F_SETFL, O_NONBLOCK))
		return false;
	for (i = 0; i < LINES; i++)
		ok &= call(f);
	ok = ok && attack(f, ms, before);

	/* Leftover connections end soon */
	ok &= sysctl_set(A, "op_timeout_ms", 10) && sysctl_set(A, "max_retry", 3);
	for (i = 0; i < LINES; i++)
		close_socket(f, i);
	close(f->listener);
	f->left |= !all_gone(f, before);
	return ok;
}

static int result(int number, bool ok, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", number, what);
	return !ok;
}

static int run(struct fuzz *f, long seconds)
{
	long memory, after;
	int failed;
	bool ok;

	if (!set_up_fuzz(f))
		return 1;
	/* Permanent allocations are done after the first part. */
	ok = attack_and_leave(f, 1000 * seconds / 8);
	memory = available();
	f->least = memory;
	ok = ok && attack_and_leave(f, 1000 * seconds * 7 / 8);
	after = available();

	printf("# fuzz: %u steps, %llu operations sent, %llu received, %u records beside them\n",
	       f->steps, f->sent, f->received, f->records);
	printf("# fuzz: %ld sockets and %ld KiB in use at most, %ld KiB after\n", f->most,
	       memory - f->least, memory - after);
	if (f->peer.wrong[0])
		printf("# %s\n", f->peer.wrong);
	failed = result(1, ok && f->records, "another connection is unharmed");
	failed |= result(2, !f->peer.wrong[0], "whatever is sent is a legal operation");
	failed |= result(3, !f->left, "no socket is left");
	failed |= result(4, memory - f->least < f->most * SOCKET_KIB + MEMORY_KIB &&
			 memory - after < KEPT_KIB, "memory is bounded");
	printf("1..4\n");
	close(f->pair[A]);
	close(f->pair[B]);
	peer_close(&f->peer);
	return failed;
}

int main(int argc, char **argv)
{
	static struct fuzz f;
	long seconds = 20;

	return random_options(argc, argv, "fuzz", &seconds, &f.rnd) ? run(&f, seconds) : 2;
}
