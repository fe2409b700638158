// SPDX-License-Identifier: GPL-2.0
/*
 * Setup of AF_ST connections, successful and failing.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "kselftest_harness.h"

#include "common.h"

/* An address that no host on the cable has. */
static struct sockaddr_st nobody(void)
{
	struct sockaddr_st addr = address(B, 2000);

	addr.sst_addr[ULA_LEN - 1] ^= 0x55;
	return addr;
}

static int pending_error(int fd)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &value, &len) ? -1 : value;
}

FIXTURE(connect)
{
	int listener;
};

FIXTURE_SETUP(connect)
{
	ASSERT_TRUE(set_up());
	self->listener = new_listener(B, 1);
	ASSERT_LE(0, self->listener);
}

FIXTURE_TEARDOWN(connect)
{
	close(self->listener);
}

TEST_F(connect, names)
{
	struct sockaddr_st accepted, name[2], peer[2];
	socklen_t len = sizeof(accepted);
	int fds[2], i;

	fds[A] = open_connection(A, self->listener);
	ASSERT_LE(0, fds[A]);
	fds[B] = accept(self->listener, (struct sockaddr *)&accepted, &len);
	ASSERT_LE(0, fds[B]);
	EXPECT_EQ(sizeof(accepted), len);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, getsockname(fds[i], (struct sockaddr *)&name[i], &len));
		EXPECT_EQ(sizeof(name[i]), len);
		ASSERT_EQ(0, getpeername(fds[i], (struct sockaddr *)&peer[i], &len));
		EXPECT_EQ(sizeof(peer[i]), len);
	}
	EXPECT_EQ(0, memcmp(&accepted, &peer[B], sizeof(accepted)));
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(AF_ST, name[i].sst_family);
		EXPECT_EQ(AF_ST, peer[i].sst_family);
		EXPECT_EQ(name[i].sst_port, peer[!i].sst_port);
		EXPECT_EQ(ST_LLP_HIPPI6400, name[i].sst_llp);
		EXPECT_EQ(ST_LLP_HIPPI6400, peer[i].sst_llp);
		EXPECT_EQ(sides[i].ifindex, name[i].sst_ifindex);
		EXPECT_EQ(sides[i].ifindex, peer[i].sst_ifindex);
		EXPECT_EQ(ULA_LEN, name[i].sst_alen);
		EXPECT_EQ(ULA_LEN, peer[i].sst_alen);
		EXPECT_EQ(0, memcmp(sides[i].ula, name[i].sst_addr, ULA_LEN));
		EXPECT_EQ(0, memcmp(sides[!i].ula, peer[i].sst_addr, ULA_LEN));
	}
	EXPECT_EQ(port_of(self->listener), ntohs(name[B].sst_port));
}

TEST_F(connect, refused_then_accepted)
{
	struct sockaddr_st to = address(B, 2999);
	int fd = new_socket(A, 0);

	EXPECT_ERRNO(ECONNREFUSED, connect_to(fd, &to));
	EXPECT_EQ(0, pending_error(fd));
	to = address(B, port_of(self->listener));
	EXPECT_EQ(0, connect_to(fd, &to));
	EXPECT_ERRNO(EISCONN, connect_to(fd, &to));
	close(fd);
}

/* A socket has one Virtual Connection in its life, accepted by its owner or not. */
TEST_F_TIMEOUT(connect, not_again_after_a_connection, 60)
{
	struct sockaddr_st to = address(B, port_of(self->listener));
	int fd = new_socket(A, SOCK_NONBLOCK), accepted, other;
	long long end = now_ms() + 10 * SOON_MS;
	char byte = 0;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 100));
	ASSERT_TRUE(sysctl_set(A, "max_connections", 1));
	/* Others may still be held. */
	do {
		other = connect_to(fd, &to) ? errno : 0;
	} while (other == ENOBUFS && now_ms() < end);
	ASSERT_TRUE(!other || other == EINPROGRESS);
	accepted = accept(self->listener, NULL, NULL);
	ASSERT_LE(0, accepted);
	ASSERT_EQ(1, send(accepted, "x", 1, MSG_DONTWAIT));
	ASSERT_TRUE(poll_for(fd, POLLIN, SOON_MS) & POLLIN);
	close(accepted);
	/* When it is over, its place is free. */
	while ((other = open_connection(A, self->listener)) < 0 && now_ms() < end)
		ASSERT_EQ(ENOBUFS, errno);
	ASSERT_LE(0, other);
	close(other);

	connect_to(fd, &to);
	EXPECT_ERRNO(EISCONN, connect_to(fd, &to));
	EXPECT_EQ(-1, listen(fd, 1));
	EXPECT_EQ(1, recv(fd, &byte, 1, 0));
	EXPECT_EQ('x', byte);
	close(fd);
}

