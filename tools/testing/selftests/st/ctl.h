/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control messages and events of AF_ST sockets, for tests.
 */
#ifndef SELFTESTS_ST_CTL_H
#define SELFTESTS_ST_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <linux/st.h>

/* sendmsg() of @len bytes with one control message of level SOL_ST. */
ssize_t send_ctl(int fd, const void *buf, size_t len, int flags, int type, const void *data,
		 size_t data_len);

/*
 * recvmsg() of at most @len bytes.  @data receives the control message of @type
 * if there is one, and @found tells so.  Returns the number of bytes, or -1
 * with errno.
 */
ssize_t recv_ctl(int fd, void *buf, size_t len, int flags, int *msg_flags, int type,
		 void *data, size_t data_len, bool *found);

/* Waits for the next event; false with errno, ETIMEDOUT if there is none. */
bool next_event(int fd, struct st_event *event, int timeout_ms);

/* Requests @len bytes from the peer. */
int read_ask(int fd, __u64 len, __u64 token, unsigned int channel);

/* Answers a Read with these bytes, or refuses it. */
ssize_t read_answer(int fd, __u32 id, const void *buf, size_t len, int flags);
int read_refuse(int fd, __u32 id);

#endif
