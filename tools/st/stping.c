// SPDX-License-Identifier: GPL-2.0
/*
 * stping - round trips of Scheduled Transfer Control operations
 *
 * Each is a Request_State and its answer, which the kernel of the peer gives with
 * no help of an application.  The kernel here takes the time.
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
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>

#include <linux/st.h>

#include "args.h"
#include "device.h"

#define STPING_VERSION	"1.0"
#define KEEP_IDLE	10	/* seconds */
#define MAX_COUNT	10000000UL

enum {
	EXIT_CONNECT	= 2,
	EXIT_BROKEN	= 3,
	EXIT_LOCAL	= 4,
};

static struct options {
	bool		listen;
	bool		quiet;
	const char	*device;
	unsigned int	ifindex;
	unsigned int	port;
	unsigned int	timeout;	/* seconds to connect in; 0: none */
	unsigned int	interval;	/* ms */
	unsigned long	count;
	__u8		ula[ULA_LEN];
} opt = { .count = 10, .interval = 100 };

static int stopped;	/* set in a signal handler */

static const char *device_name(void)
{
	return opt.device ? opt.device : "any device";
}

static int open_socket(void)
{
	struct timeval tv = { .tv_sec = opt.timeout };
	int sock = socket(AF_ST, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (sock < 0)
		errx(EXIT_CONNECT, "%s: cannot make a socket: %s%s", device_name(),
		     strerror(errno),
		     errno == EAFNOSUPPORT ? " (is the module af_st loaded?)" : "");
	if (opt.timeout && setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv)))
		err(EXIT_CONNECT, "%s: cannot set a timeout", device_name());
	return sock;
}