/* A listener that is shut down is no longer a listener, but can become one again. */
TEST_F(connect, listener_shut_down)
{
	int fd = new_listener(B, 4), waiting = open_connection(A, fd), next;
	char byte;

	ASSERT_LE(0, waiting);
	EXPECT_EQ(0, shutdown(fd, SHUT_WR));
	next = open_connection(A, fd);
	EXPECT_LE(0, next);
	close(next);
	EXPECT_EQ(0, shutdown(fd, SHUT_RD));
	EXPECT_EQ(-1, recv_record(waiting, &byte, 1));
	EXPECT_TRUE(errno == ENODATA || errno == ECONNRESET);
	close(waiting);
	EXPECT_ERRNO(ECONNREFUSED, open_connection(A, fd));
	EXPECT_ERRNO(EINVAL, accept(fd, NULL, NULL));

	ASSERT_EQ(0, listen(fd, 4));
	next = open_connection(A, fd);
	EXPECT_LE(0, next);
	waiting = accept(fd, NULL, NULL);
	EXPECT_LE(0, waiting);
	close(waiting);
	close(next);
	close(fd);
}

static int ethertype_of(int fd)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_ST, ST_ETHERTYPE, &value, &len) ? -1 : value;
}

static int set_ethertype(int fd, int value)
{
	return setsockopt(fd, SOL_ST, ST_ETHERTYPE, &value, sizeof(value));
}

TEST_F(connect, ethertype_values)
{
	static const int bad[] = { -1, 1, 1535, 65536 }, good[] = { 1536, 0x8180, 65535, 0 };
	int fd = new_socket(A, 0);
	size_t i;

	EXPECT_EQ(0, ethertype_of(fd));
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_ERRNO(EINVAL, set_ethertype(fd, bad[i]));
	EXPECT_EQ(0, ethertype_of(fd));
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_EQ(0, set_ethertype(fd, good[i]));
		EXPECT_EQ(good[i], ethertype_of(fd));
	}
	ASSERT_EQ(0, listen(fd, 1));
	EXPECT_ERRNO(EISCONN, set_ethertype(fd, 0x0800));
	close(fd);
}

TEST_F(connect, ethertype_of_listener_only)
{
	int listener = new_socket(B, 0), fd = new_socket(A, 0), accepted;
	struct sockaddr_st to;
	struct st_errors errors;
	socklen_t len = sizeof(errors);

	ASSERT_EQ(0, set_ethertype(listener, 0x0800));
	ASSERT_EQ(0, listen(listener, 1));
	to = address(B, port_of(listener));
	EXPECT_ERRNO(ECONNREFUSED, connect_to(fd, &to));
	ASSERT_EQ(0, set_ethertype(fd, 0x8180));
	EXPECT_ERRNO(ECONNREFUSED, connect_to(fd, &to));
	ASSERT_EQ(0, getsockopt(listener, SOL_ST, ST_ERRORS, &errors, &len));
	EXPECT_EQ(2, errors.count[ST_ERR_UNKNOWN_ETHERTYPE]);

	ASSERT_EQ(0, set_ethertype(fd, 0x0800));
	ASSERT_EQ(0, connect_to(fd, &to));
	EXPECT_ERRNO(EISCONN, set_ethertype(fd, 0));
	accepted = accept(listener, NULL, NULL);
	ASSERT_LE(0, accepted);
	EXPECT_EQ(0x0800, ethertype_of(accepted));
	close(fd);

	/* Nor does a listener with the default EtherType accept another one. */
	fd = new_socket(A, 0);
	to = address(B, port_of(self->listener));
	ASSERT_EQ(0, set_ethertype(fd, 0x0800));
	EXPECT_ERRNO(ECONNREFUSED, connect_to(fd, &to));
	close(fd);
	close(accepted);
	close(listener);
}

