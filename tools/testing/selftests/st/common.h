/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared code of the tests of AF_ST sockets: two sides, each a hippi netdev in
 * its own network namespace, with a cable between them.  With ST_LLP=ethernet in
 * the environment they are a veth pair, with ST_LLP=rio9 endpoints of a RapidIO fabric, with
 * ST_LLP=fcle a veth pair with ports of Fibre Channel.
 */
#ifndef SELFTESTS_ST_COMMON_H
#define SELFTESTS_ST_COMMON_H

#include <net/if.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <linux/st.h>

#include "frame.h"

#define ULA_LEN		6
#define ADDR_MAX	16	/* the longest address */
#define SOON_MS		5000	/* for expected events, with a margin for slow machines */
#define BRIEF_MS	200	/* for events that must not occur */

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#endif

/* The call fails with this errno. */
#define EXPECT_ERRNO(error, call)		\
	do {					\
		errno = 0;			\
		EXPECT_EQ(-1, (long)(call));	\
		EXPECT_EQ(error, errno);	\
	} while (0)

enum { A, B };

/**
 * struct side - one end of the cable
 * @ns: name of its network namespace
 * @dev: its netdev
 * @ifindex: of the netdev
 * @ula: address of the netdev
 */
struct side {
	const char	*ns;
	char		dev[IF_NAMESIZE];
	int		ifindex;
	__u8		ula[ADDR_MAX];
};

extern struct side sides[2];

/* Prints what has failed, and errno; returns false. */
bool fail(const char *what);

/* Between the two sides */
enum medium medium(void);
/* Finds both sides and restores their defaults; prints what is missing. */
bool set_up(void);
bool enter(int side);
bool link_set_up(int side, bool up);
bool link_set_address(int side, const __u8 *ula);
bool wait_carrier(int side);

/* Sets the devices of both sides down and up in turn, each time @done has grown by @each. */
bool links_come_and_go(const unsigned int *done, unsigned int each);
/* An unprivileged user; switches the process to it permanently */
#define NOBODY		65534
bool become_nobody(void);

/* Writes a file in one write, as for cgroups and sysctls */
bool write_text(const char *path, const char *text);
/* Sets a parameter of the caller's namespace, or of a side */
bool sysctl_here_set(const char *name, long long value);
long long sysctl_here_get(const char *name);
bool sysctl_set(int side, const char *name, long long value);
long long sysctl_get(int side, const char *name);
bool fault_set(int port, const char *name, const char *value);

/* Number of AF_ST sockets in the namespace of a side, including those without a process, or -1. */
int sockets_of(int side);
bool no_sockets(int timeout_ms);
long long fault_stat(int port, const char *name);
long long dev_stat(int side, const char *name);

struct sockaddr_st address(int side, unsigned int port);
int bind_to(int fd, const struct sockaddr_st *addr);
int connect_to(int fd, const struct sockaddr_st *addr);
int new_socket(int side, int flags);
int new_listener(int side, int backlog);
struct st_info get_info(int fd);
unsigned int port_of(int fd);
int open_connection(int from, int listener);
bool new_pair(int fds[2]);

long long now_ms(void);
short poll_for(int fd, short events, int timeout_ms);
bool set_timeout(int fd, int option, int ms);

/* Fills a buffer with bytes that identify the record and the position in it. */
void fill(void *buf, size_t len, unsigned int record, size_t at);
bool is_filled(const void *buf, size_t len, unsigned int record, size_t at);
void *new_pages(size_t len);

/* Guard bytes that must not be written. */
#define GUARD		0xa5
bool is_guard(const void *buf, size_t len);

/*
 * Receives at most @len bytes; @last tells whether they end their record.
 * Returns the number of bytes, or -1 with errno; ENODATA is the end of the
 * stream.
 */
ssize_t recv_part(int fd, void *buf, size_t len, int flags, bool *last);

/* A whole record; -1 with EOVERFLOW when it is longer than @len. */
ssize_t recv_record(int fd, void *buf, size_t len);

/**
 * struct job - a call that may wait, in a thread of its own: send() of one record, unless
 * @fd: socket
 * @buf: bytes
 * @len: number of bytes
 * @receive: recv_record()
 * @asks: region_request() of @len bytes
 * @answers: the record answers the Read with this id; 0: no Read
 * @tid: id of the thread, to signal it; 0 until it runs
 * @result: return value of the call
 * @error: errno after it
 * @thread: the thread
 */
struct job {
	int		fd;
	void		*buf;
	size_t		len;
	bool		receive;
	bool		asks;
	__u32		answers;
	pid_t		tid;
	ssize_t		result;
	int		error;
	pthread_t	thread;
};

bool job_start(struct job *job);
bool job_running(struct job *job);
void job_end(struct job *job);

/* Waits until the call returns by itself; false if it does not. */
bool job_ends(struct job *job);

/* Waits until the thread sleeps in its call. */
bool job_asleep(struct job *job);

/**
 * struct series - a thread that sends records one after the other
 * @fd: socket
 * @lens: their lengths; record n is fill()ed with its number
 * @count: how many
 * @sent: number of records sent
 * @error: errno of the failed one, or 0
 * @thread: the thread
 */
struct series {
	int		fd;
	const size_t	*lens;
	unsigned int	count;
	unsigned int	sent;
	int		error;
	pthread_t	thread;
};

bool series_start(struct series *series);
void series_end(struct series *series);

/* A handler that does nothing, with or without SA_RESTART. */
bool catch_signal(int signo, int flags);
bool signal_job(struct job *job, int signo);

/*
 * Parses the options of a program of random calls, and prints its name and seed: the
 * duration, and the seed, a new one each time if it is 0.  Prints the reason and
 * returns false for others.
 */
bool random_options(int argc, char **argv, const char *name, long *seconds, __u64 *seed);

#endif
