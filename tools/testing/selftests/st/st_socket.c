// SPDX-License-Identifier: GPL-2.0
/*
 * Calls on AF_ST sockets and their errors; addresses, Ports, options.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/capability.h>

#include "kselftest_harness.h"

#include "common.h"

FIXTURE(socket)
{
	int fd;
};

FIXTURE_SETUP(socket)
{
	ASSERT_TRUE(set_up());
	self->fd = new_socket(A, 0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(socket)
{
	close(self->fd);
}

TEST_F(socket, types)
{
	static const int wrong[] = { SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_RDM };
	int pair[2], fd;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT_ERRNO(ESOCKTNOSUPPORT, socket(AF_ST, wrong[i], 0));
	EXPECT_ERRNO(EPROTONOSUPPORT, socket(AF_ST, SOCK_SEQPACKET, 1));
	EXPECT_ERRNO(EPROTONOSUPPORT, socket(AF_ST, SOCK_SEQPACKET, IPPROTO_TCP));
	EXPECT_ERRNO(EOPNOTSUPP, socketpair(AF_ST, SOCK_SEQPACKET, 0, pair));

	fd = socket(AF_ST, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	ASSERT_LE(0, fd);
	EXPECT_TRUE(fcntl(fd, F_GETFL) & O_NONBLOCK);
	EXPECT_TRUE(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
}

TEST_F(socket, bind_refuses)
{
	struct sockaddr_st addr = { .sst_family = AF_ST };
	const struct sockaddr *any = (const struct sockaddr *)&addr;
	socklen_t len;

	for (len = 0; len < sizeof(addr); len++)
		EXPECT_ERRNO(EINVAL, bind(self->fd, any, len));
	EXPECT_ERRNO(EFAULT, bind(self->fd, (const struct sockaddr *)16, sizeof(addr)));

	addr.sst_family = AF_INET;
	EXPECT_ERRNO(EAFNOSUPPORT, bind_to(self->fd, &addr));
	addr.sst_family = AF_ST;

	for (len = 0; len < sizeof(addr.sst_reserved); len++) {
		addr.sst_reserved[len] = 1;
		EXPECT_ERRNO(EINVAL, bind_to(self->fd, &addr));
		addr.sst_reserved[len] = 0;
	}
	addr.sst_alen = ST_ADDR_MAX + 1;
	EXPECT_ERRNO(EINVAL, bind_to(self->fd, &addr));
	addr.sst_alen = 0;
	addr.sst_ifindex = -1;
	EXPECT_ERRNO(EINVAL, bind_to(self->fd, &addr));
	addr.sst_ifindex = 99999;
	EXPECT_ERRNO(ENODEV, bind_to(self->fd, &addr));
	addr.sst_ifindex = 0;
	addr.sst_llp = 0xee;
	EXPECT_ERRNO(ENODEV, bind_to(self->fd, &addr));

	addr = address(B, 0);	/* the other side's */
	EXPECT_ERRNO(EADDRNOTAVAIL, bind_to(self->fd, &addr));
	addr = address(A, 0);
	addr.sst_alen = ULA_LEN - 1;
	EXPECT_ERRNO(EADDRNOTAVAIL, bind_to(self->fd, &addr));

	EXPECT_EQ(0, port_of(self->fd));
}

TEST_F(socket, bind_full_address)
{
	struct sockaddr_st addr = address(A, 2000), got;
	socklen_t len = sizeof(got);

	addr.sst_ifindex = sides[A].ifindex;
	addr.sst_llp = ST_LLP_HIPPI6400;
	ASSERT_EQ(0, bind_to(self->fd, &addr));
	ASSERT_EQ(0, getsockname(self->fd, (struct sockaddr *)&got, &len));
	EXPECT_EQ(sizeof(got), len);
	EXPECT_EQ(0, memcmp(&addr, &got, sizeof(got)));
	addr.sst_port = htons(2001);
	EXPECT_ERRNO(EINVAL, bind_to(self->fd, &addr));
}