TEST_F(connect, wrong_addresses)
{
	struct sockaddr_st to = address(B, port_of(self->listener));
	int fd = new_socket(A, 0);

	to.sst_family = AF_INET;
	EXPECT_ERRNO(EAFNOSUPPORT, connect_to(fd, &to));
	to.sst_family = AF_ST;
	EXPECT_ERRNO(EINVAL, connect(fd, (struct sockaddr *)&to, sizeof(to) - 1));
	to.sst_reserved[1] = 1;
	EXPECT_ERRNO(EINVAL, connect_to(fd, &to));
	to.sst_reserved[1] = 0;
	to.sst_port = 0;
	EXPECT_ERRNO(EINVAL, connect_to(fd, &to));
	to.sst_port = htons(port_of(self->listener));
	to.sst_alen = ULA_LEN - 1;
	EXPECT_ERRNO(EINVAL, connect_to(fd, &to));
	to.sst_alen = ST_ADDR_MAX + 1;
	EXPECT_ERRNO(EINVAL, connect_to(fd, &to));
	to.sst_alen = ULA_LEN;
	memset(to.sst_addr, 0xff, ULA_LEN);
	EXPECT_ERRNO(EINVAL, connect_to(fd, &to));
	to = address(B, port_of(self->listener));
	to.sst_addr[0] |= 1;
	EXPECT_ERRNO(EINVAL, connect_to(fd, &to));
	to.sst_addr[0] &= ~1;
	EXPECT_EQ(0, connect_to(fd, &to));
	close(fd);
}

TEST_F(connect, no_such_link)
{
	struct sockaddr_st to = address(B, port_of(self->listener));
	int fd = new_socket(A, 0);

	to.sst_ifindex = 99999;
	EXPECT_ERRNO(ENODEV, connect_to(fd, &to));
	to.sst_ifindex = if_nametoindex("lo");
	EXPECT_ERRNO(ENODEV, connect_to(fd, &to));
	to.sst_ifindex = sides[A].ifindex;
	to.sst_llp = 0xee;
	EXPECT_ERRNO(ENODEV, connect_to(fd, &to));
	to.sst_llp = ST_LLP_HIPPI6400;
	EXPECT_EQ(0, connect_to(fd, &to));
	close(fd);

	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	fd = socket(AF_ST, SOCK_SEQPACKET, 0);
	ASSERT_LE(0, fd);
	to = address(B, port_of(self->listener));
	EXPECT_ERRNO(ENETUNREACH, connect_to(fd, &to));
	close(fd);
}

TEST_F_TIMEOUT(connect, device_down, 60)
{
	struct sockaddr_st to = address(B, port_of(self->listener));
	int fd = new_socket(A, 0);

	ASSERT_TRUE(link_set_up(A, false));
	EXPECT_ERRNO(ENETDOWN, connect_to(fd, &to));
	ASSERT_TRUE(link_set_up(A, true));
	ASSERT_TRUE(wait_carrier(A));
	ASSERT_TRUE(wait_carrier(B));
	EXPECT_EQ(0, connect_to(fd, &to));
	close(fd);
}

TEST_F(connect, without_waiting)
{
	struct sockaddr_st to = address(B, port_of(self->listener));
	int fd = new_socket(A, SOCK_NONBLOCK);

	/* The answer may be there before the call returns */
	if (connect_to(fd, &to)) {
		EXPECT_EQ(EINPROGRESS, errno);
		EXPECT_EQ(POLLOUT, poll_for(fd, POLLOUT, SOON_MS));
		EXPECT_EQ(0, pending_error(fd));
		EXPECT_EQ(0, connect_to(fd, &to));
	}
	EXPECT_ERRNO(EISCONN, connect_to(fd, &to));
	close(fd);

	fd = new_socket(A, SOCK_NONBLOCK);
	to = address(B, 2999);
	EXPECT_EQ(-1, connect_to(fd, &to));
	if (errno != ECONNREFUSED) {
		EXPECT_EQ(EINPROGRESS, errno);
		EXPECT_TRUE(poll_for(fd, POLLOUT, SOON_MS) & POLLERR);
		EXPECT_EQ(ECONNREFUSED, pending_error(fd));
	}
	EXPECT_EQ(0, pending_error(fd));
	close(fd);
}

