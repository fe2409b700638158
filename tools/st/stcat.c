// SPDX-License-Identifier: GPL-2.0
/*
 * stcat - send and receive a stream of bytes over Scheduled Transfer
 *
 * The stream is sent in records of at most a chosen size and ends with a record
 * of no bytes, so that the receiver can distinguish its end from a lost connection.
 * Several files and folders are sent as a tar archive.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <net/if.h>

#include <linux/st.h>

#include "addr.h"
#include "args.h"
#include "device.h"
#include "tar.h"

#define STCAT_VERSION	"1.0"
#define DEFAULT_RECORD	(4UL << 20)
#define CLOSE_WAIT_S	5	/* for the peer to close after its end mark */
#define BAR_WIDTH	30

static struct options {
	bool		listen;
	bool		verbose;
	bool		lines;		/* progress as lines */
	bool		bar;		/* progress as a bar on the terminal */
	int		stripe;		/* use several links */
	const char	*path_texts[ST_PATHS_MAX - 1];	/* DEV,ADDRESS */
	struct sockaddr_st paths[ST_PATHS_MAX - 1];	/* paths besides the first */
	unsigned int	nr_paths;
	const char	*device;
	const char	*address;
	const char	*file;
	char		**files;	/* to pack; NULL: a plain stream */
	const char	*folder;	/* to unpack in; NULL: a plain stream */
	unsigned int	ifindex;
	unsigned int	port;
	unsigned int	timeout;	/* seconds; 0: none */
	size_t		record;
	struct sockaddr_st peer;
} opt = { .record = DEFAULT_RECORD };

static struct progress {
	__u64		bytes;
	__u64		total;		/* 0: not known */
	double		start;
	double		shown;		/* when it was last shown */
	bool		bar_open;	/* the current line has a bar */
} progress;

/* Ends the line of the bar, so that a message gets a line of its own. */
static void progress_break(void)
{
	if (progress.bar_open)
		fputc('\n', stderr);
	progress.bar_open = false;
}

#define die(code, ...)				\
	do {					\
		progress_break();		\
		errx(code, __VA_ARGS__);	\
	} while (0)

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void progress_bar(double seconds, double rate)
{
	char bar[BAR_WIDTH + 1];
	int filled;

	fprintf(stderr, "\r%12.1f MB  %8.1f MB/s  %6.1f s", progress.bytes / 1e6, rate, seconds);
	if (progress.total) {
		double part = (double)progress.bytes / progress.total;

		if (part > 1)	/* the file has grown */
			part = 1;
		filled = part * BAR_WIDTH;
		memset(bar, '.', BAR_WIDTH);
		memset(bar, '#', filled);
		bar[BAR_WIDTH] = '\0';
		fprintf(stderr, "  [%s] %3.0f%%", bar, part * 100);
	}
	progress.bar_open = true;
}

static void progress_line(double seconds, double rate)
{
	fprintf(stderr, "stcat: %llu bytes", progress.bytes);
	if (progress.total)
		fprintf(stderr, " of %llu", progress.total);
	fprintf(stderr, ", %.3f s, %.1f MB/s\n", seconds, rate);
}

static void progress_start(__u64 total)
{
	progress.total = total;
	progress.start = now();
	progress.shown = progress.start;
}

static void progress_add(size_t bytes)
{
	double t;

	progress.bytes += bytes;
	if (!opt.bar && !opt.lines)
		return;
	t = now();
	if (t - progress.shown < (opt.bar ? 0.1 : 1))
		return;
	progress.shown = t;
	t -= progress.start;
	if (opt.bar)
		progress_bar(t, progress.bytes / 1e6 / t);
	else
		progress_line(t, progress.bytes / 1e6 / t);
}

static void progress_end(void)
{
	double t = now() - progress.start;
	double rate = t > 0 ? progress.bytes / 1e6 / t : 0;

	if (opt.bar) {
		progress_bar(t, rate);
		progress_break();
	}
	if (opt.verbose || (opt.lines && !opt.bar))
		progress_line(t, rate);
}

