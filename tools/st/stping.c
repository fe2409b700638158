// SPDX-License-Identifier: GPL-2.0
/*
 * stping - measure round trips of Scheduled Transfer Control operations
 *
 * Each is a Request_State and its answer, which the kernel of the peer sends without
 * an application.  The local kernel measures the time.
 */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>

#include <linux/st.h>

#include "addr.h"
#include "args.h"
#include "device.h"

#define STPING_VERSION	"1.0"
#define KEEP_IDLE	10	/* seconds */
#define MAX_COUNT	10000000UL

static struct options {
	bool		listen;
	bool		quiet;
	const char	*device;
	unsigned int	ifindex;
	unsigned int	port;
	unsigned int	timeout;	/* seconds for a connection or an answer; 0: none */
	unsigned int	deadline;	/* seconds for all; 0: none */
	unsigned int	interval;	/* ms */
	unsigned long	count;
	struct sockaddr_st peer;
} opt = { .count = MAX_COUNT, .interval = 1000 };

static int stopped;	/* set in a signal handler */

static const char *device_name(void)
{
	return opt.device ? opt.device : "any device";
}

static int open_socket(void)
{
	int patience = opt.timeout * 1000;
	int sock = socket(AF_ST, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (sock < 0)
		errx(EXIT_NETWORK, "%s: cannot make a socket: %s%s", device_name(),
		     strerror(errno),
		     errno == EAFNOSUPPORT ? " (is the module af_st loaded?)" : "");
	if (opt.timeout &&
	    setsockopt(sock, SOL_ST, ST_USER_TIMEOUT, &patience, sizeof(patience)))
		err(EXIT_NETWORK, "%s: cannot set a timeout", device_name());
	return sock;
}

static int connect_peer(const char *address)
{
	int sock = open_socket();

	if (connect(sock, (struct sockaddr *)&opt.peer, sizeof(opt.peer)))
		errx(EXIT_NETWORK, "cannot connect to %s port %u on %s: %s", address, opt.port,
		     device_name(), strerror(errno));
	return sock;
}

static int compare(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void summary(__u64 *rtt, unsigned long n)
{
	unsigned long p99 = (n * 99 + 99) / 100 - 1;

	qsort(rtt, n, sizeof(*rtt), compare);
	printf("%lu round trips, min %.1f us, median %.1f us, 99%% %.1f us, max %.1f us\n", n,
	       rtt[0] / 1e3, rtt[(n - 1) / 2] / 1e3, rtt[p99] / 1e3, rtt[n - 1] / 1e3);
}

static bool is_stopped(void)
{
	return __atomic_load_n(&stopped, __ATOMIC_RELAXED);
}

static void stop(int signo)
{
	(void)signo;
	__atomic_store_n(&stopped, 1, __ATOMIC_RELAXED);
}

/* Why the connection ended, which the kernel tells once, or @error */
static int why_ended(int sock, int error)
{
	socklen_t len = sizeof(int);
	int why = 0;

	if (error != ENOTCONN || getsockopt(sock, SOL_SOCKET, SO_ERROR, &why, &len) || !why)
		return error;
	return why;
}

/* Measures one round trip.  Returns false if the user interrupts it. */
static bool ping(int sock, unsigned long i, __u64 *rtt)
{
	struct st_peer_state state = { .size = sizeof(state), .what = ST_STATE_SLOTS };

	if (ioctl(sock, SIOCSTSTATE, &state)) {
		int error = errno;

		if (error == EINTR)
			return false;
		if (error == EREMOTEIO)
			errx(EXIT_NETWORK, "no answer after %lu round trips; the connection stands",
			     i);
		errx(EXIT_NETWORK, "the connection broke after %lu round trips: %s", i,
		     strerror(why_ended(sock, error)));
	}
	*rtt = state.rtt;
	if (opt.quiet)
		return true;
	if (state.slots == 0xffff)
		printf("%lu: %.1f us, Slots not counted\n", i + 1, state.rtt / 1e3);
	else
		printf("%lu: %.1f us, %u Slots free\n", i + 1, state.rtt / 1e3, state.slots);
	return true;
}

/* Makes room for measurement number @i */
static __u64 *room_for(__u64 *rtt, unsigned long i)
{
	/* The room doubles whenever @i is a power of 2 */
	if (!(i & (i - 1)))
		rtt = realloc(rtt, (i ? 2 * i : 1) * sizeof(*rtt));
	if (!rtt)
		err(EXIT_LOCAL, "no memory for %lu round trips", 2 * i);
	return rtt;
}

noreturn static void run(const char *address)
{
	const struct timespec pause = {
		.tv_sec = opt.interval / 1000,
		.tv_nsec = opt.interval % 1000 * 1000000L,
	};
	const struct sigaction action = { .sa_handler = stop };
	unsigned long i = 0;
	__u64 *rtt = NULL;
	int sock;

	sock = connect_peer(address);
	/* From here on a signal ends the measurement with a summary */
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	alarm(opt.deadline);
	while (i < opt.count && !is_stopped()) {
		if (i && opt.interval)
			nanosleep(&pause, NULL);
		rtt = room_for(rtt, i);
		if (is_stopped() || !ping(sock, i, &rtt[i]))
			break;
		i++;
		if (fflush(stdout))
			err(EXIT_LOCAL, "cannot write");
	}
	close(sock);
	if (i)
		summary(rtt, i);
	written(i ? EXIT_SUCCESS : EXIT_NETWORK);
}

/* Accepts connections and keeps each until the peer closes it. */
noreturn static void serve(void)
{
	struct sockaddr_st me = {
		.sst_family	= AF_ST,
		.sst_port	= htons(opt.port),
		.sst_ifindex	= opt.ifindex,
	};
	socklen_t len = sizeof(me);
	int listener = open_socket(), sock;
	char byte;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	/* A dead peer must not block the connections that wait behind it */
	if (setsockopt(listener, SOL_SOCKET, SO_KEEPALIVE, &(int){ 1 }, sizeof(int)) ||
	    setsockopt(listener, SOL_ST, ST_KEEP_IDLE, &(int){ KEEP_IDLE }, sizeof(int)))
		err(EXIT_NETWORK, "cannot enable keepalive");
	if (bind(listener, (struct sockaddr *)&me, sizeof(me)) || listen(listener, 16) ||
	    getsockname(listener, (struct sockaddr *)&me, &len))
		err(EXIT_NETWORK, "cannot listen at port %u on %s", opt.port, device_name());
	fprintf(stderr, "stping: listening at port %u on %s\n", ntohs(me.sst_port),
		device_name());
	for (;;) {
		sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		if (sock < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (sock < 0)
			err(EXIT_NETWORK, "no connection");
		while (recv(sock, &byte, 1, 0) > 0)
			;
		close(sock);
	}
}

static void show_help(void)
{
	fputs("Usage: stping [-I DEV] [-c COUNT] [-i SECONDS] [-w SECONDS] [-W SECONDS] [-q]\n"
	      "              ADDRESS PORT\n"
	      "       stping -l [-p PORT] [-I DEV]\n"
	      "\n"
	      "Connects to the Scheduled Transfer port PORT of the host with the address\n"
	      "ADDRESS, which can also be an IP address or a name, and measures round trips\n"
	      "of Control operations, or listens.\n"
	      "\n"
	      "  -l, --listen           accept connections, until killed\n"
	      "  -p, --port=PORT        port to listen at; 0 or none: the kernel chooses\n"
	      "  -I, --interface=DEV    network device to use\n"
	      "  -c, --count=COUNT      number of round trips; default: until SIGINT\n"
	      "  -i, --interval=SECONDS time between them, such as 0.2; default 1\n"
	      "  -w, --deadline=SECONDS end after this time\n"
	      "  -W, --timeout=SECONDS  give up without a connection or answer for this time\n"
	      "  -q, --quiet            print only the summary\n"
	      "  -h, --help             show this help\n"
	      "  -V, --version          show the version\n"
	      "\n"
	      "Exit status: 0 done, 1 no connection, connection broken or no answer, 2 usage,\n"
	      "3 no memory, or the output cannot be written.\n", stdout);
}

/* Parses seconds with at most three decimal places.  Returns milliseconds. */
static unsigned int parse_interval(const char *text)
{
	unsigned int seconds = 0, thousandths = 0, i = 0;
	const char *c = text;

	for (; *c >= '0' && *c <= '9' && seconds <= 3600; c++, i++)
		seconds = 10 * seconds + *c - '0';
	if (*c == '.')
		for (i = 0, c++; *c >= '0' && *c <= '9' && i < 3; c++, i++)
			thousandths = 10 * thousandths + *c - '0';
	if (!i || *c || seconds > 3600)
		errx(EXIT_USAGE, "interval is '%s', but must be 0 to 3600 seconds, such as 0.2",
		     text);
	if (strchr(text, '.'))
		for (; i < 3; i++)
			thousandths *= 10;
	return seconds * 1000 + thousandths;
}

static void parse_options(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "listen", no_argument, NULL, 'l' },
		{ "port", required_argument, NULL, 'p' },
		{ "interface", required_argument, NULL, 'I' },
		{ "count", required_argument, NULL, 'c' },
		{ "interval", required_argument, NULL, 'i' },
		{ "deadline", required_argument, NULL, 'w' },
		{ "timeout", required_argument, NULL, 'W' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	const char *port = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "lp:I:c:i:w:W:qhV", longs, NULL)) != -1) {
		switch (c) {
		case 'l':
			opt.listen = true;
			break;
		case 'p':
			port = optarg;
			break;
		case 'I':
			opt.device = optarg;
			break;
		case 'c':
			opt.count = parse_number("count", optarg, 1, MAX_COUNT);
			break;
		case 'i':
			opt.interval = parse_interval(optarg);
			break;
		case 'w':
			opt.deadline = parse_number("deadline", optarg, 1, 86400);
			break;
		case 'W':
			opt.timeout = parse_number("timeout", optarg, 1, 86400);
			break;
		case 'q':
			opt.quiet = true;
			break;
		case 'h':
			show_help();
			written(EXIT_SUCCESS);
		case 'V':
			puts("stping " STPING_VERSION);
			written(EXIT_SUCCESS);
		default:
			/* getopt_long() has reported the error. */
			errx(EXIT_USAGE, USAGE_HINT);
		}
	}
	argv += optind;
	argc -= optind;
	if (opt.listen && argc)
		misused("-l takes no ADDRESS and PORT");
	if (!opt.listen && port)
		misused("-p goes with -l");
	if (!opt.listen && argc != 2)
		misused("ADDRESS and PORT are needed, or -l");
	if (!opt.listen)
		port = argv[1];
	if (port)
		opt.port = parse_number("port", port, !opt.listen, UINT16_MAX);
}

int main(int argc, char **argv)
{
	struct search where = {};

	parse_options(argc, argv);
	if (opt.device) {
		opt.ifindex = device_index(opt.device);
		if (!opt.ifindex)
			err(EXIT_USAGE, "%s", opt.device);
	}
	if (opt.listen)
		serve();
	where.ifindex = opt.ifindex;
	where.timeout = opt.timeout;
	find_address(argv[optind], &where, &opt.peer);
	opt.peer.sst_port = htons(opt.port);
	run(argv[optind]);
}
