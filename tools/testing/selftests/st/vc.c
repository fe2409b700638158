// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual Connections of the peer.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "peer.h"

struct vc vc_new(struct peer *peer)
{
	static unsigned int count;

	/* With an address that earlier tests had: unknown to what they left */
	if (!count && (medium() == RIO9 || medium() == FCLE || medium() == FCVI))
		count = getpid() << 6;
	count++;
	return (struct vc) {
		.peer = peer,
		.fd = -1,
		.port = 0x4100 + (count & 0x3fff),
		.key = 0xc0de0000 + count * 0x11,
		.flags = F_OUT_OF_ORDER | F_MEMORY,
		.slots = 1000,
		.bufsize = 16,
		.max_stu = 12,
		.sync = 0x51c00000,
	};
}

struct op vc_to(const struct vc *vc, __u8 op, __u16 flags)
{
	return (struct op) {
		.op = op,
		.flags = flags,
		.d_port = vc->k_port,
		.s_port = vc->port,
		.d_key = vc->k_key,
	};
}

struct op vc_from(const struct vc *vc, __u8 op, __u16 flags)
{
	return (struct op) {
		.op = op,
		.flags = flags,
		.d_port = vc->port,
		.s_port = vc->k_port,
		.d_key = vc->key,
	};
}

struct op vc_request(const struct vc *vc, __u16 d_port)
{
	return (struct op) {
		.op = REQUEST_CONNECTION,
		.flags = vc->flags,
		.param = vc->slots,
		.d_port = d_port,
		.s_port = vc->port,
		.bufx = vc->bufsize,
		.offset = vc->key,
		.sync = vc->max_stu,
	};
}

struct op vc_answer(const struct vc *vc)
{
	struct op op = vc_to(vc, CONNECTION_ANSWER, vc->flags);

	op.param = vc->slots;
	op.bufx = vc->bufsize;
	op.offset = vc->key;
	op.sync = vc->max_stu;
	return op;
}

void vc_learn(struct vc *vc, const struct op *setup)
{
	vc->k_port = setup->s_port;
	vc->k_key = setup->offset;
	vc->k_slots = setup->param;
	vc->k_bufsize = setup->bufx;
	vc->k_max_stu = setup->sync;
}

bool vc_call(struct vc *vc, int listener)
{
	struct op op = vc_request(vc, port_of(listener));

	if (!peer_send(vc->peer, &op, NULL, 0))
		return false;
	vc->k_port = op.d_port;
	if (!vc_read(vc, CONNECTION_ANSWER, &op))
		return false;
	if (op.flags & F_REJECT) {
		print_op("rejected", &op);
		return false;
	}
	vc_learn(vc, &op);
	vc->fd = accept(listener, NULL, NULL);
	if (vc->fd < 0 || !set_timeout(vc->fd, SO_RCVTIMEO, LONG_MS) ||
	    !set_timeout(vc->fd, SO_SNDTIMEO, LONG_MS)) {
		fprintf(stderr, "# accept: %s\n", strerror(errno));
		return false;
	}
	return true;
}

bool vc_called(struct vc *vc)
{
	struct sockaddr_st to = peer_address(vc->peer, vc->port);
	struct op op;

	vc->fd = new_socket(A, SOCK_NONBLOCK);
	if (vc->fd < 0 || !connect_to(vc->fd, &to) || errno != EINPROGRESS) {
		fprintf(stderr, "# connect: %s\n", strerror(errno));
		return false;
	}
	if (!vc_next(vc, &op) || op.op != REQUEST_CONNECTION)
		return false;
	vc_learn(vc, &op);
	op = vc_answer(vc);
	return vc_send(vc, &op) && poll_for(vc->fd, POLLOUT, LONG_MS) == POLLOUT;
}

bool vc_send_data(struct vc *vc, const struct op *op, const void *payload, size_t len)
{
	vc->sent += op->d_port == vc->k_port && op->s_port == vc->port &&
		    op->d_key == vc->k_key;
	return peer_send(vc->peer, op, payload, len);
}

bool vc_send(struct vc *vc, const struct op *op)
{
	return vc_send_data(vc, op, NULL, 0);
}

/* A Request_State for Slots only is answered automatically, at any time. */
static bool is_slot_question(const struct vc *vc, const struct op *op)
{
	return !vc->manual && op->op == REQUEST_STATE && op->d_id == NO_ID &&
	       op->d_port == vc->port;
}