static const char *device_name(void)
{
	return opt.device ? opt.device : "any device";
}

static const char *describe(const struct sockaddr_st *a)
{
	static char text[ADDRESS_TEXT + IF_NAMESIZE + 32];
	char dev[IF_NAMESIZE], address[ADDRESS_TEXT] = "";

	if (a->sst_alen)
		address_text(a, address);
	snprintf(text, sizeof(text), "%s%sport %u on %s", address, *address ? " " : "",
		 ntohs(a->sst_port),
		 if_indextoname(a->sst_ifindex, dev) ? dev : device_name());
	return text;
}

static size_t parse_size(const char *text)
{
	size_t value;

	if (!parse_scaled(text, &value) || !value)
		die(EXIT_USAGE, "record size is '%s', but must be like 65536, 64K, 4M or 1G", text);
	return value;
}

static void *record_buffer(void)
{
	void *buf = mmap(NULL, opt.record, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (buf == MAP_FAILED)
		die(EXIT_LOCAL, "no memory for records of %zu bytes: %s", opt.record,
		    strerror(errno));
	return buf;
}

static void set_timeout(int sock, unsigned int seconds)
{
	struct timeval tv = { .tv_sec = seconds };

	if (!seconds)
		return;
	if (setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)) ||
	    setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv)))
		die(EXIT_NETWORK, "%s: cannot set a timeout: %s", device_name(), strerror(errno));
}

static int open_socket(void)
{
	int sock = socket(AF_ST, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (sock < 0)
		die(EXIT_NETWORK, "%s: cannot make a socket: %s%s", device_name(), strerror(errno),
		    errno == EAFNOSUPPORT ? " (is the module af_st loaded?)" : "");
	set_timeout(sock, opt.timeout);
	if (opt.stripe &&
	    (setsockopt(sock, SOL_ST, ST_STRIPE, &opt.stripe, sizeof(opt.stripe)) ||
	     setsockopt(sock, SOL_ST, ST_STRIPE_ADDRS, opt.paths,
			opt.nr_paths * sizeof(opt.paths[0]))))
		die(EXIT_NETWORK, "cannot use --stripe: %s", strerror(errno));
	return sock;
}

static int connect_peer(void)
{
	int sock = open_socket();

	if (connect(sock, (struct sockaddr *)&opt.peer, sizeof(opt.peer)))
		die(EXIT_NETWORK, "cannot connect to %s: %s", describe(&opt.peer), why(errno));
	return sock;
}

/* Accepts one connection and stops listening. */
static int accept_peer(struct sockaddr_st *peer)
{
	struct sockaddr_st me = {
		.sst_family	= AF_ST,
		.sst_port	= htons(opt.port),
		.sst_ifindex	= opt.ifindex,
	};
	socklen_t len = sizeof(me);
	int listener = open_socket();
	int sock;

	/* The Port of recently ended connections may be used again */
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	if (bind(listener, (struct sockaddr *)&me, sizeof(me)))
		die(EXIT_NETWORK, "cannot bind %s: %s", describe(&me), strerror(errno));
	if (listen(listener, 1) || getsockname(listener, (struct sockaddr *)&me, &len))
		die(EXIT_NETWORK, "cannot listen at %s: %s", describe(&me), strerror(errno));
	if (opt.verbose || !opt.port)
		fprintf(stderr, "stcat: listening at %s\n", describe(&me));
	do {
		len = sizeof(*peer);
		sock = accept4(listener, (struct sockaddr *)peer, &len, SOCK_CLOEXEC);
	} while (sock < 0 && (errno == EINTR || errno == ECONNABORTED));
	if (sock < 0)
		die(EXIT_NETWORK, "no connection at %s: %s", describe(&me), why(errno));
	close(listener);
	set_timeout(sock, opt.timeout);
	return sock;
}

static void write_all(int fd, const char *name, const char *buf, size_t len)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	while (len) {
		ssize_t n = write(fd, buf, len);

		if (n < 0 && errno == EAGAIN)
			poll(&p, 1, -1);
		else if (n < 0 && errno != EINTR)
			die(EXIT_LOCAL, "cannot write %s after %llu bytes: %s", name,
			    progress.bytes, strerror(errno));
		if (n > 0) {
			buf += n;
			len -= n;
		}
	}
}

