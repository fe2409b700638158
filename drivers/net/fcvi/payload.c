// SPDX-License-Identifier: GPL-2.0
/*
 * Codec of the payload of FCVI_CONNECT_RQST and FCVI_CONNECT_RESP1, FC-VI 6.8.3, 6.9.3 and 7.
 */
#include <kunit/visibility.h>
#include <linux/bitfield.h>
#include <linux/string.h>

#include "payload.h"

#define FCVI_REVISION	1
#define FCVI_HOST_LEN	16

/* FCVI_ATTR_FLAGS, table 17 */
#define FCVI_ATTR_RDMA_WRITE	BIT(1)
#define FCVI_ATTR_RDMA_READ	BIT(0)

#define FCVI_PREF	0x80

/* Table 15 */
struct fcvi_wire_addr {
	u8	reserved[2];
	u8	host_len;
	u8	discrim_len;
	u8	host[FCVI_HOST_LEN];
	u8	discrim[FCVI_DISCRIM_MAX];
} __packed;

/* Tables 16 and 18 */
struct fcvi_wire_attrs {
	u8	reserved[2];
	u8	level;
	u8	flags;
	__be32	max_trans_size;
	u8	pref;
	u8	reserved2[3];
	__be32	max_bandwidth;
	__be32	min_bandwidth;
	__be32	max_delay;
	__be32	pipeline_depth;
} __packed;

/* Tables 13 and 14: they have 8 words for the 7 of table 16 */
struct fcvi_wire_connect {
	u8			reserved[6];
	__be16			revision;
	__be32			handle;
	struct fcvi_wire_addr	loc;
	struct fcvi_wire_addr	rem;
	struct fcvi_wire_attrs	attrs;
	u8			reserved2[4];
	/* FCVI_CONNECT_INFO may follow */
} __packed;

static_assert(sizeof(struct fcvi_wire_addr) == 148);
static_assert(sizeof(struct fcvi_wire_attrs) == 28);
static_assert(sizeof(struct fcvi_wire_connect) == FCVI_CONNECT_LEN);
static_assert(offsetof(struct fcvi_wire_connect, loc) == 12);
static_assert(offsetof(struct fcvi_wire_connect, rem) == 160);
static_assert(offsetof(struct fcvi_wire_connect, attrs) == 308);

static void fcvi_encode_addr(struct fcvi_wire_addr *w, const struct fcvi_addr *a)
{
	w->host_len = FCVI_HOST_LEN;
	w->discrim_len = a->len;
	memcpy(w->host, &a->host, FCVI_HOST_LEN);
	memcpy(w->discrim, a->discrim, a->len);
}

static void fcvi_encode_attrs(struct fcvi_wire_attrs *w, const struct fcvi_attrs *a)
{
	w->level = a->level;
	w->flags = FIELD_PREP(FCVI_ATTR_RDMA_WRITE, a->rdma_write) |
		   FIELD_PREP(FCVI_ATTR_RDMA_READ, a->rdma_read);
	w->max_trans_size = cpu_to_be32(a->max_trans_size);
	w->pref = a->pref ? FCVI_PREF : 0;
	w->pipeline_depth = cpu_to_be32(a->pipeline_depth);
}

/**
 * fcvi_encode_connect - write the payload of a FCVI_CONNECT_RQST or FCVI_CONNECT_RESP1
 * @buf: gets FCVI_CONNECT_LEN bytes
 * @c: what to write; the three words that are zero in this version are not in it, FC-VI 7.3
 */
void fcvi_encode_connect(void *buf, const struct fcvi_connect *c)
{
	struct fcvi_wire_connect *w = buf;

	memset(w, 0, sizeof(*w));
	w->revision = cpu_to_be16(FCVI_REVISION);
	w->handle = cpu_to_be32(c->handle);
	fcvi_encode_addr(&w->loc, &c->loc);
	fcvi_encode_addr(&w->rem, &c->rem);
	fcvi_encode_attrs(&w->attrs, &c->attrs);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_encode_connect);