bool vc_next(struct vc *vc, struct op *op)
{
	struct op answer;
	struct msg *msg;

	for (;;) {
		msg = peer_next(vc->peer, false, LONG_MS);
		if (!msg) {
			fprintf(stderr, "# no operation in %d ms\n", LONG_MS);
			return false;
		}
		*op = msg->op;
		free(msg);
		if (!is_slot_question(vc, op))
			return true;
		answer = vc_to(vc, REQUEST_STATE_RESPONSE, 0);
		answer.param = SLOTS_NOT_COUNTED;
		answer.sync = op->sync;
		answer.d_id = NO_ID;
		if (!vc_send(vc, &answer))
			return false;
	}
}

static bool is_of(const struct vc *vc, __u8 code, const struct op *op)
{
	if (op->op == code && op->d_port == vc->port && op->s_port == vc->k_port &&
	    op->d_key == vc->key)
		return true;
	print_op("found", op);
	fprintf(stderr, "# expected %s for Port %u from %u, Key %08x\n", op_name(code), vc->port,
		vc->k_port, vc->key);
	return false;
}

bool vc_read(struct vc *vc, __u8 code, struct op *op)
{
	return vc_next(vc, op) && is_of(vc, code, op);
}

bool vc_expect(struct vc *vc, const struct op *expected)
{
	struct op op;

	return vc_next(vc, &op) && op_is(&op, expected);
}

struct msg *vc_data(struct vc *vc)
{
	struct msg *msg = peer_next(vc->peer, true, LONG_MS);

	if (msg)
		vc->got += msg->len;
	else
		fprintf(stderr, "# no Data in %d ms\n", LONG_MS);
	return msg;
}

bool vc_executed(struct vc *vc)
{
	long long end = now_ms() + LONG_MS;
	__u64 found;

	do {
		found = get_info(vc->fd).rx_ops;
		if (found == vc->sent)
			return true;
		usleep(1000);
	} while (now_ms() < end);
	fprintf(stderr, "# %lld operations executed, expected %lld\n", (long long)found,
		(long long)vc->sent);
	return false;
}

bool vc_quiet(struct vc *vc)
{
	struct op op = vc_to(vc, REQUEST_STATE, 0), response;

	if (!vc_executed(vc))
		return false;
	op.sync = ++vc->sync;
	op.d_id = NO_ID;
	if (!vc_send(vc, &op) || !vc_read(vc, REQUEST_STATE_RESPONSE, &response))
		return false;
	if (response.sync != op.sync || response.d_id != NO_ID) {
		print_op("found", &response);
		return false;
	}
	if (vc->peer->first[true] || get_info(vc->fd).tx_bytes != vc->got) {
		fprintf(stderr, "# unexpected Data\n");
		return false;
	}
	return true;
}

bool vc_hang_up(struct vc *vc)
{
	struct op op = vc_to(vc, REQUEST_DISCONNECT, 0), answer;

	op.offset = vc->key;
	if (!vc_send(vc, &op))
		return false;
	do {
		if (!vc_next(vc, &answer))
			return false;
	} while (answer.op != DISCONNECT_ANSWER);
	op.op = DISCONNECT_COMPLETE;
	return vc_send(vc, &op);
}

bool vc_write(struct vc *vc, __u32 id, __u64 t_len, __u8 max_block, struct op *cts)
{
	struct op op = vc_to(vc, REQUEST_TO_SEND, F_CHANNEL_1);

	op.b_id = max_block;
	op.sync = t_len >> 32;
	op.b_num = t_len;
	op.s_id = id;
	if (!vc_send(vc, &op) || !vc_next(vc, cts))
		return false;
	/* It may have to wait for a reader first */
	op = vc_from(vc, REQUEST_ANSWER, 0);
	op.d_id = id;
	if (cts->op == REQUEST_ANSWER)
		return op_is(cts, &op) && vc_read(vc, CLEAR_TO_SEND, cts);
	return is_of(vc, CLEAR_TO_SEND, cts);
}

struct op vc_stu(const struct vc *vc, const struct op *cts, __u16 stu_num, __u32 at,
		 __u16 flags)
{
	struct op op = vc_to(vc, DATA, F_CHANNEL_1 | flags);
	__u64 place = ((__u64)cts->bufx << vc->k_bufsize) + cts->offset + at;

	op.param = stu_num;
	op.b_id = cts->b_id;
	op.bufx = place >> vc->k_bufsize;
	op.offset = place & ((1ULL << vc->k_bufsize) - 1);
	op.b_num = cts->b_num;
	op.d_id = cts->s_id;
	return op;
}