TEST_F(socket, bind_port_in_use)
{
	struct sockaddr_st addr = { .sst_family = AF_ST, .sst_port = htons(2002) };
	int other = new_socket(A, 0), one = 1;

	ASSERT_LE(0, other);
	ASSERT_EQ(0, bind_to(self->fd, &addr));
	EXPECT_ERRNO(EADDRINUSE, bind_to(other, &addr));
	ASSERT_EQ(0, setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	EXPECT_ERRNO(EADDRINUSE, bind_to(other, &addr));

	ASSERT_EQ(0, close(self->fd));
	EXPECT_EQ(0, bind_to(other, &addr));
	self->fd = other;
}

TEST_F(socket, bind_chooses)
{
	struct sockaddr_st addr = { .sst_family = AF_ST };
	int other = new_socket(A, 0);

	ASSERT_EQ(0, bind_to(self->fd, &addr));
	ASSERT_EQ(0, bind_to(other, &addr));
	EXPECT_LE(ST_PORT_RESERVED, port_of(self->fd));
	EXPECT_LE(ST_PORT_RESERVED, port_of(other));
	EXPECT_NE(port_of(self->fd), port_of(other));
	close(other);
}

static bool drop_bind_service(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return false;
	data[0].effective &= ~(1U << CAP_NET_BIND_SERVICE);
	return !syscall(SYS_capset, &header, data);
}

TEST_F(socket, bind_reserved_port)
{
	struct sockaddr_st addr = { .sst_family = AF_ST, .sst_port = htons(ST_PORT_RESERVED - 1) };
	int other = new_socket(A, 0);

	ASSERT_EQ(0, bind_to(self->fd, &addr));
	ASSERT_TRUE(drop_bind_service());
	addr.sst_port = htons(1);
	EXPECT_ERRNO(EACCES, bind_to(other, &addr));
	addr.sst_port = htons(ST_PORT_RESERVED - 2);
	EXPECT_ERRNO(EACCES, bind_to(other, &addr));
	addr.sst_port = htons(ST_PORT_RESERVED);
	EXPECT_EQ(0, bind_to(other, &addr));
	close(other);
}

TEST_F(socket, namespaces_apart)
{
	struct sockaddr_st addr = { .sst_family = AF_ST, .sst_port = htons(2003) };
	int other = new_socket(B, 0), fd;

	ASSERT_EQ(0, bind_to(self->fd, &addr));
	EXPECT_EQ(0, bind_to(other, &addr));
	EXPECT_EQ(0, listen(self->fd, 1));
	close(other);

	/* A connection to B does not find a listener in A. */
	fd = new_socket(A, 0);
	addr = address(B, 2003);
	EXPECT_ERRNO(ECONNREFUSED, connect_to(fd, &addr));
	close(fd);
}

TEST_F(socket, not_connected)
{
	struct sockaddr_st addr;
	socklen_t len = sizeof(addr);
	char byte = 0;

	EXPECT_ERRNO(ENOTCONN, send(self->fd, &byte, 1, MSG_NOSIGNAL));
	EXPECT_ERRNO(ENOTCONN, recv(self->fd, &byte, 1, 0));
	EXPECT_ERRNO(ENOTCONN, getpeername(self->fd, (struct sockaddr *)&addr, &len));
	EXPECT_ERRNO(ENOTCONN, shutdown(self->fd, SHUT_WR));
	EXPECT_ERRNO(EINVAL, accept(self->fd, NULL, NULL));

	ASSERT_EQ(0, listen(self->fd, 1));
	EXPECT_ERRNO(ENOTCONN, send(self->fd, &byte, 1, MSG_NOSIGNAL));
	EXPECT_ERRNO(ENOTCONN, recv(self->fd, &byte, 1, 0));
	addr = address(B, 2000);
	EXPECT_ERRNO(EINVAL, connect_to(self->fd, &addr));
}

TEST_F(socket, flags_not_offered)
{
	struct sockaddr_st to = address(B, 2000);
	char byte = 0, control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	int fds[2];

	ASSERT_TRUE(new_pair(fds));
	EXPECT_ERRNO(EOPNOTSUPP, send(fds[A], &byte, 1, MSG_OOB | MSG_NOSIGNAL));
	EXPECT_ERRNO(EOPNOTSUPP, recv(fds[A], &byte, 1, MSG_OOB));
	EXPECT_ERRNO(EISCONN, sendto(fds[A], &byte, 1, MSG_NOSIGNAL, (struct sockaddr *)&to,
				     sizeof(to)));
	CMSG_FIRSTHDR(&msg)->cmsg_len = CMSG_LEN(sizeof(int));
	CMSG_FIRSTHDR(&msg)->cmsg_level = SOL_ST;
	EXPECT_ERRNO(EINVAL, sendmsg(fds[A], &msg, MSG_NOSIGNAL));

	/* None of this affects the connection. */
	EXPECT_EQ(1, send(fds[A], &byte, 1, MSG_NOSIGNAL));
	EXPECT_EQ(1, recv_record(fds[B], &byte, 1));
}

static int get_int(int fd, int level, int name)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, level, name, &value, &len) ? -1 : value;
}

