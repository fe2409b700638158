// SPDX-License-Identifier: GPL-2.0
/*
 * Frames of FIP, FC-BB-5 and FC-BB-6: reading, building and sending.
 */
#include <kunit/static_stub.h>
#include <kunit/visibility.h>
#include <linux/bitops.h>
#include <linux/etherdevice.h>
#include <linux/fc2.h>
#include <linux/rcupdate.h>
#include <linux/skbuff.h>
#include <linux/st_compat.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_els.h>
#include <scsi/fc/fc_fip.h>

#include "fip.h"
#include "local.h"
#include "port.h"
#include "prov.h"

const u8 fc2_fip_all_enodes[ETH_ALEN] __aligned(2) = { 0x01, 0x10, 0x18, 0x01, 0x00, 0x01 };
const u8 fc2_fip_all_fcfs[ETH_ALEN] __aligned(2) = { 0x01, 0x10, 0x18, 0x01, 0x00, 0x02 };
const u8 fc2_fip_all_vn2vn[ETH_ALEN] __aligned(2) = { 0x01, 0x10, 0x18, 0x01, 0x00, 0x04 };

#define FC2_FIP_VN	(BIT(FIP_DT_MAC) | BIT(FIP_DT_NAME) | BIT(FIP_DT_VN_ID))
#define FC2_FIP_CLAIM	(FC2_FIP_VN | BIT(FIP_DT_FC4F) | BIT(FIP_DT_FCOE_SIZE))
#define FC2_FIP_ADV	(BIT(FIP_DT_PRI) | BIT(FIP_DT_MAC) | BIT(FIP_DT_NAME) |	\
			 BIT(FIP_DT_FAB) | BIT(FIP_DT_FKA))
#define FC2_FIP_CLEAR	(BIT(FIP_DT_MAC) | BIT(FIP_DT_NAME))
#define FC2_FIP_ELS	(BIT(FIP_DT_FLOGI) | BIT(FIP_DT_FDISC) | BIT(FIP_DT_LOGO))

/**
 * struct fc2_fip_form - the descriptors of an operation
 * @op: enum fip_opcode
 * @subcode: of that
 * @needed: mask of those that have to be there
 * @allowed: mask of those that may be there as well
 * @many: mask of those that may be there several times
 */
struct fc2_fip_form {
	u16	op;
	u8	subcode;
	u32	needed;
	u32	allowed;
	u32	many;
};

static const struct fc2_fip_form fc2_fip_forms[] = {
	{ FIP_OP_DISC, FIP_SC_ADV, FC2_FIP_ADV },
	{ FIP_OP_CTRL, FIP_SC_CLR_VLINK, FC2_FIP_CLEAR, BIT(FIP_DT_VN_ID), BIT(FIP_DT_VN_ID) },
	{ FIP_OP_LS, FIP_SC_REQ, 0, FC2_FIP_ELS | BIT(FIP_DT_MAC) },
	{ FIP_OP_LS, FIP_SC_REP, 0, FC2_FIP_ELS | BIT(FIP_DT_MAC) },
	{ FIP_OP_VN2VN, FIP_SC_VN_PROBE_REQ, FC2_FIP_VN },
	{ FIP_OP_VN2VN, FIP_SC_VN_PROBE_REP, FC2_FIP_VN },
	{ FIP_OP_VN2VN, FIP_SC_VN_CLAIM_NOTIFY, FC2_FIP_CLAIM },
	{ FIP_OP_VN2VN, FIP_SC_VN_CLAIM_REP, FC2_FIP_CLAIM },
	{ FIP_OP_VN2VN, FIP_SC_VN_BEACON, FC2_FIP_VN },
};

static const struct fc2_fip_form *fc2_fip_form(const struct fc2_fip *fip)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fc2_fip_forms); i++)
		if (fc2_fip_forms[i].op == fip->op && fc2_fip_forms[i].subcode == fip->subcode)
			return &fc2_fip_forms[i];
	return NULL;
}

