/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Both sides of tests of VIPL in one program: the ports of the network namespaces a and b.
 */
#ifndef VIPL_SIDE_H
#define VIPL_SIDE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "vipl.h"

#define LEVELS		3
#define MTU		65536		/* longest Message */
#define DATA		(256 * 1024)	/* bytes of memory for data */
#define SOON		20000		/* milliseconds, for anything on a busy machine */
#define DESCS		64
#define ERRORS		64

extern const VIP_RELIABILITY_LEVEL levels[LEVELS];
extern const char *const level_names[LEVELS];

/* A Descriptor with room for a few data segments */
struct desc {
	_Alignas(VIP_DESCRIPTOR_ALIGNMENT)
	VIP_DESCRIPTOR	d;
	VIP_DESCRIPTOR_SEGMENT more[4];
};

struct memory {
	struct desc	descs[DESCS];
	uint8_t		data[DATA];
};

/**
 * struct side - a port, and what most tests need of it
 * @nic: the port
 * @port: its attributes
 * @ptag: protection tag of @mem
 * @mem: registered memory, which others may read and write
 * @handle: of @mem
 * @lock: of what follows
 * @cond: another error has come
 * @errors: asynchronous errors, in their order
 * @nr_errors: so many
 */
struct side {
	VIP_NIC_HANDLE		nic;
	VIP_NIC_ATTRIBUTES	port;
	VIP_PROTECTION_HANDLE	ptag;
	struct memory		*mem;
	VIP_MEM_HANDLE		handle;
	pthread_mutex_t		lock;
	pthread_cond_t		cond;
	VIP_ERROR_DESCRIPTOR	errors[ERRORS];
	unsigned int		nr_errors;
};

bool enter(const char *netns);
bool open_side(struct side *s, const char *netns);
VIP_NET_ADDRESS *address(const struct side *s, const char *discrim);
VIP_VI_ATTRIBUTES attributes(const struct side *s, VIP_RELIABILITY_LEVEL level);
VIP_VI_HANDLE new_vi(struct side *s, VIP_RELIABILITY_LEVEL level, VIP_CQ_HANDLE send,
		     VIP_CQ_HANDLE recv);
VIP_VI_STATE state_of(VIP_VI_HANDLE vi);
bool await_state(VIP_VI_HANDLE vi, VIP_VI_STATE state);
bool await_error(struct side *s, VIP_ERROR_CODE code, VIP_ERROR_DESCRIPTOR *found);
bool had_error(struct side *s, VIP_ERROR_CODE code);
bool connect_sides(struct side *client, VIP_VI_HANDLE client_vi, struct side *server,
		   VIP_VI_HANDLE server_vi);
bool end_vi(VIP_VI_HANDLE vi);

VIP_DESCRIPTOR *describe(struct side *s, int desc, VIP_UINT16 op, uint32_t offset, uint32_t len);
VIP_DESCRIPTOR *describe_rdma(struct side *s, int desc, VIP_UINT16 op, uint32_t offset,
			      uint32_t len, const struct side *other, uint32_t to);
bool post_recv(struct side *s, VIP_VI_HANDLE vi, int desc, uint32_t offset, uint32_t len);
bool post_send(struct side *s, VIP_VI_HANDLE vi, VIP_DESCRIPTOR *d);

/* A call on another thread */
struct call {
	pthread_t	thread;
	VIP_RETURN	ret;
	struct side	*side;
	VIP_VI_HANDLE	vi;
	VIP_NET_ADDRESS	*local;
	VIP_NET_ADDRESS	*remote;
	VIP_ULONG	timeout;
	VIP_VI_ATTRIBUTES theirs;
	VIP_DESCRIPTOR	*desc;
};

bool start(struct call *call, void *(*run)(void *call));
VIP_RETURN finish(struct call *call);
void *run_request(void *call);
void *run_recv_wait(void *call);

#endif
