// SPDX-License-Identifier: GPL-2.0
/*
 * FC frames in Ethernet frames, FC-BB: FCoE header, CRC, SOF and EOF.
 */
#include <kunit/visibility.h>
#include <linux/crc32.h>
#include <linux/etherdevice.h>
#include <linux/if_ether.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <scsi/fc/fc_encaps.h>
#include <scsi/fc/fc_fcoe.h>

#include "fcoe.h"
#include "local.h"
#include "port.h"

/* FC-FS: the Ethernet polynomial, over header and data field */
static u32 fc2_fcoe_crc(struct sk_buff *skb, unsigned int len)
{
	struct skb_seq_state state;
	const u8 *data;
	unsigned int pos = 0, n;
	u32 crc = ~0;

	skb_prepare_seq_read(skb, 0, len, &state);
	while ((n = skb_seq_read(pos, &data, &state))) {
		/* It ends with the part of the skb, not at len */
		n = min(n, len - pos);
		crc = crc32_le(crc, data, n);
		pos += n;
	}
	return ~crc;
}

/* Make room behind the frame: in the skb's linear part, or in a fragment of its own */
static void *fc2_fcoe_trailer(struct sk_buff *skb, unsigned int len)
{
	int frags = skb_shinfo(skb)->nr_frags;
	void *p;

	if (!skb_is_nonlinear(skb) && !skb_cloned(skb) && skb_tailroom(skb) >= len)
		return skb_put(skb, len);
	if (!skb_is_nonlinear(skb) || frags >= MAX_SKB_FRAGS || skb_has_frag_list(skb)) {
		if (skb_linearize(skb) || pskb_expand_head(skb, 0, len, GFP_ATOMIC))
			return NULL;
		return skb_put(skb, len);
	}
	p = netdev_alloc_frag(len);
	if (!p)
		return NULL;
	skb_fill_page_desc(skb, frags, virt_to_head_page(p),
			   p - page_address(virt_to_head_page(p)), len);
	skb->len += len;
	skb->data_len += len;
	/* truesize stays, as the owner of the skb was charged for it */
	return p;
}

/**
 * fc2_fcoe_xmit - send a frame
 * @port: the port
 * @skb: the frame, at its FC header, with FC2_HEADROOM less than that in front and perhaps
 *	FC2_TAILROOM behind.  It is filled up to a word, which F_CTL then tells.  Consumed
 * @sof: SOF
 * @eof: EOF
 * @dst: MAC address of the receiver
 *
 * Context: any but hard interrupts.
 * Return: 0, or a negative errno when the frame was dropped, and counted.
 */
int fc2_fcoe_xmit(struct fc2_port *port, struct sk_buff *skb, u8 sof, u8 eof, const u8 *dst)
{
	unsigned int len = skb->len, fill = -len & 3;
	struct net_device *dev = port->iface->dev;
	struct fc_frame_header *fh;
	struct fcoe_crc_eof *end;
	struct fcoe_hdr *hdr;
	u8 *trailer;
	int err;

	/* Not LL_RESERVED_SPACE(), whose alignment would have each frame copied */
	if (skb_cow_head(skb, dev->hard_header_len + dev->needed_headroom + sizeof(*hdr)))
		goto no_memory;
	trailer = fc2_fcoe_trailer(skb, fill + sizeof(*end));
	if (!trailer)
		goto no_memory;
	fh = (struct fc_frame_header *)skb->data;
	fh->fh_f_ctl[2] = (fh->fh_f_ctl[2] & ~3) | fill;
	memset(trailer, 0, fill + sizeof(*end));
	end = (struct fcoe_crc_eof *)(trailer + fill);
	end->fcoe_crc32 = cpu_to_le32(fc2_fcoe_crc(skb, len + fill));
	end->fcoe_eof = eof;

	hdr = __skb_push(skb, sizeof(*hdr));
	memset(hdr, 0, sizeof(*hdr));
	hdr->fcoe_sof = sof;
	skb->protocol = htons(ETH_P_FCOE);
	skb->dev = dev;
	skb_reset_network_header(skb);
	eth_header(skb, dev, ETH_P_FCOE, dst, port->mac, skb->len);
	skb_reset_mac_header(skb);
	fc2_stat_inc(port, FC2_STAT_TX_FRAMES);
	fc2_stat_add(port, FC2_STAT_TX_BYTES, len - FC_FRAME_HEADER_LEN);

	rcu_read_lock();
	if (fc2_local_send(port, skb)) {
		rcu_read_unlock();
		consume_skb(skb);
		return 0;
	}
	rcu_read_unlock();
	err = dev_queue_xmit(skb);
	err = net_xmit_eval(err);
	if (!err)
		return 0;
	fc2_stat_inc(port, FC2_STAT_TX_DROPPED);
	return err > 0 ? net_xmit_errno(err) : err;
no_memory:
	fc2_stat_inc(port, FC2_STAT_TX_NO_MEMORY);
	kfree_skb(skb);
	return -ENOMEM;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_fcoe_xmit);