static int connect_peer(const char *ula)
{
	struct sockaddr_st peer = {
		.sst_family	= AF_ST,
		.sst_port	= htons(opt.port),
		.sst_ifindex	= opt.ifindex,
		.sst_alen	= ULA_LEN,
	};
	int sock = open_socket();

	memcpy(peer.sst_addr, opt.ula, ULA_LEN);
	if (connect(sock, (struct sockaddr *)&peer, sizeof(peer)))
		errx(EXIT_CONNECT, "cannot connect to %s port %u on %s: %s", ula, opt.port,
		     device_name(), errno == EINPROGRESS ? "timed out" : strerror(errno));
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

/* One round trip.  Returns false when it was cut short by the user. */
static bool ping(int sock, unsigned long i, __u64 *rtt)
{
	struct st_peer_state state = { .size = sizeof(state), .what = ST_STATE_SLOTS };

	if (ioctl(sock, SIOCSTSTATE, &state)) {
		int error = errno;

		if (error == EINTR)
			return false;
		if (error == EREMOTEIO)
			errx(EXIT_BROKEN, "no answer after %lu round trips; the connection stands",
			     i);
		errx(EXIT_BROKEN, "the connection broke after %lu round trips: %s", i,
		     strerror(error));
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

static int run(const char *ula)
{
	const struct timespec pause = {
		.tv_sec = opt.interval / 1000,
		.tv_nsec = opt.interval % 1000 * 1000000L,
	};
	const struct sigaction action = { .sa_handler = stop };
	__u64 *rtt = calloc(opt.count, sizeof(*rtt));
	unsigned long i = 0;
	int sock;

	if (!rtt)
		err(EXIT_LOCAL, "no memory for %lu round trips", opt.count);
	sock = connect_peer(ula);
	/* From here on the user may stop it and gets what there is */
	sigaction(SIGINT, &action, NULL);
	while (i < opt.count && !is_stopped()) {
		if (i && opt.interval)
			nanosleep(&pause, NULL);
		if (is_stopped() || !ping(sock, i, &rtt[i]))
			break;
		i++;
		if (fflush(stdout))
			err(EXIT_LOCAL, "cannot write");
	}
	close(sock);
	if (i)
		summary(rtt, i);
	if (fflush(stdout))
		err(EXIT_LOCAL, "cannot write");
	return i ? EXIT_SUCCESS : EXIT_BROKEN;
}

/* Connections are taken and kept until the other side closes them. */
static int serve(void)
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
	/* A peer that has gone must not be waited for, with others behind it */
	if (setsockopt(listener, SOL_SOCKET, SO_KEEPALIVE, &(int){ 1 }, sizeof(int)) ||
	    setsockopt(listener, SOL_ST, ST_KEEP_IDLE, &(int){ KEEP_IDLE }, sizeof(int)))
		err(EXIT_CONNECT, "cannot watch over connections");
	if (bind(listener, (struct sockaddr *)&me, sizeof(me)) || listen(listener, 16) ||
	    getsockname(listener, (struct sockaddr *)&me, &len))
		err(EXIT_CONNECT, "cannot listen at port %u on %s", opt.port, device_name());
	fprintf(stderr, "stping: listening at port %u on %s\n", ntohs(me.sst_port),
		device_name());
	for (;;) {
		sock = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		if (sock < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (sock < 0)
			err(EXIT_CONNECT, "no connection");
		while (recv(sock, &byte, 1, 0) > 0)
			;
		close(sock);
	}
}

static void show_help(void)
{
	fputs("Usage: stping [-i DEV] [-c COUNT] [-t MS] [-w SECONDS] [-q] ULA PORT\n"
	      "       stping -l [-p PORT] [-i DEV]\n"
	      "\n"
	      "Connects to the Scheduled Transfer port PORT of the device with the address\n"
	      "ULA and measures round trips of Control operations, or listens.\n"
	      "\n"
	      "  -l, --listen           take connections, until killed\n"
	      "  -p, --port=PORT        port to listen at; 0 or none: the kernel chooses\n"
	      "  -i, --interface=DEV    network device to use\n"
	      "  -c, --count=COUNT      round trips; 10\n"
	      "  -t, --interval=MS      milliseconds between them; 100\n"
	      "  -w, --timeout=SECONDS  give up when no connection comes about for so long\n"
	      "  -q, --quiet            tell only the summary\n"
	      "  -h, --help             show this\n"
	      "  -V, --version          show the version\n"
	      "\n"
	      "Exit status: 0 done, 1 usage, 2 no connection, 3 connection broken or no\n"
	      "answer, 4 no memory, or the output cannot be written.\n", stdout);
}

static void parse_options(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "listen", no_argument, NULL, 'l' },
		{ "port", required_argument, NULL, 'p' },
		{ "interface", required_argument, NULL, 'i' },
		{ "count", required_argument, NULL, 'c' },
		{ "interval", required_argument, NULL, 't' },
		{ "timeout", required_argument, NULL, 'w' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	const char *port = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "lp:i:c:t:w:qhV", longs, NULL)) != -1) {
		switch (c) {
		case 'l':
			opt.listen = true;
			break;
		case 'p':
			port = optarg;
			break;
		case 'i':
			opt.device = optarg;
			break;
		case 'c':
			opt.count = parse_number("count", optarg, 1, MAX_COUNT);
			break;
		case 't':
			opt.interval = parse_number("interval", optarg, 0, 3600000);
			break;
		case 'w':
			opt.timeout = parse_number("timeout", optarg, 1, 86400);
			break;
		case 'q':
			opt.quiet = true;
			break;
		case 'h':
			show_help();
			exit(EXIT_SUCCESS);
		case 'V':
			puts("stping " STPING_VERSION);
			exit(EXIT_SUCCESS);
		default:
			/* getopt_long() has said what is wrong. */
			errx(EXIT_USAGE, USAGE_HINT);
		}
	}
	argv += optind;
	argc -= optind;
	if (opt.listen && argc)
		misused("-l takes no ULA and PORT");
	if (!opt.listen && port)
		misused("-p goes with -l");
	if (!opt.listen && argc != 2)
		misused("ULA and PORT are needed, or -l");
	if (!opt.listen && !parse_ula(argv[0], opt.ula))
		misused("ULA is '%s', but must look like 02:00:5e:00:00:01", argv[0]);
	if (!opt.listen)
		port = argv[1];
	if (port)
		opt.port = parse_number("port", port, !opt.listen, UINT16_MAX);
}

int main(int argc, char **argv)
{
	parse_options(argc, argv);
	if (opt.device) {
		opt.ifindex = device_index(opt.device);
		if (!opt.ifindex)
			err(EXIT_CONNECT, "%s", opt.device);
	}
	return opt.listen ? serve() : run(argv[optind]);
}
