// SPDX-License-Identifier: GPL-2.0
/*
 * viplbench - programs of VI Architecture, by libvipl
 *
 * usage: viplbench -l
 *        viplbench WHAT rd|rr ADDRESS SIZE COUNT
 *
 * The first form serves all clients at the first port of Fibre Channel of its network namespace,
 * one after the other.  rd is Reliable Delivery, rr Reliable Reception.  ADDRESS is the server's
 * IPv4 address, and WHAT is
 *
 * send         send COUNT Messages of SIZE bytes, and wait until the far end has them
 * write        the same by RDMA Writes
 * turn         send a Message and wait for another
 * write-polled RDMA Write of a Message, and one back; both ends poll their memory
 * read         RDMA Read
 *
 * The first two print bytes per second, the others the median of the times in nanoseconds.  The
 * first and last words of each Message are checked, and all bytes of the last ones in each slot of
 * memory.
 */
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../st/args.h"
#include "sock.h"
#include "vipl_end.h"

#define SECONDS_MAX	300	/* of a client, which would hang if the far end were gone */
#define WORD		sizeof(uint64_t)
#define CREDITS		6	/* credits, and what follows them, that are not heard at once */

enum { SEND, WRITE, SEND_TURN, WRITE_TURN, READ_TURN, NR_WISHES, CREDIT, ARRIVED, GOOD, BAD };

static const char *const names[] = {
	[SEND] = "send", [WRITE] = "write", [SEND_TURN] = "turn",
	[WRITE_TURN] = "write-polled", [READ_TURN] = "read",
};

static void tell(struct end *e, uint32_t what, uint64_t number)
{
	const struct note note = { .what = what };

	end_tell(e, &note, number);
}

static void must_hear(struct end *e, uint32_t what)
{
	const struct note *note;

	/* Credits for what needs none any more */
	do
		note = end_hear(e);
	while (note->what == CREDIT);
	if (note->what != what)
		errx(EXIT_BROKEN, "the data that have arrived are not those that were sent");
}

/* The Messages that were the last in their slots */
static bool all_slots(struct end *e, uint64_t count)
{
	uint64_t i = count > e->slots ? count - e->slots : 0;

	for (; i < count; i++)
		if (!slot_is(e, i % e->slots, i % e->slots, i + 1))
			return false;
	return true;
}

static void await_credit(struct end *e, uint64_t *credit)
{
	const struct note *note = end_hear(e);

	if (note->what != CREDIT)
		errx(EXIT_BROKEN, "the far end has not taken what was sent");
	*credit = note->number;
	end_expect(e);
}

/* A slot is used again when its Message is complete, and by a Send when the far end has room. */
static uint64_t bulk(struct end *e, const struct note *wish)
{
	uint64_t count = wish->count, credit = 0, start, ns, i;
	VIP_UINT16 control = VIP_CONTROL_OP_SENDRECV;
	unsigned int slot;

	for (slot = 0; slot < e->slots; slot++)
		slot_fill(e, slot);
	for (i = 0; i < CREDITS; i++)
		end_expect(e);
	start = now_ns();
	for (i = 0; i < count; i++) {
		slot = i % e->slots;
		while (wish->what == SEND && i - credit >= e->slots)
			await_credit(e, &credit);
		if (i >= e->slots)
			end_sent(e);
		slot_stamp(e, slot, i + 1);
		if (wish->what == WRITE)
			control = VIP_CONTROL_OP_RDMAWRITE |
				  (i == count - 1 ? VIP_CONTROL_IMMEDIATE : 0);
		end_post(e, slot, control, slot);
	}
	for (i = count > e->slots ? count - e->slots : 0; i < count; i++)
		end_sent(e);
	must_hear(e, ARRIVED);
	ns = now_ns() - start;
	must_hear(e, GOOD);
	return (double)wish->size * count * 1e9 / ns;
}

static bool serve_sends(struct end *e, uint64_t count)
{
	bool good = true;
	uint64_t i;

	for (i = 0; i < count; i++) {
		end_received(e, e->size);
		good &= slot_stamped(e, i % e->slots, i + 1);
		if (i + e->slots < count)
			end_post_recv(e, i % e->slots);
		if (!((i + 1) % (e->slots / 2)))
			tell(e, CREDIT, i + 1);
	}
	tell(e, ARRIVED, count);
	return good && all_slots(e, count);
}

static bool serve_writes(struct end *e, uint64_t count)
{
	end_hear(e);
	tell(e, ARRIVED, count);
	return all_slots(e, count);
}

/* Slot 0 is sent or written, slot 1 is where the far end's arrives. */
struct turns {
	struct end *end;
	const struct note *wish;
};

static bool send_turn(void *arg, uint64_t number)
{
	const struct turns *t = arg;
	struct end *e = t->end;

	end_post_recv(e, 1);
	if (number == t->wish->count) {
		end_expect(e);
		end_expect(e);
	}
	slot_stamp(e, 0, number);
	end_post(e, 0, VIP_CONTROL_OP_SENDRECV, 0);
	end_sent(e);
	end_received(e, e->size);
	return slot_stamped(e, 1, number);
}

static bool serve_send_turns(struct end *e, uint64_t count)
{
	bool good = true;
	uint64_t i;

	for (i = 1; i <= count; i++) {
		end_received(e, e->size);
		good &= slot_stamped(e, 1, i);
		if (i < count)
			end_post_recv(e, 1);
		slot_stamp(e, 0, i);
		end_post(e, 0, VIP_CONTROL_OP_SENDRECV, 0);
		end_sent(e);
	}
	return good;
}

