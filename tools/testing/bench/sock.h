/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common parts of sockbench: sockets of several families, and time.
 */
#ifndef BENCH_SOCK_H
#define BENCH_SOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <netinet/in.h>
#include <sys/socket.h>

#include <linux/st.h>
#include <linux/tipc.h>
#include <linux/vm_sockets.h>

#define SIZE_MAX_BYTES	(64UL << 20)
#define COUNT_MAX	100000000UL
#define EXIT_BROKEN	3

/* Request of a client */
enum what { BULK, TURN, PUT_POLLED, PUT_EVENT, GET, FETCHOP };

/* Its message to the server */
struct wish {
	uint32_t what;
	uint32_t reserved;
	uint64_t size;
	uint64_t count;
};

union address {
	struct sockaddr		any;
	struct sockaddr_in	in;
	struct sockaddr_st	st;
	struct sockaddr_tipc	tipc;
	struct sockaddr_vm	vm;
};

/* @piece is the maximum to send or receive at once; @datagrams: sockets without connections. */
struct protocol {
	const char *name;
	int family;
	int type;
	int number;
	socklen_t len;
	size_t piece;
	bool datagrams;
};

/* Ends the program if there is none of that name. */
const struct protocol *protocol_named(const char *name);

/* Address of @host at @device; if NULL, any of this host */
void address_of(const struct protocol *p, const char *host, const char *port,
		const char *device, union address *to);

int new_socket(const struct protocol *p);

/* A new socket that is connected to @to */
int connected(const struct protocol *p, const union address *to);

/* Lets the program have more than 10000 connections. */
void raise_files(void);

/* Memory that is already populated */
void *buffer(size_t size);

/* All @size bytes; false at the end or on an error */
bool get(int fd, char *buf, size_t size);
bool put(int fd, const char *buf, size_t size);

uint64_t now_ns(void);

/* The median time of @count calls of @step, numbered from 1; ends the program if a call
 * fails.
 */
uint64_t median_ns(size_t count, bool (*step)(void *arg, uint64_t number), void *arg);

#endif