TEST_F(socket, general_options)
{
	EXPECT_EQ(AF_ST, get_int(self->fd, SOL_SOCKET, SO_DOMAIN));
	EXPECT_EQ(SOCK_SEQPACKET, get_int(self->fd, SOL_SOCKET, SO_TYPE));
	EXPECT_EQ(0, get_int(self->fd, SOL_SOCKET, SO_ERROR));
	EXPECT_EQ(0, get_int(self->fd, SOL_SOCKET, SO_ACCEPTCONN));
	ASSERT_EQ(0, listen(self->fd, 1));
	EXPECT_EQ(1, get_int(self->fd, SOL_SOCKET, SO_ACCEPTCONN));
}

TEST_F(socket, unknown_options)
{
	int value = 1;
	socklen_t len = sizeof(value);

	EXPECT_ERRNO(ENOPROTOOPT, setsockopt(self->fd, SOL_ST, 99, &value, len));
	EXPECT_ERRNO(ENOPROTOOPT, getsockopt(self->fd, SOL_ST, 99, &value, &len));
	EXPECT_ERRNO(ENOPROTOOPT, setsockopt(self->fd, SOL_ST, ST_INFO, &value, len));
	EXPECT_ERRNO(ENOPROTOOPT, setsockopt(self->fd, SOL_ST, ST_ERRORS, &value, len));
	EXPECT_ERRNO(ENOPROTOOPT, setsockopt(self->fd, IPPROTO_TCP, ST_CHECKSUM, &value, len));
	EXPECT_ERRNO(ENOPROTOOPT, getsockopt(self->fd, IPPROTO_TCP, ST_CHECKSUM, &value, &len));
	len = -1;
	EXPECT_ERRNO(EINVAL, getsockopt(self->fd, SOL_ST, ST_CHECKSUM, &value, &len));
}

TEST_F(socket, checksum_option)
{
	int value = 0, other;

	EXPECT_EQ(1, get_int(self->fd, SOL_ST, ST_CHECKSUM));
	EXPECT_EQ(0, setsockopt(self->fd, SOL_ST, ST_CHECKSUM, &value, sizeof(value)));
	EXPECT_EQ(0, get_int(self->fd, SOL_ST, ST_CHECKSUM));
	value = 1;
	EXPECT_EQ(0, setsockopt(self->fd, SOL_ST, ST_CHECKSUM, &value, sizeof(value)));
	EXPECT_EQ(1, get_int(self->fd, SOL_ST, ST_CHECKSUM));
	EXPECT_ERRNO(EINVAL, setsockopt(self->fd, SOL_ST, ST_CHECKSUM, &value, 1));
	EXPECT_ERRNO(EFAULT, setsockopt(self->fd, SOL_ST, ST_CHECKSUM, (void *)16, 4));
	value = 2;
	EXPECT_ERRNO(EINVAL, setsockopt(self->fd, SOL_ST, ST_CHECKSUM, &value, sizeof(value)));
	value = -1;
	EXPECT_ERRNO(EINVAL, setsockopt(self->fd, SOL_ST, ST_CHECKSUM, &value, sizeof(value)));
	value = 0;
	ASSERT_EQ(0, listen(self->fd, 1));
	EXPECT_ERRNO(EISCONN, setsockopt(self->fd, SOL_ST, ST_CHECKSUM, &value, sizeof(value)));

	ASSERT_TRUE(sysctl_set(A, "checksum", 0));
	other = new_socket(A, 0);
	EXPECT_EQ(0, get_int(other, SOL_ST, ST_CHECKSUM));
	close(other);
}

TEST_F(socket, errors_option)
{
	struct st_errors errors;
	socklen_t len = sizeof(errors);
	struct sockaddr_st addr = { .sst_family = AF_ST };
	int i;

	EXPECT_ERRNO(ENOTCONN, getsockopt(self->fd, SOL_ST, ST_ERRORS, &errors, &len));
	ASSERT_EQ(0, bind_to(self->fd, &addr));
	memset(&errors, 0xa5, sizeof(errors));
	ASSERT_EQ(0, getsockopt(self->fd, SOL_ST, ST_ERRORS, &errors, &len));
	EXPECT_EQ(sizeof(errors), len);
	for (i = 0; i <= ST_ERR_MAX; i++)
		EXPECT_EQ(0, errors.count[i]);
	for (i = 0; i < (int)sizeof(errors.reserved); i++)
		EXPECT_EQ(0, errors.reserved[i]);

	/* Less room returns less, and nothing behind it is changed. */
	memset(&errors, 0xa5, sizeof(errors));
	len = offsetof(struct st_errors, count[1]);
	ASSERT_EQ(0, getsockopt(self->fd, SOL_ST, ST_ERRORS, &errors, &len));
	EXPECT_EQ(offsetof(struct st_errors, count[1]), len);
	EXPECT_EQ(0, errors.count[0]);
	EXPECT_EQ(0xa5a5a5a5a5a5a5a5ULL, errors.count[1]);
}

