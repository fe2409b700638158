// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <sys/mman.h>

#include "records.h"

void records_serve(int fd, const struct wish *wish)
{
	char *buf = buffer(wish->size);
	uint64_t i;

	if (!put(fd, buf, 1))
		err(EXIT_BROKEN, "nobody waits for us to have memory");
	for (i = 0; i < wish->count; i++)
		if (!get(fd, buf, wish->size) ||
		    (wish->what == TURN && !put(fd, buf, wish->size)))
			break;
	if (i == wish->count)
		put(fd, buf, 1);
	munmap(buf, wish->size);
}

static void await_byte(int fd, const char *what)
{
	char byte;

	if (!get(fd, &byte, 1))
		err(EXIT_BROKEN, "the far end has not got %s", what);
}

void records_begin(int fd, const struct wish *wish)
{
	if (!put(fd, (const char *)wish, sizeof(*wish)))
		err(EXIT_BROKEN, "the far end does not listen");
	await_byte(fd, "memory");
}

uint64_t records_bulk(int fd, char *buf, const struct wish *wish,
		      bool (*send)(int fd, const char *buf, size_t size))
{
	uint64_t start = now_ns(), i;

	for (i = 0; i < wish->count; i++)
		if (!send(fd, buf, wish->size))
			err(EXIT_BROKEN, "record %zu of %zu", (size_t)i, (size_t)wish->count);
	await_byte(fd, "all");
	return (double)wish->size * wish->count * 1e9 / (now_ns() - start);
}

struct turns {
	int fd;
	char *buf;
	size_t size;
};

static bool turn_once(void *arg, uint64_t number)
{
	struct turns *t = arg;

	(void)number;
	return put(t->fd, t->buf, t->size) && get(t->fd, t->buf, t->size);
}

uint64_t records_turn(int fd, char *buf, const struct wish *wish)
{
	struct turns turns = { .fd = fd, .buf = buf, .size = wish->size };
	uint64_t result;

	records_begin(fd, wish);
	result = median_ns(wish->count, turn_once, &turns);
	await_byte(fd, "all");
	return result;
}
