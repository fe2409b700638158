// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink: PDUs that wait.
 *
 * A dump goes through the buckets of the two hashes, and through a bucket by rising keys, so
 * that what comes and goes meanwhile leaves its place valid.
 */
#include <linux/bitfield.h>
#include <linux/netdevice.h>

#include "genl.h"
#include "netlink.h"
#include "port.h"

#define RIO9_NL_BUCKETS	BIT(RIO9_QUEUE_HASH)

/* Where a dump goes on: the bucket, of both hashes in turn, and the least key there */
#define RIO9_NL_BUCKET	GENMASK_ULL(63, 48)
#define RIO9_NL_KEY	GENMASK_ULL(47, 0)

static u64 rio9_nl_key(u16 peer, u8 cos, u16 stream)
{
	return (u64)rio9_queue_key(peer, cos) << 16 | stream;
}

static int rio9_nl_put_queue(struct sk_buff *skb, const struct net_device *dev, u16 peer, u8 cos,
			     const struct sk_buff_head *pdus, size_t bytes, u8 level)
{
	return nla_put_u32(skb, RIO9_A_QUEUE_IFINDEX, dev->ifindex) ||
	       nla_put_u32(skb, RIO9_A_QUEUE_PEER, peer) ||
	       nla_put_u32(skb, RIO9_A_QUEUE_COS, cos) ||
	       nla_put_u32(skb, RIO9_A_QUEUE_PDUS, skb_queue_len(pdus)) ||
	       nla_put_uint(skb, RIO9_A_QUEUE_BYTES, bytes) ||
	       nla_put_u32(skb, RIO9_A_QUEUE_LEVEL, level) ? -EMSGSIZE : 0;
}

static int rio9_nl_put_stream(struct sk_buff *skb, struct netlink_callback *cb,
			      const struct net_device *dev, const struct rio9_stream *s)
{
	u8 level = rio9_queue_level(s->voq->bytes, RIO9_QUEUE_MAX);
	void *hdr = rio9_nl_begin(skb, cb);

	return rio9_nl_end(skb, hdr,
			   !hdr || rio9_nl_put_queue(skb, dev, s->pdu.peer, s->pdu.cos, &s->pdus,
						     s->bytes, level) ||
			   nla_put_u32(skb, RIO9_A_QUEUE_DIRECTION, RIO9_DIRECTION_OUT) ||
			   nla_put_u32(skb, RIO9_A_QUEUE_STREAM, s->pdu.stream) ||
			   nla_put_u32(skb, RIO9_A_QUEUE_CHANNEL, s->voq->channel) ||
			   (s->held && nla_put_flag(skb, RIO9_A_QUEUE_HELD)));
}

static int rio9_nl_put_viq(struct sk_buff *skb, struct netlink_callback *cb,
			   const struct net_device *dev, const struct rio9_viq *q)
{
	u8 level = rio9_queue_level(q->bytes, rio9_netdev_port(dev)->viq.queue_max);
	void *hdr = rio9_nl_begin(skb, cb);

	return rio9_nl_end(skb, hdr,
			   !hdr || rio9_nl_put_queue(skb, dev, q->source, q->cos, &q->pdus,
						     q->bytes, level) ||
			   nla_put_u32(skb, RIO9_A_QUEUE_DIRECTION, RIO9_DIRECTION_IN));
}

/* The stream with the lowest key from @key on in a bucket, whose message goes to @skb */
static int rio9_nl_next_out(struct sk_buff *skb, struct netlink_callback *cb,
			    struct net_device *dev, unsigned int bucket, u64 *key)
{
	struct rio9_send *send = &rio9_netdev_port(dev)->send;
	struct rio9_stream *s, *next = NULL;
	u64 found = RIO9_NL_KEY, k;
	int err = 0;

	spin_lock_bh(&send->lock);
	hlist_for_each_entry(s, &send->queues.streams[bucket], hash) {
		k = rio9_nl_key(s->pdu.peer, s->pdu.cos, s->pdu.stream);
		if (k >= *key && k < found) {
			next = s;
			found = k;
		}
	}
	if (next)
		err = rio9_nl_put_stream(skb, cb, dev, next);
	spin_unlock_bh(&send->lock);
	*key = found;
	return err;
}

/* The same for PDUs that have arrived */
static int rio9_nl_next_in(struct sk_buff *skb, struct netlink_callback *cb,
			   struct net_device *dev, unsigned int bucket, u64 *key)
{
	struct rio9_viqs *v = &rio9_netdev_port(dev)->viq;
	struct rio9_viq *q, *next = NULL;
	u64 found = RIO9_NL_KEY, k;
	int err = 0;

	spin_lock_bh(&v->lock);
	hlist_for_each_entry(q, &v->queues[bucket], hash) {
		k = rio9_nl_key(q->source, q->cos, 0);
		if (k >= *key && k < found) {
			next = q;
			found = k;
		}
	}
	if (next)
		err = rio9_nl_put_viq(skb, cb, dev, next);
	spin_unlock_bh(&v->lock);
	*key = found;
	return err;
}

static int rio9_nl_queues(struct sk_buff *skb, struct netlink_callback *cb,
			  struct net_device *dev, u64 *at)
{
	u64 bucket = FIELD_GET(RIO9_NL_BUCKET, *at), key = FIELD_GET(RIO9_NL_KEY, *at);
	int err;

	while (bucket < 2 * RIO9_NL_BUCKETS) {
		if (bucket < RIO9_NL_BUCKETS)
			err = rio9_nl_next_out(skb, cb, dev, bucket, &key);
		else
			err = rio9_nl_next_in(skb, cb, dev, bucket - RIO9_NL_BUCKETS, &key);
		*at = FIELD_PREP(RIO9_NL_BUCKET, bucket) | key;
		if (err)
			return err;
		if (key != RIO9_NL_KEY) {
			key++;
		} else {
			key = 0;
			bucket++;
		}
	}
	return 0;
}

/**
 * rio9_nl_queue_get_dumpit - RIO9_CMD_QUEUE_GET of the queues of a port, or of all
 * @skb: the messages
 * @cb: state of the dump
 *
 * Return: 0 at the end, -EMSGSIZE when @skb is full.
 */
int rio9_nl_queue_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	return rio9_nl_walk(skb, cb, rio9_nl_queues);
}