static void write_number(struct end *e, uint64_t number)
{
	slot_stamp(e, 0, number);
	end_post(e, 0, VIP_CONTROL_OP_RDMAWRITE, 1);
	end_sent(e);
}

/* Both ends share a CPU: an end that polls in vain yields to the other one. */
static void poll_number(struct end *e, uint64_t number)
{
	while (__atomic_load_n(slot_last(e, 1), __ATOMIC_ACQUIRE) != number)
		sched_yield();
}

static bool write_turn(void *arg, uint64_t number)
{
	const struct turns *t = arg;

	write_number(t->end, number);
	poll_number(t->end, number);
	return slot_stamped(t->end, 1, number);
}

static bool serve_write_turns(struct end *e, uint64_t count)
{
	bool good = true;
	uint64_t i;

	for (i = 1; i <= count; i++) {
		poll_number(e, i);
		good &= slot_stamped(e, 1, i);
		write_number(e, i);
	}
	return good;
}

static bool read_turn(void *arg, uint64_t number)
{
	const struct turns *t = arg;

	(void)number;
	slot_stamp(t->end, 1, 0);
	end_post(t->end, 1, VIP_CONTROL_OP_RDMAREAD, 0);
	end_sent(t->end);
	return slot_stamped(t->end, 1, t->wish->count);
}

static uint64_t turns(struct end *e, const struct note *wish)
{
	static bool (*const steps[])(void *arg, uint64_t number) = {
		[SEND_TURN] = send_turn, [WRITE_TURN] = write_turn, [READ_TURN] = read_turn,
	};
	struct turns t = { .end = e, .wish = wish };
	uint64_t ns;

	slot_fill(e, 0);
	if (wish->what != SEND_TURN) {
		end_expect(e);
		end_expect(e);
	}
	ns = median_ns(wish->count, steps[wish->what], &t);
	if (!slot_is(e, 1, 0, wish->count))
		errx(EXIT_BROKEN, "the data that have arrived are not those of the far end");
	if (wish->what == READ_TURN)
		tell(e, ARRIVED, wish->count);
	must_hear(e, ARRIVED);
	must_hear(e, GOOD);
	return ns;
}

static bool serve_turns(struct end *e, const struct note *wish)
{
	bool good;

	if (wish->what == SEND_TURN)
		good = serve_send_turns(e, wish->count);
	else if (wish->what == WRITE_TURN)
		good = serve_write_turns(e, wish->count);
	else
		good = end_hear(e)->what == ARRIVED;
	tell(e, ARRIVED, wish->count);
	return good && (wish->what == READ_TURN || slot_is(e, 1, 0, wish->count));
}

/* What the client needs before it begins */
static void prepare(struct end *e, const struct note *wish)
{
	unsigned int slot;

	end_memory(e, wish->size);
	slot_fill(e, 0);
	slot_stamp(e, 0, wish->count);
	if (wish->what == SEND)
		for (slot = 0; slot < e->slots; slot++)
			end_post_recv(e, slot);
	else if (wish->what == SEND_TURN)
		end_post_recv(e, 1);
	else
		end_expect(e);
}

static void serve_client(struct end *e)
{
	struct note wish;
	bool good;

	end_serve(e);
	wish = *end_hear(e);
	if (wish.what >= NR_WISHES || !wish.count || !wish.size || wish.size > SIZE_MAX_BYTES ||
	    wish.size % WORD)
		errx(EXIT_BROKEN, "no such measurement");
	prepare(e, &wish);
	e->theirs = wish;
	tell(e, wish.what, 0);
	if (wish.what == SEND)
		good = serve_sends(e, wish.count);
	else if (wish.what == WRITE)
		good = serve_writes(e, wish.count);
	else
		good = serve_turns(e, &wish);
	end_expect(e);
	tell(e, good ? GOOD : BAD, wish.count);
	while (!end_is_over(e))
		;
	end_close(e);
}

static uint64_t measure(struct end *e, struct note *wish)
{
	end_memory(e, wish->size);
	end_tell(e, wish, 0);
	e->theirs = *end_hear(e);
	return wish->what == SEND || wish->what == WRITE ? bulk(e, wish) : turns(e, wish);
}

static uint32_t wish_named(const char *name)
{
	uint32_t what;

	for (what = 0; what < NR_WISHES; what++)
		if (!strcmp(names[what], name))
			return what;
	misused("'%s' is nothing that can be measured", name);
}

static VIP_RELIABILITY_LEVEL level_named(const char *name)
{
	if (!strcmp(name, "rd"))
		return VIP_SERVICE_RELIABLE_DELIVERY;
	if (!strcmp(name, "rr"))
		return VIP_SERVICE_RELIABLE_RECEPTION;
	misused("'%s' is no reliability level: expected rd or rr", name);
}

int main(int argc, char **argv)
{
	VIP_RELIABILITY_LEVEL level;
	struct note wish = {};
	struct end e;

	if (argc == 2 && !strcmp(argv[1], "-l")) {
		end_open(&e);
		end_listen(&e);
		printf("listening\n");
		fflush(stdout);
		for (;;)
			serve_client(&e);
	}
	if (argc != 6)
		errx(EXIT_USAGE, "usage: viplbench -l\n"
		     "       viplbench WHAT rd|rr ADDRESS SIZE COUNT");
	wish.what = wish_named(argv[1]);
	level = level_named(argv[2]);
	wish.size = parse_number("size", argv[4], WORD, SIZE_MAX_BYTES) / WORD * WORD;
	wish.count = parse_number("count", argv[5], 1, COUNT_MAX);
	alarm(SECONDS_MAX);
	end_open(&e);
	end_connect(&e, argv[3], level);
	printf("%ju\n", (uintmax_t)measure(&e, &wish));
	end_close(&e);
	return 0;
}