TEST_F(connect, no_answer)
{
	struct sockaddr_st to = nobody();
	int fd = new_socket(A, SOCK_NONBLOCK);
	long long start;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 100));
	ASSERT_TRUE(sysctl_set(A, "max_retry", 3));
	EXPECT_ERRNO(EINPROGRESS, connect_to(fd, &to));
	EXPECT_ERRNO(EALREADY, connect_to(fd, &to));
	EXPECT_TRUE(poll_for(fd, POLLOUT, SOON_MS) & POLLERR);
	EXPECT_EQ(ETIMEDOUT, pending_error(fd));
	close(fd);

	fd = new_socket(A, 0);
	start = now_ms();
	EXPECT_ERRNO(ETIMEDOUT, connect_to(fd, &to));
	EXPECT_LE(start + 300, now_ms());
	close(fd);
}

/* ST_USER_TIMEOUT is shorter than what Max_Retry takes. */
TEST_F(connect, user_timeout)
{
	struct sockaddr_st to = address(B, 2000);
	int fd = new_socket(A, 0), limit = 300;
	long long start = now_ms();

	to.sst_addr[ULA_LEN - 1] ^= 0x55;
	ASSERT_EQ(0, setsockopt(fd, SOL_ST, ST_USER_TIMEOUT, &limit, sizeof(limit)));
	ASSERT_TRUE(sysctl_set(A, "max_retry", 255));
	EXPECT_ERRNO(ETIMEDOUT, connect_to(fd, &to));
	EXPECT_LE(start + limit, now_ms());
	EXPECT_GT(start + 10 * limit, now_ms());
	close(fd);
}

/* An operation that nobody waits for is given up after Max_Retry, whatever ST_USER_TIMEOUT is. */
TEST_F(connect, user_timeout_ends_with_the_socket)
{
	struct sockaddr_st to = nobody();
	int fd = new_socket(A, SOCK_NONBLOCK), limit = INT_MAX;
	long long end = now_ms() + SOON_MS;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 50));
	ASSERT_TRUE(sysctl_set(A, "max_retry", 2));
	ASSERT_EQ(0, setsockopt(fd, SOL_ST, ST_USER_TIMEOUT, &limit, sizeof(limit)));
	EXPECT_ERRNO(EINPROGRESS, connect_to(fd, &to));
	EXPECT_EQ(0, close(fd));
	while (sockets_of(A)) {
		ASSERT_GT(end, now_ms());
		usleep(10000);
	}
}

TEST_F(connect, limited_wait)
{
	struct sockaddr_st to = nobody();
	int fd = new_socket(A, 0);
	long long start = now_ms();

	ASSERT_TRUE(set_timeout(fd, SO_SNDTIMEO, BRIEF_MS));
	EXPECT_ERRNO(EINPROGRESS, connect_to(fd, &to));
	EXPECT_LE(start + BRIEF_MS / 2, now_ms());
	EXPECT_GE(start + SOON_MS, now_ms());
	close(fd);
}

TEST_F(connect, signal_while_connecting)
{
	struct sockaddr_st to = nobody();
	int fd = new_socket(A, 0);

	ASSERT_TRUE(sysctl_set(A, "max_retry", 100));
	ASSERT_TRUE(catch_signal(SIGUSR1, 0));
	pid_t self_pid = getpid(), child = fork();

	if (!child) {
		usleep(BRIEF_MS * 1000);
		kill(self_pid, SIGUSR1);
		_exit(0);
	}
	EXPECT_ERRNO(EINTR, connect_to(fd, &to));
	close(fd);
}

TEST_F(connect, closed_while_connecting)
{
	struct sockaddr_st to = nobody();
	int fd = new_socket(A, SOCK_NONBLOCK);

	EXPECT_ERRNO(EINPROGRESS, connect_to(fd, &to));
	EXPECT_EQ(0, close(fd));
	/* The link still works. */
	fd = open_connection(A, self->listener);
	EXPECT_LE(0, fd);
	close(fd);
}