/* Bytes of a descriptor; of one with an ELS the fewest */
static unsigned int fc2_fip_desc_len(u8 dtype)
{
	switch (dtype) {
	case FIP_DT_PRI:
		return sizeof(struct fip_pri_desc);
	case FIP_DT_FAB:
		return sizeof(struct fip_fab_desc);
	case FIP_DT_FKA:
		return sizeof(struct fip_fka_desc);
	case FIP_DT_MAC:
		return sizeof(struct fip_mac_desc);
	case FIP_DT_NAME:
		return sizeof(struct fip_wwn_desc);
	case FIP_DT_VN_ID:
		return sizeof(struct fip_vn_desc);
	case FIP_DT_FC4F:
		return sizeof(struct fip_fc4_feat);
	case FIP_DT_FCOE_SIZE:
		return sizeof(struct fip_size_desc);
	default:
		return sizeof(struct fip_encaps) + FC_FRAME_HEADER_LEN + FIP_BPW;
	}
}

static bool fc2_fip_desc(struct fc2_fip *fip, const void *p, unsigned int len)
{
	const struct fip_desc *desc = p;
	unsigned int min = fc2_fip_desc_len(desc->fip_dtype);
	const struct fip_wwn_desc *name = p;
	const struct fip_size_desc *size = p;
	const struct fip_mac_desc *mac = p;
	const struct fip_fab_desc *fab = p;
	const struct fip_fka_desc *fka = p;
	const struct fip_pri_desc *pri = p;
	const struct fip_vn_desc *vn = p;

	if (BIT(desc->fip_dtype) & FC2_FIP_ELS) {
		fip->els = desc->fip_dtype;
		fip->els_len = len - sizeof(struct fip_encaps);
		return len >= min && fip->els_len <= FC_MAX_FRAME;
	}
	if (len != min)
		return false;
	switch (desc->fip_dtype) {
	case FIP_DT_PRI:
		fip->priority = pri->fd_pri;
		break;
	case FIP_DT_FAB:
		fip->vfid = ntohs(fab->fd_vfid);
		fip->fc_map = fc2_ntoh24(fab->fd_map);
		fip->fabric = get_unaligned_be64(&fab->fd_wwn);
		break;
	case FIP_DT_FKA:
		fip->fka = ntohl(fka->fd_fka_period);
		fip->quiet = fka->fd_flags & FIP_FKA_ADV_D;
		break;
	case FIP_DT_MAC:
		ether_addr_copy(fip->mac, mac->fd_mac);
		break;
	case FIP_DT_NAME:
		fip->name = get_unaligned_be64(&name->fd_wwn);
		break;
	case FIP_DT_VN_ID:
		ether_addr_copy(fip->vn_mac, vn->fd_mac);
		fip->vn_id = fc2_ntoh24(vn->fd_fc_id);
		fip->wwpn = get_unaligned_be64(&vn->fd_wwpn);
		break;
	case FIP_DT_FCOE_SIZE:
		fip->size = ntohs(size->fd_size);
		break;
	}
	return true;
}

static bool fc2_fip_is_reply(u8 els)
{
	return els == ELS_LS_ACC || els == ELS_LS_RJT;
}

/*
 * One ELS, in the first descriptor, which has to be the one for that ELS; and, but in LS_RJT, the
 * MAC address of the VN_Port.
 */
static bool fc2_fip_els_valid(struct fc2_fip *fip, const u8 *data)
{
	static const u8 ops[] = {
		[FIP_DT_FLOGI] = ELS_FLOGI, [FIP_DT_FDISC] = ELS_FDISC, [FIP_DT_LOGO] = ELS_LOGO,
	};
	unsigned int pos = sizeof(struct fip_header);
	const struct fip_desc *first = (const struct fip_desc *)(data + pos);
	u8 els;

	if (hweight32(fip->has & FC2_FIP_ELS) != 1 || first->fip_dtype != fip->els)
		return false;
	fip->els_pos = pos + sizeof(struct fip_encaps);
	els = data[fip->els_pos + FC_FRAME_HEADER_LEN];
	if (fip->subcode == FIP_SC_REP ? !fc2_fip_is_reply(els) : els != ops[fip->els])
		return false;
	return els == ELS_LS_RJT || fip->has & BIT(FIP_DT_MAC);
}