TEST_F(socket, info_option)
{
	struct st_info info[2];
	socklen_t len = sizeof(info[A]);
	char buf[5000];
	int fds[2];

	EXPECT_ERRNO(ENOTCONN, getsockopt(self->fd, SOL_ST, ST_INFO, &info[A], &len));
	ASSERT_TRUE(new_pair(fds));
	ASSERT_EQ((ssize_t)sizeof(buf), send(fds[A], buf, sizeof(buf), MSG_NOSIGNAL));
	ASSERT_EQ((ssize_t)sizeof(buf), recv_record(fds[B], buf, sizeof(buf)));
	ASSERT_EQ(0, getsockopt(fds[A], SOL_ST, ST_INFO, &info[A], &len));
	EXPECT_EQ(sizeof(info[A]), len);
	ASSERT_EQ(0, getsockopt(fds[B], SOL_ST, ST_INFO, &info[B], &len));

	EXPECT_EQ(info[A].local_key, info[B].remote_key);
	EXPECT_EQ(info[B].local_key, info[A].remote_key);
	EXPECT_EQ(info[A].local_bufsize, info[B].remote_bufsize);
	EXPECT_EQ(info[B].local_bufsize, info[A].remote_bufsize);
	EXPECT_EQ(info[A].local_max_stu, info[B].remote_max_stu);
	EXPECT_EQ(info[B].local_max_stu, info[A].remote_max_stu);
	EXPECT_LE(8, info[A].local_bufsize);
	EXPECT_GE(32, info[A].local_bufsize);
	EXPECT_LE(8, info[A].local_max_stu);
	EXPECT_GE(info[A].local_bufsize, info[A].local_max_stu);
	EXPECT_EQ(1, info[A].checksum);
	EXPECT_EQ(sizeof(buf), info[A].tx_bytes);
	EXPECT_EQ(sizeof(buf), info[B].rx_bytes);
	EXPECT_EQ(1, info[A].tx_transfers);
	EXPECT_EQ(1, info[B].rx_transfers);
	EXPECT_EQ(0, info[A].rx_bytes);
	EXPECT_LT(0, info[A].tx_ops);
	EXPECT_LT(0, info[A].rx_ops);
	EXPECT_EQ(0, info[B].block_retries);
}

TEST_F(socket, parameters)
{
	static const struct {
		const char	*name;
		long long	value, under, over;
	} all[] = {
		{ "op_timeout_ms", 500, 0, 1000000000 },
		{ "op_timeout_min_ms", 50, 0, 600001 },
		{ "max_connections", 12, -1, 1LL << 32 },
		{ "max_connections_peer", 12, -1, 1LL << 32 },
		{ "max_memory_peer", 1 << 20, -1, 1000 },
		{ "max_memory", 1 << 20, -1, 1000 },
		{ "slots", 100, 7, 257 },
		{ "max_retry", 5, -1, 1000000 },
		{ "max_transfer", 1 << 20, 0, 0 },
		{ "checksum", 0, -1, 2 },
		{ "short_records", 0, -1, 2 },
		{ "confirm_ms", 1000, -1, 3600001 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		long long before = sysctl_get(B, all[i].name);

		EXPECT_TRUE(sysctl_set(A, all[i].name, all[i].value));
		EXPECT_EQ(all[i].value, sysctl_get(A, all[i].name));
		EXPECT_EQ(before, sysctl_get(B, all[i].name));
		EXPECT_ERRNO(EINVAL, sysctl_set(A, all[i].name, all[i].under) - 1);
		EXPECT_ERRNO(EINVAL, sysctl_set(A, all[i].name, all[i].over) - 1);
		EXPECT_EQ(all[i].value, sysctl_get(A, all[i].name));
	}
}

TEST_F(socket, fork_shares)
{
	int fds[2], status;
	char text[16];
	pid_t child;

	ASSERT_TRUE(new_pair(fds));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		close(fds[B]);
		_exit(send(fds[A], "child", 5, MSG_NOSIGNAL) != 5);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);

	/* The child's exit closes nothing: the parent has the socket too. */
	ASSERT_EQ(5, recv_record(fds[B], text, sizeof(text)));
	EXPECT_EQ(0, memcmp(text, "child", 5));
	ASSERT_EQ(6, send(fds[A], "parent", 6, MSG_NOSIGNAL));
	ASSERT_EQ(6, recv_record(fds[B], text, sizeof(text)));
	EXPECT_EQ(0, memcmp(text, "parent", 6));
	close(fds[A]);
	EXPECT_ERRNO(ENODATA, recv_record(fds[B], text, sizeof(text)));
}

TEST_HARNESS_MAIN