TEST_F(connect, accept_waits)
{
	int fd = new_listener(B, 1);
	long long start = now_ms();

	ASSERT_TRUE(set_timeout(fd, SO_RCVTIMEO, BRIEF_MS));
	EXPECT_ERRNO(EAGAIN, accept(fd, NULL, NULL));
	EXPECT_LE(start + BRIEF_MS / 2, now_ms());
	EXPECT_EQ(0, poll_for(fd, POLLIN, 0));

	ASSERT_LE(0, open_connection(A, fd));
	EXPECT_EQ(POLLIN, poll_for(fd, POLLIN, SOON_MS));
	EXPECT_LE(0, accept(fd, NULL, NULL));
	EXPECT_EQ(0, poll_for(fd, POLLIN, 0));
	close(fd);

	fd = new_socket(B, SOCK_NONBLOCK);
	ASSERT_EQ(0, listen(fd, 1));
	EXPECT_EQ(0, listen(fd, 2));
	EXPECT_ERRNO(EAGAIN, accept(fd, NULL, NULL));
	close(fd);
}

TEST_F(connect, listener_closes)
{
	int fd = new_listener(B, 4), connection = open_connection(A, fd);
	char byte;

	/* A connection that was not accepted sees the end. */
	ASSERT_LE(0, connection);
	ASSERT_EQ(0, close(fd));
	EXPECT_EQ(-1, recv_record(connection, &byte, 1));
	EXPECT_TRUE(errno == ENODATA || errno == ECONNRESET);
	close(connection);
}

TEST_F(connect, port_of_listener_again)
{
	struct sockaddr_st addr = { .sst_family = AF_ST };
	int listener = new_listener(B, 1), other = new_socket(B, 0), fds[2], one = 1;

	fds[A] = open_connection(A, listener);
	ASSERT_LE(0, fds[A]);
	fds[B] = accept(listener, NULL, NULL);
	ASSERT_LE(0, fds[B]);
	addr.sst_port = htons(port_of(listener));
	ASSERT_EQ(0, close(listener));

	/* The accepted connection is still on the Port. */
	EXPECT_ERRNO(EADDRINUSE, bind_to(other, &addr));
	ASSERT_EQ(0, setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	EXPECT_EQ(0, bind_to(other, &addr));
	EXPECT_EQ(0, listen(other, 1));
	EXPECT_LE(0, open_connection(A, other));
	EXPECT_EQ(1, send(fds[A], "x", 1, MSG_NOSIGNAL));
	EXPECT_EQ(1, recv_record(fds[B], &(char){ 0 }, 1));
}

/* A new owner of a Port does not get the error log of the previous one. */
TEST_F(connect, port_without_errors_of_before)
{
	struct sockaddr_st addr = { .sst_family = AF_ST }, to;
	int listener = new_socket(B, 0), other = new_socket(B, 0), fd, one = 1;
	struct st_errors errors;
	socklen_t len = sizeof(errors);

	ASSERT_EQ(0, set_ethertype(listener, 0x0800));
	ASSERT_EQ(0, listen(listener, 1));
	to = address(B, port_of(listener));
	fd = new_socket(A, 0);
	EXPECT_ERRNO(ECONNREFUSED, connect_to(fd, &to));
	ASSERT_EQ(0, set_ethertype(fd, 0x0800));
	ASSERT_EQ(0, connect_to(fd, &to));
	ASSERT_EQ(0, getsockopt(listener, SOL_ST, ST_ERRORS, &errors, &len));
	EXPECT_EQ(1, errors.count[ST_ERR_UNKNOWN_ETHERTYPE]);
	ASSERT_LE(0, accept(listener, NULL, NULL));
	addr.sst_port = to.sst_port;
	ASSERT_EQ(0, close(listener));

	ASSERT_EQ(0, setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	ASSERT_EQ(0, bind_to(other, &addr));
	ASSERT_EQ(0, getsockopt(other, SOL_ST, ST_ERRORS, &errors, &len));
	EXPECT_EQ(0, errors.count[ST_ERR_UNKNOWN_ETHERTYPE]);
	close(other);
	close(fd);
}

TEST_F_TIMEOUT(connect, backlog_full, 60)
{
	enum { CLIENTS = 6 };
	struct sockaddr_st to = address(B, port_of(self->listener));
	int fd[CLIENTS], i, connected = 0;

	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 100));
	ASSERT_TRUE(sysctl_set(A, "max_retry", 255));
	for (i = 0; i < CLIENTS; i++) {
		fd[i] = new_socket(A, SOCK_NONBLOCK);
		/* It may be there before connect() returns */
		if (connect_to(fd[i], &to))
			EXPECT_EQ(EINPROGRESS, errno);
	}
	usleep(5 * BRIEF_MS * 1000);
	for (i = 0; i < CLIENTS; i++)
		connected += !!poll_for(fd[i], POLLOUT, 0);
	EXPECT_LE(1, connected);
	EXPECT_GE(2, connected);	/* one more than the backlog is accepted, as elsewhere */

	/* Each accepted connection makes room for a pending one. */
	for (i = 0; i < CLIENTS; i++) {
		ASSERT_EQ(POLLIN, poll_for(self->listener, POLLIN, SOON_MS));
		EXPECT_LE(0, accept(self->listener, NULL, NULL));
	}
	for (i = 0; i < CLIENTS; i++) {
		EXPECT_EQ(POLLOUT, poll_for(fd[i], POLLOUT, SOON_MS));
		EXPECT_EQ(0, pending_error(fd[i]));
	}
}