/**
 * fc2_fip_parse - read a FIP frame
 * @fip: for what it says
 * @data: the frame, behind the Ethernet header
 * @len: bytes of it, with padding
 *
 * Return: 0; -EINVAL when it is malformed; -EOPNOTSUPP when the operation is not known.
 */
int fc2_fip_parse(struct fc2_fip *fip, const void *data, unsigned int len)
{
	const struct fip_header *hdr = data;
	unsigned int pos = sizeof(*hdr), end, dlen;
	const struct fc2_fip_form *form;
	const struct fip_desc *desc;
	u32 bit;

	if (len < sizeof(*hdr) || FIP_VER_DECAPS(hdr->fip_ver) != FIP_VER)
		return -EINVAL;
	*fip = (struct fc2_fip) {
		.op = ntohs(hdr->fip_op), .subcode = hdr->fip_subcode,
		.flags = ntohs(hdr->fip_flags),
	};
	form = fc2_fip_form(fip);
	if (!form)
		return -EOPNOTSUPP;
	end = pos + ntohs(hdr->fip_dl_len) * FIP_BPW;
	if (end > len)
		return -EINVAL;
	for (; pos < end; pos += dlen) {
		desc = data + pos;
		dlen = desc->fip_dlen * FIP_BPW;
		if (!dlen || dlen > end - pos)
			return -EINVAL;
		/* FC-BB-5: others than these have to be known */
		if (desc->fip_dtype >= FIP_DT_NON_CRITICAL)
			continue;
		bit = desc->fip_dtype < FIP_DT_LIMIT ? BIT(desc->fip_dtype) : 0;
		if (!(bit & (form->needed | form->allowed)) || fip->has & bit & ~form->many ||
		    !fc2_fip_desc(fip, desc, dlen))
			return -EINVAL;
		fip->has |= bit;
	}
	if (form->needed & ~fip->has)
		return -EINVAL;
	if (fip->op == FIP_OP_LS && !fc2_fip_els_valid(fip, data))
		return -EINVAL;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_fip_parse);

/**
 * fc2_fip_has_vn_id - whether a FIP frame names a VN_Port
 * @data: the frame, behind the Ethernet header, which fc2_fip_parse() has found to be good
 * @id: N_Port ID
 * @mac: MAC address of the VN_Port
 * @wwpn: Port_Name
 *
 * Return: whether one of perhaps many descriptors is for that port.
 */
bool fc2_fip_has_vn_id(const void *data, u32 id, const u8 *mac, u64 wwpn)
{
	const struct fip_header *hdr = data;
	const struct fip_vn_desc *vn;
	unsigned int pos, end;

	end = sizeof(*hdr) + ntohs(hdr->fip_dl_len) * FIP_BPW;
	for (pos = sizeof(*hdr); pos < end; pos += vn->fd_desc.fip_dlen * FIP_BPW) {
		vn = data + pos;
		if (vn->fd_desc.fip_dtype == FIP_DT_VN_ID && fc2_ntoh24(vn->fd_fc_id) == id &&
		    ether_addr_equal_unaligned(vn->fd_mac, mac) &&
		    get_unaligned_be64(&vn->fd_wwpn) == wwpn)
			return true;
	}
	return false;
}

/**
 * fc2_fip_arm - let fc2_fip_timeout() be called
 * @port: the port, its lock held
 * @delay: when, in jiffies
 */
void fc2_fip_arm(struct fc2_port *port, unsigned long delay)
{
	KUNIT_STATIC_STUB_REDIRECT(fc2_fip_arm, port, delay);
	mod_delayed_work(port->wq, &port->fip_timer, delay);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_fip_arm);