/* Fills the buffer, unless the input ends first. */
static size_t read_full(int fd, const char *name, char *buf, size_t len)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	size_t done = 0;

	while (done < len) {
		ssize_t n = read(fd, buf + done, len - done);

		if (!n)
			break;
		if (n < 0 && errno == EAGAIN)
			poll(&p, 1, -1);
		else if (n < 0 && errno != EINTR)
			die(EXIT_LOCAL, "cannot read %s after %llu bytes: %s", name,
			    progress.bytes + done, strerror(errno));
		if (n > 0)
			done += n;
	}
	return done;
}

/* Sends one record; a len of 0 is the end mark. */
static void send_record(int sock, const char *buf, size_t len)
{
	ssize_t n;

	do {
		n = send(sock, buf, len, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EMSGSIZE)
			die(EXIT_NETWORK, "%s: a record of %zu bytes is over net.st.max_transfer",
			    describe(&opt.peer), len);
		if (n < 0)
			die(EXIT_NETWORK, "%s: sending failed after %llu bytes: %s",
			    describe(&opt.peer), progress.bytes, why(errno));
		progress_add(n);
		buf += n;
		len -= n;
	} while (n < 0 || len);
}

/* If tar has failed, the archive is incomplete */
static void end_tar(struct tar *tar)
{
	int status = tar_end(tar);

	if (status)
		die(EXIT_LOCAL, "tar ended with status %d after %llu bytes", status,
		    progress.bytes);
}

static int send_stream(void)
{
	const char *name = opt.files ? "the output of tar" : opt.file ? opt.file : "standard input";
	char *buf = record_buffer();
	int fd = STDIN_FILENO;
	struct stat st = { };
	struct tar tar;
	size_t len;
	int sock;

	if (opt.file) {
		fd = open(opt.file, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || fstat(fd, &st))
			die(EXIT_LOCAL, "cannot open %s: %s", name, strerror(errno));
	}
	sock = connect_peer();
	if (opt.verbose)
		fprintf(stderr, "stcat: connected to %s\n", describe(&opt.peer));
	if (opt.files) {
		if (!tar_pack(&tar, opt.files))
			die(EXIT_LOCAL, "cannot start tar: %s", strerror(errno));
		fd = tar.fd;
	}
	progress_start(S_ISREG(st.st_mode) ? st.st_size : 0);
	do {
		len = read_full(fd, name, buf, opt.record);
		if (len)
			send_record(sock, buf, len);
	} while (len == opt.record);
	if (opt.files)
		end_tar(&tar);
	send_record(sock, buf, 0);
	shutdown(sock, SHUT_WR);
	close(sock);
	progress_end();
	return EXIT_SUCCESS;
}