static void many_at_once(struct __test_metadata *_metadata, int count)
{
	enum { LEN = 3000 };
	int listener = new_listener(B, count), client[count], server[count], i, j;
	struct sockaddr_st peer;
	socklen_t len;
	char buf[LEN];

	ASSERT_LE(0, listener);
	/* All of them at once take a slow machine seconds for each step. */
	ASSERT_TRUE(sysctl_set(A, "op_timeout_ms", 5000));
	ASSERT_TRUE(sysctl_set(B, "op_timeout_ms", 5000));
	for (i = 0; i < count; i++) {
		client[i] = open_connection(A, listener);
		ASSERT_LE(0, client[i]);
		server[i] = -1;
	}
	/* Put each accepted one to the client whose Port it names. */
	for (i = 0; i < count; i++) {
		len = sizeof(peer);
		int fd = accept(listener, (struct sockaddr *)&peer, &len);

		ASSERT_LE(0, fd);
		for (j = 0; j < count; j++)
			if (port_of(client[j]) == ntohs(peer.sst_port))
				break;
		ASSERT_LT(j, count);
		ASSERT_EQ(-1, server[j]);
		server[j] = fd;
	}
	for (i = 0; i < count; i++) {
		fill(buf, LEN - i, i, 0);
		EXPECT_EQ(LEN - i, send(client[i], buf, LEN - i, MSG_DONTWAIT | MSG_NOSIGNAL));
		EXPECT_EQ(LEN - i, send(server[i], buf, LEN - i, MSG_DONTWAIT | MSG_NOSIGNAL));
	}
	for (i = 0; i < count; i++) {
		ASSERT_EQ(LEN - i, recv_record(client[i], buf, LEN));
		EXPECT_TRUE(is_filled(buf, LEN - i, i, 0));
		ASSERT_EQ(LEN - i, recv_record(server[i], buf, LEN));
		EXPECT_TRUE(is_filled(buf, LEN - i, i, 0));
	}
	for (i = 0; i < count; i++)
		close(client[i]);
	for (i = 0; i < count; i++)
		EXPECT_ERRNO(ENODATA, recv_record(server[i], buf, LEN));
}

TEST_F_TIMEOUT(connect, sixteen_at_once, 60)
{
	many_at_once(_metadata, 16);
}

TEST_F_TIMEOUT(connect, sixty_four_at_once, 400)
{
	many_at_once(_metadata, 64);
}

TEST_F_TIMEOUT(connect, again_and_again, 120)
{
	int i, fds[2];
	char byte;

	for (i = 0; i < 200; i++) {
		fds[A] = open_connection(A, self->listener);
		ASSERT_LE(0, fds[A]);
		fds[B] = accept(self->listener, NULL, NULL);
		ASSERT_LE(0, fds[B]);
		byte = i;
		ASSERT_EQ(1, send(fds[i % 2], &byte, 1, MSG_NOSIGNAL));
		ASSERT_EQ(1, recv_record(fds[!(i % 2)], &byte, 1));
		EXPECT_EQ((char)i, byte);
		close(fds[i / 2 % 2]);
		close(fds[!(i / 2 % 2)]);
	}
}

TEST_HARNESS_MAIN