/**
 * fc2_fip_alloc - begin a FIP frame
 * @port: the port
 * @op: enum fip_opcode
 * @subcode: of that
 * @flags: mask of enum fip_flag
 * @size: bytes that it may have, with padding
 *
 * Context: process.
 * Return: the frame, for descriptors and fc2_fip_send(), or NULL.
 */
struct sk_buff *fc2_fip_alloc(struct fc2_port *port, u16 op, u8 subcode, u16 flags,
			      unsigned int size)
{
	unsigned int room = LL_RESERVED_SPACE(port->iface->dev);
	struct fip_header *hdr;
	struct sk_buff *skb;

	skb = alloc_skb(room + max_t(unsigned int, size, ETH_ZLEN), GFP_KERNEL);
	if (!skb) {
		fc2_stat_inc(port, FC2_STAT_TX_NO_MEMORY);
		return NULL;
	}
	skb_reserve(skb, room);
	hdr = skb_put_zero(skb, sizeof(*hdr));
	hdr->fip_ver = FIP_VER_ENCAPS(FIP_VER);
	hdr->fip_op = htons(op);
	hdr->fip_subcode = subcode;
	hdr->fip_flags = htons(flags);
	return skb;
}

static void *fc2_fip_put(struct sk_buff *skb, u8 dtype)
{
	unsigned int len = fc2_fip_desc_len(dtype);
	struct fip_desc *desc = skb_put_zero(skb, len);

	desc->fip_dtype = dtype;
	desc->fip_dlen = len / FIP_BPW;
	return desc;
}

/**
 * fc2_fip_put_mac - MAC address descriptor
 * @skb: the frame
 * @mac: the address
 */
void fc2_fip_put_mac(struct sk_buff *skb, const u8 *mac)
{
	struct fip_mac_desc *desc = fc2_fip_put(skb, FIP_DT_MAC);

	ether_addr_copy(desc->fd_mac, mac);
}

/**
 * fc2_fip_put_name - name descriptor
 * @skb: the frame
 * @name: the name
 */
void fc2_fip_put_name(struct sk_buff *skb, u64 name)
{
	struct fip_wwn_desc *desc = fc2_fip_put(skb, FIP_DT_NAME);

	put_unaligned_be64(name, &desc->fd_wwn);
}

/**
 * fc2_fip_put_vn_id - VN_Port identification descriptor
 * @skb: the frame
 * @id: N_Port ID
 * @mac: MAC address of the VN_Port
 * @wwpn: Port_Name
 */
void fc2_fip_put_vn_id(struct sk_buff *skb, u32 id, const u8 *mac, u64 wwpn)
{
	struct fip_vn_desc *desc = fc2_fip_put(skb, FIP_DT_VN_ID);

	ether_addr_copy(desc->fd_mac, mac);
	fc2_hton24(desc->fd_fc_id, id);
	put_unaligned_be64(wwpn, &desc->fd_wwpn);
}

/**
 * fc2_fip_put_fc4s - FC-4 attributes descriptor: the TYPEs that have users
 * @skb: the frame
 */
void fc2_fip_put_fc4s(struct sk_buff *skb)
{
	struct fip_fc4_feat *desc = fc2_fip_put(skb, FIP_DT_FC4F);
	unsigned int type;

	rcu_read_lock();
	for (type = 0; type < FC_NS_TYPES; type++)
		if (fc2_prov_by_type(type))
			desc->fd_fts.ff_type_map[type / FC_NS_BPW] |=
				htonl(BIT(type % FC_NS_BPW));
	rcu_read_unlock();
}

/**
 * fc2_fip_put_size - FCoE size descriptor
 * @skb: the frame
 * @size: the longest FCoE frame
 */
void fc2_fip_put_size(struct sk_buff *skb, u16 size)
{
	struct fip_size_desc *desc = fc2_fip_put(skb, FIP_DT_FCOE_SIZE);

	desc->fd_size = htons(size);
}

/**
 * fc2_fip_send - end a FIP frame, and send it
 * @port: the port
 * @skb: the frame; consumed
 * @src: MAC address to send it from
 * @dst: MAC address to send it to
 * @min: bytes that it is to have at least; not more than fc2_fip_alloc() was told
 *
 * Context: process.
 */
