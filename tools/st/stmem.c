// SPDX-License-Identifier: GPL-2.0
/*
 * stmem - lend memory over Scheduled Transfer, and use what others lend
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
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <arpa/inet.h>

#include <linux/st.h>

#include "addr.h"
#include "args.h"
#include "device.h"

#define STMEM_VERSION	"1.0"
#define DEFAULT_SIZE	1048576UL
#define MAX_PEERS	64
enum command { EXPOSE, PUT, GET, FETCH };

static const char *const command_names[] = {
	[EXPOSE] = "expose", [PUT] = "put", [GET] = "get", [FETCH] = "fetch",
};

static struct options {
	enum command	command;
	bool		verbose;
	const char	*device;
	const char	*address;
	const char	*file;
	const char	*output;
	unsigned int	ifindex;
	unsigned int	port;
	unsigned int	timeout;	/* seconds; 0: none */
	unsigned int	access;		/* ST_REGION_* */
	unsigned int	function;	/* ST_FETCH_* */
	unsigned int	count;		/* of fetches */
	unsigned int	put_flags;	/* ST_PUT_* */
	size_t		size;
	size_t		offset;
	struct sockaddr_st peer;
} opt = {
	.access = ST_REGION_PUT | ST_REGION_GET | ST_REGION_FETCHOP,
	.function = ST_FETCH_INCREMENT,
	.count = 1,
};

/* Parses a number, optionally with K, M or G */
static size_t parse_size(const char *what, const char *text, size_t min, size_t max)
{
	size_t value;

	if (!parse_scaled(text, &value) || value < min || value > max)
		misused("%s is '%s', but must be %zu to %zu, optionally with K, M or G", what,
			text, min, max);
	return value;
}

static void *new_memory(size_t size)
{
	void *mem = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		errx(EXIT_LOCAL, "no memory for %zu bytes: %s", size, strerror(errno));
	return mem;
}

/* Reads a file or standard input into memory of at least @size bytes. */
static char *load(const char *file, size_t size, size_t *len)
{
	const char *name = file ? file : "standard input";
	int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	size_t room = size > DEFAULT_SIZE ? size : DEFAULT_SIZE;
	char *mem = new_memory(room);
	ssize_t n;

	if (fd < 0)
		errx(EXIT_LOCAL, "cannot open %s: %s", name, strerror(errno));
	*len = 0;
	while ((n = read(fd, mem + *len, room - *len)) != 0) {
		if (n < 0 && errno != EINTR)
			errx(EXIT_LOCAL, "cannot read %s: %s", name, strerror(errno));
		if (n > 0)
			*len += n;
		if (*len < room)
			continue;
		mem = mremap(mem, room, 2 * room, MREMAP_MAYMOVE);
		if (mem == MAP_FAILED)
			errx(EXIT_LOCAL, "no memory for %s", name);
		room *= 2;
	}
	if (file)
		close(fd);
	return mem;
}

static void store(const char *file, const char *mem, size_t len)
{
	const char *name = file ? file : "standard output";
	int fd = file ? open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) :
			STDOUT_FILENO;

	while (fd >= 0 && len) {
		ssize_t n = write(fd, mem, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		mem += n;
		len -= n;
	}
	if (fd < 0 || len || (file && close(fd)))
		errx(EXIT_LOCAL, "cannot write %s: %s", name, strerror(errno));
}

static int new_socket(void)
{
	int sock = socket(AF_ST, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	struct timeval tv = { .tv_sec = opt.timeout };

	if (sock < 0)
		errx(EXIT_NETWORK, "cannot make a socket: %s%s", strerror(errno),
		     errno == EAFNOSUPPORT ? " (is the module af_st loaded?)" : "");
	if (opt.timeout && (setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)) ||
			    setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &tv, sizeof(tv))))
		errx(EXIT_NETWORK, "cannot set a timeout: %s", strerror(errno));
	return sock;
}

