// SPDX-License-Identifier: GPL-2.0
/*
 * sockbench - the same loops over sockets of several families
 *
 * usage: sockbench -l PROTOCOL PORT [ADDRESS]
 *        sockbench WHAT PROTOCOL ADDRESS PORT DEVICE SIZE COUNT [CONNECTIONS]
 *
 * PROTOCOL is st, tcp, udp, sctp, tipc, rds or vsock.  The first form serves all
 * clients; it has our ADDRESS only with rds.  WHAT is
 *
 * bulk        send COUNT records, or pieces of a stream, of SIZE bytes and wait until
 *             the far end has them; prints bytes per second, and CPU cycles per
 *             1000 bytes, for both ends and everything between them; not with udp
 * bulk-pinned the same from memory that is pinned once, with ST_SEND_FROM; st only
 * turn        send SIZE bytes and wait for as many
 * put-polled  st only, as all below: Put SIZE bytes, and wait until as many have been Put
 *             into our memory; both ends poll their memory
 * put-event   the same, but both ends wait for the event of the Put
 * get         Get SIZE bytes
 * fetchop     increment a word
 *
 * These five repeat COUNT times and print the median of the times in nanoseconds.
 *
 * idle        bulk over one of 1, 10, and so on up to CONNECTIONS; prints for each the
 *             number of connections, bytes per second, and bytes of memory per connection
 * busy        bulk over each of CONNECTIONS at once; prints bytes per second of all, and
 *             their fairness, in millionths
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../st/args.h"
#include "cycles.h"
#include "memory.h"
#include "records.h"
#include "scale.h"
#include "serve.h"

#define SECONDS_MAX	300	/* of a client, which would hang if the far end were gone */
#define CONNECTIONS_MAX	30000

static const char *const names[] = {
	[BULK] = "bulk", [TURN] = "turn", [PUT_POLLED] = "put-polled",
	[PUT_EVENT] = "put-event", [GET] = "get", [FETCHOP] = "fetchop",
};

#define NR_NAMES	(sizeof(names) / sizeof(*names))

static enum what what_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < NR_NAMES; i++)
		if (!strcmp(names[i], name))
			return i;
	misused("'%s' is nothing that can be measured", name);
}

static void bulk(int fd, const struct wish *wish, bool pinned)
{
	char *buf = buffer(wish->size);
	struct moment start;
	uint64_t rate;

	if (pinned)
		memory_pin(fd, buf, wish->size);
	records_begin(fd, wish);
	moment_now(&start);
	rate = records_bulk(fd, buf, wish, pinned ? memory_send : put);
	printf("%ju %ju\n", (uintmax_t)rate,
	       (uintmax_t)(busy_cycles(&start) * 1000.0 / wish->size / wish->count));
}

static uint64_t measure(int fd, const struct wish *wish)
{
	if (wish->what == TURN)
		return records_turn(fd, buffer(wish->size), wish);
	return memory_turn(fd, wish);
}

int main(int argc, char **argv)
{
	const struct protocol *p;
	struct wish wish = {};
	union address to;
	unsigned int nr;
	bool pinned;

	/* Not MSG_NOSIGNAL, which RDS does not know */
	signal(SIGPIPE, SIG_IGN);
	if ((argc == 4 || argc == 5) && !strcmp(argv[1], "-l"))
		serve(protocol_named(argv[2]), argv[3], argv[4]);
	if (argc != 8 && argc != 9)
		errx(EXIT_USAGE, "usage: sockbench -l PROTOCOL PORT [ADDRESS]\n"
		     "       sockbench WHAT PROTOCOL ADDRESS PORT DEVICE SIZE COUNT [CONNECTIONS]");
	p = protocol_named(argv[2]);
	address_of(p, argv[3], argv[4], argv[5], &to);
	wish.size = parse_number("size", argv[6], 1, SIZE_MAX_BYTES);
	wish.count = parse_number("count", argv[7], 1, COUNT_MAX);
	alarm(SECONDS_MAX);
	if (argc == 9) {
		nr = parse_number("connections", argv[8], 1, CONNECTIONS_MAX);
		if (!strcmp(argv[1], "idle"))
			scale_idle(p, &to, &wish, nr);
		else if (!strcmp(argv[1], "busy"))
			scale_busy(p, &to, &wish, nr);
		else
			misused("'%s' is not done with several connections", argv[1]);
		return 0;
	}
	pinned = !strcmp(argv[1], "bulk-pinned");
	wish.what = what_named(pinned ? "bulk" : argv[1]);
	if (wish.what == BULK) {
		bulk(connected(p, &to), &wish, pinned);
		return 0;
	}
	printf("%ju\n", (uintmax_t)measure(connected(p, &to), &wish));
	return 0;
}