void fc2_fip_send(struct fc2_port *port, struct sk_buff *skb, const u8 *src, const u8 *dst,
		  unsigned int min)
{
	struct fip_header *hdr = (struct fip_header *)skb->data;
	struct net_device *dev = port->iface->dev;
	int err;

	hdr->fip_dl_len = htons((skb->len - sizeof(*hdr)) / FIP_BPW);
	if (skb->len < min)
		skb_put_zero(skb, min - skb->len);
	skb->protocol = htons(ETH_P_FIP);
	skb->dev = dev;
	skb_reset_network_header(skb);
	eth_header(skb, dev, ETH_P_FIP, dst, src, skb->len);
	skb_reset_mac_header(skb);
	fc2_stat_inc(port, FC2_STAT_FIP_SENT);
	rcu_read_lock();
	if (fc2_local_send(port, skb)) {
		rcu_read_unlock();
		consume_skb(skb);
		return;
	}
	rcu_read_unlock();
	err = dev_queue_xmit(skb);
	if (net_xmit_eval(err))
		fc2_stat_inc(port, FC2_STAT_TX_DROPPED);
}

/**
 * fc2_fip_els_send - send an ELS frame in FIP
 * @port: the port
 * @skb: the frame, at its FC header, a multiple of 4 bytes, best with FC2_HEADROOM in front;
 *	consumed
 * @dtype: descriptor for it: FIP_DT_FLOGI or FIP_DT_LOGO; of an answer the one of the request,
 *	which fc2_skb_cb.fip tells
 * @dst: ENode MAC address of the receiver (fc2_neighbour_find()), or of the FCF
 *
 * Context: process, under the lock of the port.
 * Return: 0, or -ENOMEM when the frame was dropped, and counted.
 */
int fc2_fip_els_send(struct fc2_port *port, struct sk_buff *skb, u8 dtype, const u8 *dst)
{
	static const u8 none[ETH_ALEN];
	u8 els = skb->data[FC_FRAME_HEADER_LEN];
	struct net_device *dev = port->iface->dev;
	struct fip_encaps *encaps;
	struct fip_header *hdr;
	unsigned int dlen;

	lockdep_assert_held(&port->lock);
	dlen = sizeof(*encaps) + skb->len;
	if (skb_cow_head(skb, LL_RESERVED_SPACE(dev) + sizeof(*hdr) + sizeof(*encaps)) ||
	    skb_linearize(skb) ||
	    (skb_tailroom(skb) < sizeof(struct fip_mac_desc) &&
	     pskb_expand_head(skb, 0, sizeof(struct fip_mac_desc), GFP_KERNEL))) {
		fc2_stat_inc(port, FC2_STAT_TX_NO_MEMORY);
		kfree_skb(skb);
		return -ENOMEM;
	}
	/* FC-BB-5: an FLOGI that asks for an address of the fabric's has none in it */
	if (els != ELS_LS_RJT)
		fc2_fip_put_mac(skb, port->id ? port->mac : none);
	encaps = skb_push(skb, sizeof(*encaps));
	memset(encaps, 0, sizeof(*encaps));
	encaps->fd_desc.fip_dtype = dtype;
	encaps->fd_desc.fip_dlen = dlen / FIP_BPW;
	hdr = skb_push(skb, sizeof(*hdr));
	memset(hdr, 0, sizeof(*hdr));
	hdr->fip_ver = FIP_VER_ENCAPS(FIP_VER);
	hdr->fip_op = htons(FIP_OP_LS);
	hdr->fip_subcode = fc2_fip_is_reply(els) ? FIP_SC_REP : FIP_SC_REQ;
	if (port->params.mode == FC2_MODE_FABRIC)
		hdr->fip_flags = htons(FIP_FL_FPMA);
	fc2_fip_send(port, skb, dev->dev_addr, dst, 0);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_fip_els_send);