/* Connects, and requests a region of @size bytes. */
static int open_region(size_t size, __u32 *region)
{
	struct st_region_request request = { .size = sizeof(request), .len = size };
	int sock = new_socket();

	if (connect(sock, (struct sockaddr *)&opt.peer, sizeof(opt.peer)))
		errx(EXIT_NETWORK, "cannot connect to port %u: %s", opt.port, why(errno));
	if (ioctl(sock, SIOCSTREQUEST, &request))
		errx(EXIT_NETWORK, "no region of %zu bytes: %s", size, why(errno));
	*region = request.region;
	return sock;
}

/* Executes an operation; ends the program if it fails. */
static void operate(int sock, int type, const void *args, size_t size, void *bytes, size_t len)
{
	union {
		char room[CMSG_SPACE(sizeof(struct st_put) + sizeof(struct st_get))];
		struct cmsghdr align;
	} control = {};
	struct iovec iov = { .iov_base = bytes, .iov_len = len };
	struct msghdr msg = {
		.msg_iov	= &iov,
		.msg_iovlen	= 1,
		.msg_control	= control.room,
		.msg_controllen	= CMSG_SPACE(size),
	};
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);

	cmsg->cmsg_level = SOL_ST;
	cmsg->cmsg_type = type;
	cmsg->cmsg_len = CMSG_LEN(size);
	memcpy(CMSG_DATA(cmsg), args, size);
	if (sendmsg(sock, &msg, MSG_NOSIGNAL) < 0)
		errx(EXIT_NETWORK, "%s failed: %s", command_names[opt.command], why(errno));
}

static int put_file(void)
{
	size_t len;
	char *mem = load(opt.file, 0, &len);
	struct st_put put = { .offset = opt.offset, .flags = opt.put_flags };
	int sock = open_region(opt.offset + len ? opt.offset + len : 1, &put.region);

	operate(sock, ST_PUT, &put, sizeof(put), mem, len);
	if (opt.verbose)
		fprintf(stderr, "stmem: %zu bytes put\n", len);
	close(sock);
	return EXIT_SUCCESS;
}

static int get_file(void)
{
	char *mem = new_memory(opt.size);
	size_t done, part;
	__u32 region;
	int sock = open_region(opt.offset + opt.size, &region);

	for (done = 0; done < opt.size; done += part) {
		struct st_get get = { .region = region, .offset = opt.offset + done };

		part = opt.size - done > ST_GET_MAX ? ST_GET_MAX : opt.size - done;
		get.len = part;
		get.addr = (unsigned long)mem + done;
		operate(sock, ST_GET, &get, sizeof(get), NULL, 0);
	}
	close(sock);
	store(opt.output, mem, opt.size);
	if (opt.verbose)
		fprintf(stderr, "stmem: %zu bytes got\n", opt.size);
	return EXIT_SUCCESS;
}

static int fetch_word(void)
{
	struct st_fetchop fetchop = { .op = opt.function, .offset = opt.offset };
	__u64 value = 0;
	unsigned int i;
	int sock;

	sock = open_region(opt.offset + sizeof(value), &fetchop.region);
	fetchop.addr = (unsigned long)&value;
	for (i = 0; i < opt.count; i++) {
		operate(sock, ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0);
		printf("%llu\n", value);
	}
	close(sock);
	if (fflush(stdout))
		errx(EXIT_LOCAL, "cannot write standard output: %s", strerror(errno));
	return EXIT_SUCCESS;
}

static int listen_at(void)
{
	struct sockaddr_st me = {
		.sst_family	= AF_ST,
		.sst_port	= htons(opt.port),
		.sst_ifindex	= opt.ifindex,
	};
	int events = ST_REGION_EV_REQUEST | (opt.verbose ? ST_REGION_EV_PUT : 0);
	socklen_t len = sizeof(me);
	int sock = new_socket();

	/* The Port of recently ended connections may be used again */
	setsockopt(sock, SOL_SOCKET, SO_REUSEADDR, &(int){ 1 }, sizeof(int));
	if (bind(sock, (struct sockaddr *)&me, sizeof(me)) ||
	    setsockopt(sock, SOL_ST, ST_REGION_EVENTS, &events, sizeof(events)) ||
	    listen(sock, MAX_PEERS) || getsockname(sock, (struct sockaddr *)&me, &len))
		errx(EXIT_NETWORK, "cannot listen at port %u: %s", opt.port, strerror(errno));
	if (opt.verbose || !opt.port)
		fprintf(stderr, "stmem: listening at port %u\n", ntohs(me.sst_port));
	return sock;
}

