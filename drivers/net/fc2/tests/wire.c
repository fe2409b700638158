// SPDX-License-Identifier: GPL-2.0
/*
 * FC frames on the wire, read and written without the code that is tested, and remote ports that
 * are logged in.
 */
#include <linux/crc32.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/st_compat.h>
#include <linux/unaligned.h>

#include "exch.h"
#include "fake.h"
#include "remote.h"
#include "wire.h"

static unsigned long long seed;
module_param(seed, ullong, 0444);
MODULE_PARM_DESC(seed, "seed of the random tests; 0: a new one every time");

/**
 * wire_seed - start a random test
 * @test: the test, whose log gets the seed
 * @rnd: state to start
 */
void wire_seed(struct kunit *test, struct rnd_state *rnd)
{
	u64 s = seed ?: get_random_u64();

	kunit_info(test, "fc2_test.seed=%llu", s);
	prandom_seed_state(rnd, s);
}

/**
 * wire_frame - a frame of the remote port WIRE_PEER
 * @test: the test, with which it goes
 * @type: TYPE
 * @f_ctl: F_CTL, which decides the EOF
 *
 * Return: the frame, the first one of a Sequence, without data.
 */
struct wire_frame *wire_frame(struct kunit *test, u8 type, u32 f_ctl)
{
	struct wire_frame *frame = kunit_kzalloc(test, sizeof(*frame), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, frame);
	frame->sof = 0x2e;
	frame->eof = f_ctl & 0x080000 ? 0x42 : 0x41;
	frame->r_ctl = 0x04;
	frame->d_id = WIRE_ID;
	frame->s_id = WIRE_PEER;
	frame->type = type;
	frame->f_ctl = f_ctl;
	frame->rx_id = 0xffff;
	return frame;
}

/**
 * wire_seal - give a frame its CRC
 * @p: the frame, from the Ethernet header to the EOF
 * @len: bytes of it
 */
void wire_seal(u8 *p, unsigned int len)
{
	put_unaligned_le32(~crc32_le(~0, p + 28, len - 28 - 8), p + len - 8);
}

/**
 * wire_put - lay out a frame
 * @p: gets it, WIRE_MAX bytes
 * @frame: the frame; it is filled up to a word
 *
 * Return: bytes of it, from the Ethernet header on.
 */
unsigned int wire_put(u8 *p, const struct wire_frame *frame)
{
	unsigned int fill = -frame->len & 3, len = WIRE_HEAD + frame->len + fill + 8;

	memset(p, 0, len);
	put_unaligned_be24(0x0efd00, p);
	put_unaligned_be24(frame->d_id, p + 3);
	put_unaligned_be24(0x0efd00, p + 6);
	put_unaligned_be24(frame->s_id, p + 9);
	put_unaligned_be16(0x8906, p + 12);
	p[27] = frame->sof;
	p[28] = frame->r_ctl;
	put_unaligned_be24(frame->d_id, p + 29);
	p[32] = frame->cs_ctl;
	put_unaligned_be24(frame->s_id, p + 33);
	p[36] = frame->type;
	put_unaligned_be24(frame->f_ctl | fill, p + 37);
	p[40] = frame->seq_id;
	p[41] = frame->df_ctl;
	put_unaligned_be16(frame->cnt, p + 42);
	put_unaligned_be16(frame->ox_id, p + 44);
	put_unaligned_be16(frame->rx_id, p + 46);
	put_unaligned_be32(frame->param, p + 48);
	memcpy(p + WIRE_HEAD, frame->data, frame->len);
	p[len - 4] = frame->eof;
	wire_seal(p, len);
	return len;
}

/**
 * wire_rx_raw - let a frame arrive
 * @test: the test
 * @port: the port
 * @p: the frame, from the Ethernet header on
 * @len: bytes of it
 */
void wire_rx_raw(struct kunit *test, struct fc2_port *port, const u8 *p, unsigned int len)
{
	struct packet_type *pt = &port->iface->fcoe;
	struct sk_buff *skb = fake_skb(test, p, len);

	local_bh_disable();
	rcu_read_lock();
	pt->func(skb, port->iface->dev, pt, port->iface->dev);
	rcu_read_unlock();
	local_bh_enable();
}

/**
 * wire_rx - let a frame arrive
 * @test: the test
 * @port: the port
 * @frame: the frame
 */
