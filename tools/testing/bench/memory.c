// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>

#include "../selftests/st/region.h"
#include "memory.h"

#define ALL	(ST_REGION_PUT | ST_REGION_GET | ST_REGION_FETCHOP)

/* @mine is the memory that the other end uses; @theirs is the handle of its region. */
struct window {
	int fd;
	uint32_t what;
	long theirs;
	size_t size;
	char *mine;
	char *data;
};

static uint32_t pinned;	/* handle of the region of memory_pin() */

void memory_pin(int fd, char *buf, size_t size)
{
	long region = region_expose(fd, buf, size, 0);

	if (region < 0)
		err(EXIT_BROKEN, "cannot pin %zu bytes", size);
	pinned = region;
}

bool memory_send(int fd, const char *buf, size_t size)
{
	const struct st_send_from from = { .region = pinned, .len = size };

	(void)buf;
	return region_op(fd, ST_SEND_FROM, &from, sizeof(from), NULL, 0, 0) == (ssize_t)size;
}

static bool lend(struct window *w, int fd, const struct wish *wish)
{
	if (wish->size < sizeof(uint64_t))
		return false;
	w->fd = fd;
	w->what = wish->what;
	w->size = wish->size;
	w->mine = buffer(wish->size);
	w->data = buffer(wish->size);
	if (w->what == PUT_EVENT && region_option(fd, ST_REGION_EVENTS, ST_REGION_EV_PUT))
		return false;
	return region_expose(fd, w->mine, w->size, ALL) >= 0;
}

static bool borrow(struct window *w)
{
	w->theirs = region_request(w->fd, w->size, 0);
	return w->theirs >= 0;
}

static uint64_t *last_word(char *mem, size_t size)
{
	return (uint64_t *)(mem + size - sizeof(uint64_t));
}

static bool put_number(struct window *w, uint64_t number)
{
	unsigned int flags = w->what == PUT_EVENT ? ST_PUT_SILENT | ST_PUT_INTERRUPT : 0;

	*last_word(w->data, w->size) = number;
	return region_put(w->fd, w->theirs, 0, w->data, w->size, flags) == (ssize_t)w->size;
}

static bool event_of_put(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLPRI };
	struct st_event event;

	return poll(&poller, 1, -1) == 1 && !region_event(fd, &event) &&
	       event.type == ST_EVENT_PUT;
}

/* Waits until @number has been put into our memory.  Both ends share a CPU: an end that
 * polls in vain yields to the other one.
 */
static bool wait_number(struct window *w, uint64_t number)
{
	const uint64_t *word = last_word(w->mine, w->size);

	if (w->what == PUT_EVENT)
		return event_of_put(w->fd) && *word == number;
	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != number)
		sched_yield();
	return true;
}

static bool put_there_and_back(void *arg, uint64_t number)
{
	return put_number(arg, number) && wait_number(arg, number);
}

static bool get_once(void *arg, uint64_t number)
{
	struct window *w = arg;

	(void)number;
	return region_get(w->fd, w->theirs, 0, w->data, w->size) == (ssize_t)w->size;
}

static bool fetch_once(void *arg, uint64_t number)
{
	struct window *w = arg;
	__u64 before;

	return region_fetch(w->fd, w->theirs, 0, ST_FETCH_INCREMENT, &before) ==
	       sizeof(before) && before == number - 1;
}

static void answer_puts(struct window *w, uint64_t count)
{
	uint64_t i;

	for (i = 1; i <= count; i++)
		if (!wait_number(w, i) || !put_number(w, i))
			return;
}

void memory_serve(int fd, const struct wish *wish)
{
	struct window w = {};

	if (lend(&w, fd, wish) && put(fd, w.data, 1) && borrow(&w)) {
		if (w.what == PUT_POLLED || w.what == PUT_EVENT)
			answer_puts(&w, wish->count);
		/* The other end closes when it no longer needs the memory */
		get(fd, w.data, 1);
	}
	munmap(w.mine, w.size);
	munmap(w.data, w.size);
}

uint64_t memory_turn(int fd, const struct wish *wish)
{
	static bool (*const steps[])(void *arg, uint64_t number) = {
		[PUT_POLLED] = put_there_and_back,
		[PUT_EVENT] = put_there_and_back,
		[GET] = get_once,
		[FETCHOP] = fetch_once,
	};
	struct window w;

	if (!lend(&w, fd, wish) || !put(fd, (char *)wish, sizeof(*wish)) ||
	    !get(fd, w.data, 1) || !borrow(&w))
		err(EXIT_BROKEN, "the ends cannot lend each other memory");
	return median_ns(wish->count, steps[wish->what], &w);
}