/* Answers a request of the peer for @len bytes. */
static void answer(int sock, char *mem, __u32 request, __u64 len)
{
	struct st_region_offer offer = {
		.size		= sizeof(offer),
		.addr		= (unsigned long)mem,
		.len		= opt.size,
		.access		= opt.access,
		.flags		= ST_REGION_ANSWER,
		.request	= request,
	};

	if (len <= opt.size && !ioctl(sock, SIOCSTEXPOSE, &offer)) {
		if (opt.verbose)
			fprintf(stderr, "stmem: %llu bytes lent\n", len);
		return;
	}
	fprintf(stderr, "stmem: %llu bytes of %zu refused%s%s\n", len, opt.size,
		len <= opt.size ? ": " : "", len <= opt.size ? strerror(errno) : "");
	setsockopt(sock, SOL_ST, ST_REGION_REFUSE, &request, sizeof(request));
}

static void take_events(int sock, char *mem)
{
	union {
		char room[CMSG_SPACE(sizeof(struct st_event))];
		struct cmsghdr align;
	} control;

	for (;;) {
		struct msghdr msg = {
			.msg_control	= control.room,
			.msg_controllen	= sizeof(control),
		};
		struct st_event event = {};
		struct cmsghdr *cmsg;
		size_t len;

		if (recvmsg(sock, &msg, MSG_ERRQUEUE) < 0)
			return;
		cmsg = CMSG_FIRSTHDR(&msg);
		if (!cmsg)
			return;
		/* Later kernels may have longer events */
		len = cmsg->cmsg_len - CMSG_LEN(0);
		memcpy(&event, CMSG_DATA(cmsg), len < sizeof(event) ? len : sizeof(event));
		if (event.type == ST_EVENT_REGION_REQUEST)
			answer(sock, mem, event.id, event.len);
		else if (event.type == ST_EVENT_PUT)
			fprintf(stderr, "stmem: %llu bytes put at %llu\n", event.len,
				event.value);
	}
}

/* Lends memory to all peers that connect, until a signal arrives. */
static int expose(void)
{
	struct pollfd fds[2 + MAX_PEERS] = {};
	size_t len = 0;
	char *mem = opt.file ? load(opt.file, opt.size, &len) : NULL;
	unsigned int nr = 2, i;
	sigset_t signals;

	if (!opt.size)
		opt.size = len ? len : DEFAULT_SIZE;
	if (len > opt.size)
		errx(EXIT_LOCAL, "%s has more than %zu bytes", opt.file, opt.size);
	if (!mem)
		mem = new_memory(opt.size);
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	fds[0] = (struct pollfd){ signalfd(-1, &signals, SFD_CLOEXEC), POLLIN, 0 };
	fds[1] = (struct pollfd){ listen_at(), POLLIN, 0 };
	while (!fds[0].revents) {
		fds[1].events = nr < 2 + MAX_PEERS ? POLLIN : 0;
		if (poll(fds, nr, -1) < 0)
			errx(EXIT_LOCAL, "cannot wait: %s", strerror(errno));
		for (i = 2; i < nr; i++) {
			if (fds[i].revents & POLLPRI)
				take_events(fds[i].fd, mem);
			if (!(fds[i].revents & (POLLHUP | POLLRDHUP)))
				continue;
			close(fds[i].fd);
			fds[i--] = fds[--nr];
		}
		if (fds[1].revents) {
			int sock = accept4(fds[1].fd, NULL, NULL, SOCK_CLOEXEC);

			if (sock >= 0)
				fds[nr++] = (struct pollfd){ sock, POLLRDHUP | POLLPRI, 0 };
		}
	}
	for (i = 1; i < nr; i++)
		close(fds[i].fd);
	if (opt.output)
		store(opt.output, mem, opt.size);
	return EXIT_SUCCESS;
}