void wire_rx(struct kunit *test, struct fc2_port *port, const struct wire_frame *frame)
{
	u8 *p = kunit_kzalloc(test, WIRE_MAX, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	wire_rx_raw(test, port, p, wire_put(p, frame));
	kunit_kfree(test, p);
}

static void wire_get(struct kunit *test, struct wire_frame *frame, const u8 *p, unsigned int len)
{
	unsigned int fill = p[39] & 3;

	KUNIT_ASSERT_GE(test, len, WIRE_HEAD + fill + 8);
	KUNIT_ASSERT_LE(test, len, WIRE_MAX);
	KUNIT_EXPECT_EQ(test, len % 4, 0);
	KUNIT_EXPECT_EQ(test, get_unaligned_le32(p + len - 8), ~crc32_le(~0, p + 28, len - 36));
	memset(frame, 0, sizeof(*frame));
	frame->sof = p[27];
	frame->eof = p[len - 4];
	frame->r_ctl = p[28];
	frame->d_id = get_unaligned_be24(p + 29);
	frame->cs_ctl = p[32];
	frame->s_id = get_unaligned_be24(p + 33);
	frame->type = p[36];
	frame->f_ctl = get_unaligned_be24(p + 37);
	frame->seq_id = p[40];
	frame->df_ctl = p[41];
	frame->cnt = get_unaligned_be16(p + 42);
	frame->ox_id = get_unaligned_be16(p + 44);
	frame->rx_id = get_unaligned_be16(p + 46);
	frame->param = get_unaligned_be32(p + 48);
	frame->len = len - WIRE_HEAD - fill - 8;
	memcpy(frame->data, p + WIRE_HEAD, frame->len);
}

/**
 * wire_sent - take the next FCoE frame that a port has sent
 * @test: the test
 * @port: the port
 * @frame: gets it
 *
 * Return: whether there was one.
 */
bool wire_sent(struct kunit *test, struct fc2_port *port, struct wire_frame *frame)
{
	struct sk_buff *skb = fake_sent(port->iface->dev, ETH_P_FCOE);

	if (!skb)
		return false;
	KUNIT_ASSERT_EQ(test, skb_linearize(skb), 0);
	wire_get(test, frame, skb->data, skb->len);
	KUNIT_EXPECT_MEMEQ(test, skb->data + 6, port->mac, ETH_ALEN);
	consume_skb(skb);
	return true;
}

/**
 * wire_count - forget the FCoE frames that a port has sent
 * @port: the port
 *
 * Return: how many there were.
 */
unsigned int wire_count(struct fc2_port *port)
{
	struct sk_buff *skb;
	unsigned int n = 0;

	while ((skb = fake_sent(port->iface->dev, ETH_P_FCOE))) {
		consume_skb(skb);
		n++;
	}
	return n;
}

/**
 * wire_logout - let a remote port log out
 * @rport: the remote port
 */
void wire_logout(struct fc2_rport *rport)
{
	WRITE_ONCE(rport->logged_in, false);
	fc2_exch_logout(rport);
}

static void wire_rport_end(void *data)
{
	struct fc2_rport *rport = data;

	wire_logout(rport);
	mutex_lock(&rport->port->lock);
	fc2_rport_unlist(rport);
	mutex_unlock(&rport->port->lock);
	fc2_rport_put(rport);
}

/**
 * wire_rport - let a remote port log in
 * @test: the test, with which it goes
 * @port: the port
 * @id: N_Port ID, which is also the low half of its Port_Name
 *
 * Return: the remote port, with a reference of the test.
 */
struct fc2_rport *wire_rport(struct kunit *test, struct fc2_port *port, u32 id)
{
	struct fc2_remote remote = {
		.id = id, .wwpn = 0x2000020000000000 | id, .wwnn = 0x1000020000000000 | id,
	};
	struct fc2_rport *rport;
	int err;

	put_unaligned_be24(0x0efd00, remote.mac);
	put_unaligned_be24(id, remote.mac + 3);
	rport = fc2_rport_alloc(port, &remote);
	KUNIT_ASSERT_NOT_NULL(test, rport);
	rport->mfs = 2112;
	rport->seq_cnt = true;
	rport->rel_off = true;
	rport->logged_in = true;
	mutex_lock(&port->lock);
	err = fc2_rport_list(rport);
	mutex_unlock(&port->lock);
	KUNIT_ASSERT_EQ(test, err, 0);
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, wire_rport_end, rport));
	return rport;
}

/**
 * wire_pattern - bytes that differ from their neighbours
 * @p: gets them
 * @len: how many
 */
void wire_pattern(u8 *p, unsigned int len)
{
	unsigned int i;

	for (i = 0; i < len; i++)
		p[i] = i * 7 + 3;
}

/**
 * wire_skb - a data field to be sent
 * @test: the test
 * @len: bytes of it
 *
 * Return: an skb with the bytes of wire_pattern(), and room for the headers.
 */
struct sk_buff *wire_skb(struct kunit *test, unsigned int len)
{
	struct sk_buff *skb = alloc_skb(FC2_HEADROOM + len + FC2_TAILROOM, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, FC2_HEADROOM);
	wire_pattern(skb_put(skb, len), len);
	return skb;
}