/* Length of the optional headers that DF_CTL tells, FC-FS; without ESP and reserved ones */
static int fc2_fcoe_optional(u8 df_ctl)
{
	static const u8 device[] = { 0, 16, 32, 64 };

	if (df_ctl & ~0x23)
		return -1;
	return (df_ctl & 0x20 ? 16 : 0) + device[df_ctl & 3];
}

/**
 * fc2_fcoe_decap - check a received frame, and take away what is not the FC frame
 * @skb: the frame, behind its Ethernet header; not shared.  If all is well, its data begin behind
 *	the FC header, which is the transport header and, with the optional headers, in the linear
 *	part; and fc2_skb_cb() has the delimiters.
 *
 * Context: softirq.
 * Return: enum fc2_stat to count the frame as: FC2_STAT_RX_FRAMES if it is good.
 */
int fc2_fcoe_decap(struct sk_buff *skb)
{
	struct fc2_skb_cb *cb = fc2_skb_cb(skb);
	const struct fc_frame_header *fh;
	const struct fcoe_hdr *hdr;
	struct fcoe_crc_eof end;
	unsigned int fill;
	int optional;

	if (skb->len < FCOE_MIN_FRAME || !pskb_may_pull(skb, FCOE_HEADER_LEN))
		return FC2_STAT_RX_SHORT;
	hdr = (const struct fcoe_hdr *)skb->data;
	if (FC_FCOE_DECAPS_VER(hdr) != FC_FCOE_VER)
		return FC2_STAT_RX_VERSION;
	*cb = (struct fc2_skb_cb) { .sof = hdr->fcoe_sof };
	if (cb->sof == FC_SOF_I2 || cb->sof == FC_SOF_N2)
		return FC2_STAT_RX_CLASS;
	if (cb->sof != FC_SOF_I3 && cb->sof != FC_SOF_N3)
		return FC2_STAT_RX_DELIMITER;
	if (skb_copy_bits(skb, skb->len - sizeof(end), &end, sizeof(end)))
		return FC2_STAT_RX_SHORT;
	cb->eof = end.fcoe_eof;
	if (cb->eof != FC_EOF_N && cb->eof != FC_EOF_T)
		return FC2_STAT_RX_DELIMITER;
	__skb_pull(skb, sizeof(*hdr));
	if (pskb_trim(skb, skb->len - sizeof(end)))
		return FC2_STAT_RX_NO_MEMORY;
	if (skb->len % 4 || skb->len > FC_MAX_FRAME)
		return FC2_STAT_RX_LENGTH;
	if (le32_to_cpu(end.fcoe_crc32) != fc2_fcoe_crc(skb, skb->len))
		return FC2_STAT_RX_CRC;

	skb_reset_transport_header(skb);
	fh = fc2_frame_hdr(skb);
	fill = fh->fh_f_ctl[2] & 3;
	optional = fc2_fcoe_optional(fh->fh_df_ctl);
	if (optional < 0 || skb->len < FC_FRAME_HEADER_LEN + optional + fill)
		return FC2_STAT_RX_LENGTH;
	if (pskb_trim(skb, skb->len - fill) ||
	    !pskb_may_pull(skb, FC_FRAME_HEADER_LEN + optional))
		return FC2_STAT_RX_NO_MEMORY;
	__skb_pull(skb, FC_FRAME_HEADER_LEN);
	return FC2_STAT_RX_FRAMES;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_fcoe_decap);