static void show_help(void)
{
	fputs("Usage: stmem expose [-p PORT] [-i DEV] [-s SIZE] [-f FILE] [-o FILE] [-a ACCESS]\n"
	      "             [-v]\n"
	      "       stmem put [-i DEV] [-f FILE] [-O OFFSET] [-q] [-w SECONDS] [-v]\n"
	      "             ADDRESS PORT\n"
	      "       stmem get [-i DEV] [-o FILE] [-O OFFSET] -s SIZE [-w SECONDS] [-v]\n"
	      "             ADDRESS PORT\n"
	      "       stmem fetch [-i DEV] [-O OFFSET] [-x FUNCTION] [-n COUNT] [-w SECONDS]\n"
	      "             ADDRESS PORT\n"
	      "\n"
	      "Lends memory over Scheduled Transfer until a signal arrives, or writes to, reads\n"
	      "from or changes memory that is lent at PORT of the host with the address ADDRESS,\n"
	      "which can also be an IP address or a name.\n"
	      "\n"
	      "  -p, --port=PORT         port to listen at; 0 or none: the kernel chooses\n"
	      "  -i, --interface=DEV     network device to use\n"
	      "  -s, --size=SIZE         bytes to lend or get; K, M, G; default: of FILE, or 1M\n"
	      "  -f, --file=FILE         initial contents of the memory; source of put, instead\n"
	      "                          of standard input\n"
	      "  -o, --output=FILE       file for the memory at the end; destination of get,\n"
	      "                          instead of standard output\n"
	      "  -a, --access=ACCESS     what peers may do: some of p (put), g (get), f (fetch)\n"
	      "  -O, --offset=OFFSET     first byte in the memory; K, M, G; default 0\n"
	      "  -q, --silent            do not notify the program at the far end\n"
	      "  -x, --function=FUNCTION increment, decrement or clear; default increment\n"
	      "  -n, --count=COUNT       number of fetches; default 1\n"
	      "  -w, --timeout=SECONDS   give up without progress for this time\n"
	      "  -v, --verbose           report what is done\n"
	      "  -h, --help              show this help\n"
	      "  -V, --version           show the version\n"
	      "\n"
	      "Exit status: 0 done, 1 no connection, refused or broken, 2 usage, 3 local file\n"
	      "or memory.\n", stdout);
}

static unsigned int parse_access(const char *text)
{
	unsigned int access = 0;

	for (; *text; text++) {
		if (!strchr("pgf", *text))
			misused("access has the letter '%c', but may have p, g, f only", *text);
		access |= *text == 'p' ? ST_REGION_PUT :
			  *text == 'g' ? ST_REGION_GET : ST_REGION_FETCHOP;
	}
	if (!access)
		misused("access is empty, but must be some of p, g, f");
	return access;
}

static unsigned int parse_function(const char *text)
{
	static const char *const names[] = {
		[ST_FETCH_INCREMENT]	= "increment",
		[ST_FETCH_DECREMENT]	= "decrement",
		[ST_FETCH_CLEAR]	= "clear",
	};
	unsigned int i;

	for (i = ST_FETCH_INCREMENT; i <= ST_FETCH_CLEAR; i++)
		if (!strcmp(text, names[i]))
			return i;
	misused("function is '%s', but must be increment, decrement or clear", text);
}

/* The options of each command */
static const char *const short_options[] = {
	[EXPOSE] = "+p:i:s:f:o:a:vhV",
	[PUT] = "+i:f:O:qw:vhV",
	[GET] = "+i:o:O:s:w:vhV",
	[FETCH] = "+i:O:x:n:w:vhV",
};

