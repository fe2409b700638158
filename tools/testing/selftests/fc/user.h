/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The user of the other port: /dev/fcvi, without a library.  The program is on both ends, so that
 * it knows what either has done when.
 */
#ifndef USER_H
#define USER_H

#include <linux/fcvi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Bits of VI-DG 4.3 */
enum { OP_SEND, OP_WRITE, OP_READ, OP_IMM = 0x4, OP_FENCE = 0x8 };
enum {
	DONE = 0x1, FORMAT_ERROR = 0x2, PROTECTION_ERROR = 0x4, LENGTH_ERROR = 0x8,
	PARTIAL_ERROR = 0x10, FLUSHED_ERROR = 0x20, TRANSPORT_ERROR = 0x40,
	RDMA_PROT_ERROR = 0x80, REMOTE_DESC_ERROR = 0x100,
	DONE_SEND = 0x00000, DONE_RECEIVE = 0x10000, DONE_WRITE = 0x20000,
	DONE_REMOTE_WRITE = 0x30000, DONE_READ = 0x40000, DONE_IMM = 0x80000,
};

#define REGION		0x400000
/* Where buffers begin in it, behind the Descriptors */
#define BUFFERS		0x10000

/* Of a Descriptor whose length nothing fixes */
#define ANY_LEN		0xffffffff

/**
 * struct user - an open file, with a region of memory
 * @fd: the file
 * @tag: protection tag
 * @handle: memory handle of @mem
 * @mem: REGION bytes, with all RDMA rights
 * @next: the next Descriptor in it
 * @thread: waits for the end of a Disconnect
 * @ending: its endpoint
 * @error: what it came to
 */
struct user {
	int fd;
	uint32_t tag;
	uint32_t handle;
	uint8_t *mem;
	unsigned int next;
	pthread_t thread;
	uint32_t ending;
	int error;
};

/* A Descriptor of VI-DG 5, with one segment for data; before it, of RDMA, that for the address */
struct desc {
	uint64_t next;
	uint32_t next_handle;
	uint16_t segments;
	uint16_t control;
	uint32_t reserved;
	uint32_t imm;
	uint32_t len;
	uint32_t status;
	struct {
		uint64_t addr;
		uint32_t handle;
		uint32_t len;
	} segment[2];
};

/* On the port of that device in the network namespace with this name */
void user_open(struct user *u, const char *netns, const char *device);

/* The buffers, and the address of a byte of them */
uint8_t *buffer(struct user *u, unsigned int at);
uint64_t va_of(struct user *u, unsigned int at);

/* An endpoint; @flags: FCVI_DEV_RDMA_WRITE and so on */
uint32_t user_vi(struct user *u, uint8_t level, uint8_t flags);
void user_destroy(struct user *u, uint32_t vi);
/* It is in this state */
void user_state(struct user *u, uint32_t vi, uint32_t state);

/* Clients find this Discriminator for a while */
void user_listen(struct user *u, const char *discrim);
/* The request that has come for it */
uint32_t user_request(struct user *u, const char *discrim, struct fcvi_dev_request *r);
void user_accept(struct user *u, uint32_t request, uint32_t vi, int expected);
void user_reject(struct user *u, uint32_t request);
/* Connects to the Discriminator "peer" of this side */
void user_connect(struct user *u, uint32_t vi, uint32_t flags, uint32_t timeout);
/* How it ends; an errno or 0 */
void user_outcome(struct user *u, uint32_t vi, int expected);
/* It has not ended */
void user_undecided(struct user *u, uint32_t vi);
/* Begins a Disconnect, and tells whether user_disconnected() has to await how it ends */
bool user_disconnect(struct user *u, uint32_t vi);
void user_disconnected(struct user *u, int expected);

/* Posts one for @len bytes at BUFFERS + @at; @va and @va_handle of RDMA */
struct desc *user_post(struct user *u, uint32_t vi, uint16_t control, unsigned int at,
		       uint32_t len, uint64_t va, uint32_t va_handle, uint32_t imm);
struct desc *user_post_recv(struct user *u, uint32_t vi, unsigned int at, uint32_t len);
/* Waits until it is complete, with this status and length */
void user_done(struct user *u, const struct desc *d, uint32_t status, uint32_t len);
/* It is not complete */
void user_not_done(const struct desc *d);
/* Awaits an asynchronous error of the endpoint, VI-DG 3.8.1 */
void user_event(struct user *u, uint32_t code, uint32_t vi);
/* Whatever it is: its code */
uint32_t user_any_event(struct user *u, uint32_t vi);
/* There is none */
void user_no_event(struct user *u);

#endif
