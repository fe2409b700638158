// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ctl.h"
#include "memory.h"

#define OPAQUE		0x0a0b0c0d	/* as in region.h */

struct op mem_request(const struct vc *vc, __u32 id, __u64 len)
{
	struct op op = vc_to(vc, REQUEST_MEMORY_REGION, F_CHANNEL_1);

	op.sync = len >> 32;
	op.b_num = len;
	op.s_id = id;
	return op;
}

bool mem_borrow(struct vc *vc, __u32 id, void *at, size_t len, unsigned int access,
		struct op *available)
{
	struct op op = mem_request(vc, id, len);

	if (region_expose(vc->fd, at, len, access) < 0) {
		fprintf(stderr, "# expose: %s\n", strerror(errno));
		return false;
	}
	return vc_send(vc, &op) && vc_read(vc, MEMORY_REGION_AVAILABLE, available);
}

struct op mem_get_op(const struct vc *vc, const struct op *available, __u16 function,
		     __u32 id, __u32 at)
{
	__u64 place = ((__u64)available->bufx << vc->k_bufsize) + available->offset + at;
	struct op op = vc_to(vc, GET, function | F_CHANNEL_1);

	op.b_id = PEER_MX;
	op.bufx = place >> vc->k_bufsize;
	op.offset = place & ((1ULL << vc->k_bufsize) - 1);
	op.d_id = available->s_id;
	op.s_id = id;
	return op;
}

bool mem_answered(struct vc *vc, const struct op *to, __u16 flags)
{
	struct op expected = vc_from(vc, REQUEST_ANSWER, flags);

	expected.d_id = to->s_id;
	if (to->op == GET)
		expected.s_id = to->d_id;
	return vc_expect(vc, &expected);
}

bool mem_end(struct vc *vc, __u32 d_id, __u32 s_id)
{
	struct op op = vc_to(vc, END, 0), expected = vc_from(vc, END_ACK, 0);

	op.d_id = d_id;
	op.s_id = s_id;
	expected.d_id = s_id;
	expected.s_id = d_id;
	return vc_send(vc, &op) && vc_expect(vc, &expected);
}

bool mem_ask(struct vc *vc, __u64 len, struct op *request)
{
	if (region_request(vc->fd, len, ST_REGION_NOWAIT) < 0) {
		fprintf(stderr, "# request: %s\n", strerror(errno));
		return false;
	}
	return vc_read(vc, REQUEST_MEMORY_REGION, request);
}

struct op mem_available(const struct vc *vc, const struct op *request, __u32 bufx,
			__u32 offset)
{
	struct op op = vc_to(vc, MEMORY_REGION_AVAILABLE, 0);

	op.b_id = LENT_MX;
	op.bufx = bufx;
	op.offset = offset;
	op.d_id = request->s_id;
	op.s_id = LENT_ID + request->s_id;
	return op;
}

bool mem_lend(struct vc *vc, __u64 len, __u32 bufx, __u32 offset, struct op *available)
{
	struct st_event event;
	struct op request;

	if (!mem_ask(vc, len, &request))
		return false;
	*available = mem_available(vc, &request, bufx, offset);
	return vc_send(vc, available) &&
	       mem_event(vc->fd, ST_EVENT_REGION_READY, &event) && !event.error;
}

int mem_put(int fd, __u32 region, __u64 offset, const void *buf, size_t len,
	    unsigned int flags)
{
	const struct st_put put = {
		.region	= region,
		.flags	= flags,
		.offset	= offset,
		.opaque	= OPAQUE,
	};
	const struct iovec iov = { .iov_base = (void *)buf, .iov_len = len };

	return region_post(fd, ST_PUT, &put, sizeof(put), &iov, 1);
}

int mem_get(int fd, __u32 region, __u64 offset, void *buf, size_t len)
{
	const struct st_get get = {
		.region	= region,
		.len	= len,
		.offset	= offset,
		.addr	= (unsigned long)buf,
	};

	return region_post(fd, ST_GET, &get, sizeof(get), NULL, 0);
}

int mem_fetch(int fd, __u32 region, __u64 offset, unsigned int op)
{
	const struct st_fetchop fetchop = {
		.region	= region,
		.op	= op,
		.offset	= offset,
	};

	return region_post(fd, ST_FETCHOP, &fetchop, sizeof(fetchop), NULL, 0);
}

bool mem_event(int fd, unsigned int type, struct st_event *event)
{
	if (!next_event(fd, event, LONG_MS)) {
		fprintf(stderr, "# no event of type %u: %s\n", type, strerror(errno));
		return false;
	}
	if (event->type != type)
		fprintf(stderr, "# event of type %u, not %u\n", event->type, type);
	return event->type == type;
}

bool mem_no_event(int fd)
{
	struct st_event event;

	if (!next_event(fd, &event, 0))
		return errno == ETIMEDOUT;
	fprintf(stderr, "# event of type %u\n", event.type);
	return false;
}

bool mem_done(int fd, int type, int error, __u64 *value)
{
	struct st_event event;

	if (!mem_event(fd, ST_EVENT_DONE, &event))
		return false;
	if ((int)event.flags != type || event.error != error) {
		fprintf(stderr, "# operation %u ended with %d, expected %d with %d\n",
			event.flags, event.error, type, error);
		return false;
	}
	if (value)
		*value = event.value;
	return true;
}

void wrong_mx(struct op *op)
{
	op->b_id ^= 1;
}

void mx_of_another_time(struct op *op)
{
	op->b_id ^= 0x40;
}

void wrong_d_id(struct op *op)
{
	op->d_id += 0x1000;
}

void id_of_none(struct op *op)
{
	op->d_id = NO_ID;
}

void wrong_r_id(struct op *op)
{
	op->s_id++;
}

void wrong_stu_num(struct op *op)
{
	op->param = 1;
}

void no_channel(struct op *op)
{
	op->flags &= ~F_CHANNEL;
}

void wrong_bufx(struct op *op)
{
	op->bufx++;
}

void far_away(struct op *op)
{
	op->bufx = 0xffffffff;
}

void wrong_offset(struct op *op)
{
	op->offset += 8;
}

void before_it(struct op *op)
{
	op->offset--;
}

void outside_buffer(struct op *op)
{
	op->offset = BUFFER;
}

void largest_offset(struct op *op)
{
	op->offset = 0xffffffff;
}

void to_outside_a_buffer(struct op *op)
{
	op->b_num = 1 << 16;
}

void no_change(struct op *op)
{
	(void)op;
}