static const struct option long_options[] = {
	{ "port", required_argument, NULL, 'p' },
	{ "interface", required_argument, NULL, 'i' },
	{ "size", required_argument, NULL, 's' },
	{ "file", required_argument, NULL, 'f' },
	{ "output", required_argument, NULL, 'o' },
	{ "access", required_argument, NULL, 'a' },
	{ "offset", required_argument, NULL, 'O' },
	{ "silent", no_argument, NULL, 'q' },
	{ "function", required_argument, NULL, 'x' },
	{ "count", required_argument, NULL, 'n' },
	{ "timeout", required_argument, NULL, 'w' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ }
};

static void set_option(int c)
{
	if (c != '?' && !strchr(short_options[opt.command], c))
		misused("stmem %s has no option -%c", command_names[opt.command], c);
	switch (c) {
	case 'p':
		opt.port = parse_size("port", optarg, 0, UINT16_MAX);
		break;
	case 'i':
		opt.device = optarg;
		break;
	case 's':
		opt.size = parse_size("size", optarg, 1, SSIZE_MAX);
		break;
	case 'f':
		opt.file = optarg;
		break;
	case 'o':
		opt.output = optarg;
		break;
	case 'a':
		opt.access = parse_access(optarg);
		break;
	case 'O':
		opt.offset = parse_size("offset", optarg, 0, SSIZE_MAX / 2);
		break;
	case 'q':
		opt.put_flags |= ST_PUT_SILENT;
		break;
	case 'x':
		opt.function = parse_function(optarg);
		break;
	case 'n':
		opt.count = parse_size("count", optarg, 1, UINT_MAX);
		break;
	case 'w':
		opt.timeout = parse_size("timeout", optarg, 1, 86400);
		break;
	case 'v':
		opt.verbose = true;
		break;
	default:
		/* getopt_long() has reported the error. */
		errx(EXIT_USAGE, USAGE_HINT);
	}
}

static void parse_options(int argc, char **argv)
{
	unsigned int i;
	int c;

	if (argc > 1 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))) {
		show_help();
		written(EXIT_SUCCESS);
	}
	if (argc > 1 && (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version"))) {
		puts("stmem " STMEM_VERSION);
		written(EXIT_SUCCESS);
	}
	for (i = 0; argc > 1 && i <= FETCH; i++)
		if (!strcmp(argv[1], command_names[i]))
			break;
	if (argc < 2 || i > FETCH)
		misused("the first word must be expose, put, get or fetch");
	opt.command = i;
	/* getopt_long() reports errors with this name */
	argv[1] = argv[0];
	argv++;
	argc--;
	while ((c = getopt_long(argc, argv, short_options[opt.command], long_options,
				NULL)) != -1) {
		if (c == 'h') {
			show_help();
			written(EXIT_SUCCESS);
		}
		if (c == 'V') {
			puts("stmem " STMEM_VERSION);
			written(EXIT_SUCCESS);
		}
		set_option(c);
	}
	argv += optind;
	argc -= optind;
	if (opt.command == EXPOSE) {
		if (argc)
			misused("stmem expose takes no ADDRESS and no PORT");
		return;
	}
	if (argc != 2)
		misused("ADDRESS and PORT are needed");
	opt.address = argv[0];
	opt.port = parse_size("port", argv[1], 1, UINT16_MAX);
	if (opt.command == GET && !opt.size)
		misused("stmem get needs -s");
}

int main(int argc, char **argv)
{
	static int (*const run[])(void) = {
		[EXPOSE] = expose, [PUT] = put_file, [GET] = get_file, [FETCH] = fetch_word,
	};
	struct search where = {};

	parse_options(argc, argv);
	if (opt.device) {
		opt.ifindex = device_index(opt.device);
		if (!opt.ifindex)
			errx(EXIT_USAGE, "%s: %s", opt.device, strerror(errno));
	}
	if (opt.command != EXPOSE) {
		where.ifindex = opt.ifindex;
		where.timeout = opt.timeout;
		find_address(opt.address, &where, &opt.peer);
		opt.peer.sst_port = htons(opt.port);
	}
	return run[opt.command]();
}