static bool fcvi_decode_addr(struct fcvi_addr *a, const struct fcvi_wire_addr *w)
{
	if (w->host_len != FCVI_HOST_LEN || w->discrim_len < FCVI_DISCRIM_MIN ||
	    w->discrim_len > FCVI_DISCRIM_MAX)
		return false;
	memset(a, 0, sizeof(*a));
	memcpy(&a->host, w->host, FCVI_HOST_LEN);
	a->len = w->discrim_len;
	memcpy(a->discrim, w->discrim, a->len);
	return true;
}

static bool fcvi_decode_attrs(struct fcvi_attrs *a, const struct fcvi_wire_attrs *w)
{
	if (w->level < FCVI_UD || w->level > FCVI_RR || (w->pref && w->pref != FCVI_PREF))
		return false;
	*a = (struct fcvi_attrs) {
		.level		= w->level,
		.rdma_write	= w->flags & FCVI_ATTR_RDMA_WRITE,
		.rdma_read	= w->flags & FCVI_ATTR_RDMA_READ,
		.pref		= w->pref,
		.max_trans_size	= be32_to_cpu(w->max_trans_size),
		.max_bandwidth	= be32_to_cpu(w->max_bandwidth),
		.min_bandwidth	= be32_to_cpu(w->min_bandwidth),
		.max_delay	= be32_to_cpu(w->max_delay),
		.pipeline_depth	= be32_to_cpu(w->pipeline_depth),
	};
	return true;
}

/* FCVI_CONNECT_INFO is for providers that have agreed on it, FC-VI 5.9.4.4: it is not looked at. */
static bool fcvi_decode_connect(struct fcvi_connect *c, bool info, const void *data,
				unsigned int len)
{
	const struct fcvi_wire_connect *w = data;

	if (len != (info ? FCVI_CONNECT_LEN_INFO : FCVI_CONNECT_LEN) ||
	    be16_to_cpu(w->revision) != FCVI_REVISION)
		return false;
	c->handle = be32_to_cpu(w->handle);
	return fcvi_decode_addr(&c->loc, &w->loc) && fcvi_decode_addr(&c->rem, &w->rem) &&
	       fcvi_decode_attrs(&c->attrs, &w->attrs);
}

/**
 * fcvi_decode_rqst - read the payload of a FCVI_CONNECT_RQST
 * @c: gets it
 * @iu: its Device_Header
 * @data: all of the payload
 * @len: bytes of it
 *
 * Return: false when the request is malformed, which is Reason Code 21.
 */
bool fcvi_decode_rqst(struct fcvi_connect *c, const struct fcvi_iu *iu, const void *data,
		      unsigned int len)
{
	u8 mode = FIELD_GET(FCVI_RQST_MODE, iu->flags);

	return (mode == FCVI_MODE_CLIENT_SERVER || mode == FCVI_MODE_PEER) &&
	       iu->connection_id != FCVI_ID_NONE &&
	       fcvi_decode_connect(c, iu->flags & FCVI_RQST_CONN_INFO, data, len) &&
	       c->handle != FCVI_HANDLE_NONE;
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_decode_rqst);

/**
 * fcvi_decode_resp1 - read the payload of a FCVI_CONNECT_RESP1
 * @c: gets it
 * @iu: its Device_Header
 * @data: all of the payload
 * @len: bytes of it
 *
 * A responder that refuses has no handle to tell, FC-VI 5.3.3.
 *
 * Return: false when the answer is malformed.
 */
bool fcvi_decode_resp1(struct fcvi_connect *c, const struct fcvi_iu *iu, const void *data,
		       unsigned int len)
{
	return fcvi_decode_connect(c, iu->flags & FCVI_RESP_CONN_INFO, data, len) &&
	       (iu->flags & FCVI_RESP_CONN_STS || c->handle != FCVI_HANDLE_NONE);
}
EXPORT_SYMBOL_IF_KUNIT(fcvi_decode_resp1);