/* Returns false at the end mark. */
static bool receive_part(int sock, const struct sockaddr_st *peer, char *buf, size_t *got)
{
	struct iovec iov = { .iov_base = buf, .iov_len = opt.record };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n;

	do {
		n = recvmsg(sock, &msg, 0);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		die(EXIT_NETWORK, "%s: receiving failed after %llu bytes: %s", describe(peer),
		    progress.bytes, why(errno));
	if (!n && !(msg.msg_flags & MSG_EOR))
		die(EXIT_NETWORK, "%s: closed after %llu bytes without the end mark",
		    describe(peer), progress.bytes);
	*got = n;
	return n;
}

static int receive_stream(void)
{
	const char *name = opt.folder ? "the input of tar" :
			   opt.file ? opt.file : "standard output";
	char *buf = record_buffer();
	struct sockaddr_st peer;
	int fd = STDOUT_FILENO;
	struct stat st;
	struct tar tar;
	size_t got;
	int sock;

	if (opt.file) {
		fd = open(opt.file, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0 || fstat(fd, &st))
			die(EXIT_LOCAL, "cannot open %s: %s", name, strerror(errno));
	}
	if (opt.folder && access(opt.folder, W_OK | X_OK))
		die(EXIT_LOCAL, "cannot write to %s: %s", opt.folder, strerror(errno));
	sock = accept_peer(&peer);
	if (opt.verbose)
		fprintf(stderr, "stcat: connection from %s\n", describe(&peer));
	if (opt.file && S_ISREG(st.st_mode) && ftruncate(fd, 0))
		die(EXIT_LOCAL, "cannot truncate %s: %s", name, strerror(errno));
	if (opt.folder) {
		if (!tar_unpack(&tar, opt.folder))
			die(EXIT_LOCAL, "cannot start tar: %s", strerror(errno));
		fd = tar.fd;
	}
	progress_start(0);
	while (receive_part(sock, &peer, buf, &got)) {
		write_all(fd, name, buf, got);
		progress_add(got);
	}
	/* The peer closes first, so that the end mark is acknowledged. */
	set_timeout(sock, CLOSE_WAIT_S);
	if (recv(sock, buf, 1, 0) > 0)
		die(EXIT_NETWORK, "%s: more data after the end mark", describe(&peer));
	close(sock);
	if (opt.folder)
		end_tar(&tar);
	else if (close(fd))
		die(EXIT_LOCAL, "cannot write %s: %s", name, strerror(errno));
	progress_end();
	return EXIT_SUCCESS;
}

static void show_help(void)
{
	fputs("Usage: stcat [-i DEV] [-f FILE] [-b SIZE] [-w SECONDS] [-v]\n"
	      "             [--stripe=DEV,ADDRESS]... ADDRESS PORT [FILE...]\n"
	      "       stcat -l [-p PORT] [-i DEV] [-o FILE | -x FOLDER] [-b SIZE] [-w SECONDS]\n"
	      "             [-v] [--stripe]\n"
	      "\n"
	      "Sends a file or standard input to the Scheduled Transfer port PORT of the\n"
	      "host with the address ADDRESS, which can also be an IP address or a name, or\n"
	      "listens and receives.  FILEs after PORT, which may be folders, are sent as an\n"
	      "archive of tar, for a receiver with -x.\n"
	      "\n"
	      "  -l, --listen            accept one connection and receive\n"
	      "  -p, --port=PORT         port to listen at; 0 or none: the kernel chooses\n"
	      "  -i, --interface=DEV     network device to use\n"
	      "  -f, --file=FILE         send FILE instead of standard input\n"
	      "  -o, --output=FILE       write to FILE instead of standard output\n"
	      "  -x, --extract=FOLDER    unpack the received archive in FOLDER\n"
	      "  -b, --record-size=SIZE  bytes per record or read; K, M or G may follow the\n"
	      "                          number; default 4M\n"
	      "  -w, --timeout=SECONDS   give up without progress for this time\n"
	      "  -v, --verbose           report peer, bytes, seconds and MB/s\n"
	      "      --stripe=DEV,ADDRESS\n"
	      "                          also send over DEV, to this address of the receiver\n"
	      "      --stripe            receive over all links that the sender uses\n"
	      "      --progress          report the progress in lines, terminal or not\n"
	      "  -h, --help              show this help\n"
	      "  -V, --version           show the version\n"
	      "\n"
	      "Exit status: 0 all bytes transferred, 1 no connection, or broken before the end,\n"
	      "2 usage, 3 local file or memory.\n", stdout);
}

static void parse_options(int argc, char **argv)
{
	enum { OPT_PROGRESS = 256, OPT_STRIPE };
	static const struct option longs[] = {
		{ "listen", no_argument, NULL, 'l' },
		{ "port", required_argument, NULL, 'p' },
		{ "interface", required_argument, NULL, 'i' },
		{ "file", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' },
		{ "extract", required_argument, NULL, 'x' },
		{ "record-size", required_argument, NULL, 'b' },
		{ "timeout", required_argument, NULL, 'w' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "stripe", optional_argument, NULL, OPT_STRIPE },
		{ "progress", no_argument, NULL, OPT_PROGRESS },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ }
	};
	const char *input = NULL, *output = NULL, *port = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "lp:i:f:o:x:b:w:vhV", longs, NULL)) != -1) {
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
		case 'f':
			input = optarg;
			break;
		case 'o':
			output = optarg;
			break;
		case 'x':
			opt.folder = optarg;
			break;
		case 'b':
			opt.record = parse_size(optarg);
			break;
		case 'w':
			opt.timeout = parse_number("timeout", optarg, 1, 86400);
			break;
		case 'v':
			opt.verbose = true;
			break;
		case OPT_STRIPE:
			opt.stripe = true;
			if (optarg && opt.nr_paths == ST_PATHS_MAX - 1)
				misused("at most %d --stripe are possible", ST_PATHS_MAX - 1);
			if (optarg)
				opt.path_texts[opt.nr_paths++] = optarg;
			break;
		case OPT_PROGRESS:
			opt.lines = true;
			break;
		case 'h':
			show_help();
			written(EXIT_SUCCESS);
		case 'V':
			puts("stcat " STCAT_VERSION);
			written(EXIT_SUCCESS);
		default:
			/* getopt_long() has reported the error. */
			errx(EXIT_USAGE, USAGE_HINT);
		}
	}
	argv += optind;
	argc -= optind;
	if (opt.listen && (argc || input))
		misused("-l takes no ADDRESS, PORT or -f");
	if (!opt.listen && (port || output || opt.folder))
		misused("-p, -o and -x go with -l");
	if (opt.stripe && opt.listen != !opt.nr_paths)
		misused("--stripe needs DEV,ADDRESS without -l, and none with it");
	if (output && opt.folder)
		misused("-o and -x exclude each other");
	if (!opt.listen && argc < 2)
		misused("ADDRESS and PORT are needed, or -l");
	if (input && argc > 2)
		misused("-f and FILEs after PORT exclude each other");
	if (!opt.listen) {
		opt.address = argv[0];
		port = argv[1];
	}
	if (argc > 2)
		opt.files = argv + 2;
	if (port)
		opt.port = parse_number("port", port, !opt.listen, UINT16_MAX);
	opt.file = opt.listen ? output : input;
}

static void find_peer(void)
{
	const struct search where = { .ifindex = opt.ifindex, .timeout = opt.timeout };
	unsigned int i;

	find_address(opt.address, &where, &opt.peer);
	opt.peer.sst_port = htons(opt.port);
	for (i = 0; i < opt.nr_paths; i++)
		find_path(opt.path_texts[i], opt.timeout, &opt.paths[i]);
}

int main(int argc, char **argv)
{
	parse_options(argc, argv);
	if (opt.device) {
		opt.ifindex = device_index(opt.device);
		if (!opt.ifindex)
			die(EXIT_USAGE, "%s: %s", opt.device, strerror(errno));
	}
	if (!opt.listen)
		find_peer();
	opt.bar = !opt.lines && isatty(STDERR_FILENO) &&
		  !(opt.listen && !opt.file && !opt.folder && isatty(STDOUT_FILENO));
	signal(SIGPIPE, SIG_IGN);
	return opt.listen ? receive_stream() : send_stream();
}
