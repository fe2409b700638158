// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of FC frames in Ethernet frames.
 */
#include <linux/module.h>
#include <linux/st_compat.h>
#include <linux/unaligned.h>
#include <scsi/fc/fc_encaps.h>

#include "fake.h"
#include "fcoe.h"
#include "vn.h"
#include "wire.h"

/* FC header, but F_CTL's fill bytes; DF_CTL 00; then the bytes of wire_pattern() */
static const u8 fcoe_golden[WIRE_HEAD] = {
	0x0e, 0xfd, 0x00, 0x00, 0x04, 0x56,  0x0e, 0xfd, 0x00, 0x00, 0x01, 0x23,  0x89, 0x06,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x2e,
	0x04, 0x00, 0x04, 0x56,  0x00, 0x00, 0x01, 0x23,  0x05, 0x38, 0x00, 0x00,
	0x11, 0x00, 0x00, 0x02,  0x12, 0x34, 0xff, 0xff,  0xde, 0xad, 0xbe, 0xef,
};

/* The CRCs are those of zlib */
static const struct test_size {
	unsigned int	len;
	u32		crc;
} test_sizes[] = {
	{ 0, 0x9cc3dc7f },
	{ 1, 0xceca0c0a },
	{ 2, 0x44fb429f },
	{ 3, 0x44b83a0b },
	{ 4, 0xd072691e },
	{ 64, 0x08959592 },
	{ 1420, 0x6deb63be },
	{ 2109, 0x3c0c8754 },
	{ 2112, 0xd3055fbb },
};

static void test_size_name(const struct test_size *size, char *name)
{
	snprintf(name, KUNIT_PARAM_DESC_SIZE, "%u bytes", size->len);
}

KUNIT_ARRAY_PARAM(test_size, test_sizes, test_size_name);

/* The frame of a size, WIRE_MAX bytes; returns its length */
static unsigned int fcoe_golden_put(u8 *p, const struct test_size *size)
{
	unsigned int fill = -size->len & 3, len = WIRE_HEAD + size->len + fill + 8;

	memset(p, 0, len);
	memcpy(p, fcoe_golden, WIRE_HEAD);
	p[39] |= fill;
	wire_pattern(p + WIRE_HEAD, size->len);
	put_unaligned_le32(size->crc, p + len - 8);
	p[len - 4] = 0x42;
	return len;
}

static u8 *fcoe_buffer(struct kunit *test)
{
	u8 *p = kunit_kzalloc(test, WIRE_MAX, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	return p;
}

/* Move the data field from byte @from on into pages of @piece bytes each */
static void fcoe_paged(struct kunit *test, struct sk_buff *skb, unsigned int from,
		       unsigned int piece)
{
	unsigned int at, n, tail = skb->len - from;
	int frag = 0;
	u8 *copy = kunit_kzalloc(test, WIRE_MAX, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, copy);
	skb_copy_bits(skb, from, copy, tail);
	skb_trim(skb, from);
	for (at = 0; at < tail; at += n) {
		struct page *page = alloc_page(GFP_KERNEL | __GFP_ZERO);

		KUNIT_ASSERT_NOT_NULL(test, page);
		n = min(piece, tail - at);
		memcpy(page_address(page) + 100, copy + at, n);
		skb_add_rx_frag(skb, frag++, page, 100, n, PAGE_SIZE);
	}
}

/* The tail in an skb of its own, in the list of fragments */
static void fcoe_listed(struct kunit *test, struct sk_buff *skb, unsigned int from)
{
	unsigned int tail = skb->len - from;
	struct sk_buff *more = alloc_skb(tail, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, more);
	skb_copy_bits(skb, from, skb_put(more, tail), tail);
	skb_trim(skb, from);
	skb_shinfo(skb)->frag_list = more;
	skb->len += tail;
	skb->data_len += tail;
	skb->truesize += more->truesize;
}

enum fcoe_form { FORM_ROOM, FORM_TIGHT, FORM_CLONED, FORM_PAGE, FORM_PAGES, FORM_PAGE_CLONED,
		 FORM_LIST, FORMS };

/* A frame to send, at its FC header; *@twin gets a clone of it, if the form has one */
static struct sk_buff *fcoe_form(struct kunit *test, enum fcoe_form form, unsigned int len,
				 struct sk_buff **twin)
{
	bool tight = form == FORM_TIGHT || form == FORM_LIST;
	unsigned int head = tight ? 0 : FC2_HEADROOM - FC_FRAME_HEADER_LEN;
	unsigned int half = FC_FRAME_HEADER_LEN + len / 2;
	struct sk_buff *skb = alloc_skb(head + FC_FRAME_HEADER_LEN + len +
					(tight ? 0 : FC2_TAILROOM), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, skb);
	skb_reserve(skb, head);
	skb_put_data(skb, fcoe_golden + 28, FC_FRAME_HEADER_LEN);
	wire_pattern(skb_put(skb, len), len);
	if (form == FORM_PAGE || form == FORM_PAGE_CLONED)
		fcoe_paged(test, skb, half, WIRE_MAX);
	if (form == FORM_PAGES)
		fcoe_paged(test, skb, half, DIV_ROUND_UP(skb->len - half, MAX_SKB_FRAGS) ?: 1);
	if (form == FORM_LIST && len)
		fcoe_listed(test, skb, half);
	*twin = NULL;
	if (form == FORM_CLONED || form == FORM_PAGE_CLONED) {
		*twin = skb_clone(skb, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, *twin);
	}
	return skb;
}

/*
 * Whatever an skb is like, the frame is the same, and a clone of it keeps its data.  One that has
 * room is not copied.
 */
static void fc2_fcoe_send(struct kunit *test)
{
	const struct test_size *size = test->param_value;
	u8 *want = fcoe_buffer(test), *got = fcoe_buffer(test);
	struct fc2_port *port = vn_port(test, FC2_STATE_UP);
	unsigned int len = fcoe_golden_put(want, size);
	struct sk_buff *skb, *twin;
	enum fcoe_form form;
	u8 *head;

	for (form = 0; form < FORMS; form++) {
		skb = fcoe_form(test, form, size->len, &twin);
		head = skb->head;
		KUNIT_EXPECT_EQ(test, fc2_fcoe_xmit(port, skb, FC_SOF_I3, FC_EOF_T, want), 0);
		skb = fake_sent(port->iface->dev, ETH_P_FCOE);
		KUNIT_ASSERT_NOT_NULL_MSG(test, skb, "form %d", form);
		KUNIT_EXPECT_EQ_MSG(test, skb->len, len, "form %d", form);
		if (form == FORM_ROOM)
			KUNIT_EXPECT_PTR_EQ(test, skb->head, head);
		KUNIT_EXPECT_EQ(test, skb_copy_bits(skb, 0, got, min(len, skb->len)), 0);
		KUNIT_EXPECT_MEMEQ_MSG(test, got, want, len, "form %d", form);
		consume_skb(skb);
		if (!twin)
			continue;
		KUNIT_EXPECT_EQ(test, twin->len, FC_FRAME_HEADER_LEN + size->len);
		KUNIT_EXPECT_EQ(test, skb_copy_bits(twin, FC_FRAME_HEADER_LEN, got, size->len), 0);
		wire_pattern(want, size->len);
		KUNIT_EXPECT_MEMEQ_MSG(test, got, want, size->len, "form %d", form);
		fcoe_golden_put(want, size);
		consume_skb(twin);
	}
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_TX_FRAMES), FORMS);
	KUNIT_EXPECT_EQ(test, fc2_stat_read(port, FC2_STAT_TX_BYTES), FORMS * size->len);
}

/* The same frames, as they arrive: in one piece, and in pages */
static void fc2_fcoe_receive(struct kunit *test)
{
	const struct test_size *size = test->param_value;
	u8 *frame = fcoe_buffer(test), *got = fcoe_buffer(test);
	unsigned int len = fcoe_golden_put(frame, size), paged;
	struct fc_frame_header *fh;
	struct sk_buff *skb;

	for (paged = 0; paged < 3; paged++) {
		skb = fake_skb(test, frame, len);
		if (paged)
			fcoe_paged(test, skb, paged == 1 ? 14 : 45, 200);
		KUNIT_ASSERT_EQ(test, fc2_fcoe_decap(skb), FC2_STAT_RX_FRAMES);
		KUNIT_EXPECT_EQ(test, fc2_skb_cb(skb)->sof, FC_SOF_I3);
		KUNIT_EXPECT_EQ(test, fc2_skb_cb(skb)->eof, FC_EOF_T);
		KUNIT_EXPECT_EQ(test, fc2_skb_cb(skb)->flags, 0);
		KUNIT_EXPECT_EQ(test, fc2_skb_cb(skb)->fip, 0);
		fh = fc2_frame_hdr(skb);
		KUNIT_EXPECT_MEMEQ(test, fh, frame + 28, FC_FRAME_HEADER_LEN);
		KUNIT_EXPECT_EQ(test, skb->len, size->len);
		KUNIT_EXPECT_EQ(test, skb_copy_bits(skb, 0, got, skb->len), 0);
		KUNIT_EXPECT_MEMEQ(test, got, frame + WIRE_HEAD, size->len);
		consume_skb(skb);
	}
}

/**
 * struct test_bad - what is wrong in a frame
 * @name: it
 * @len: bytes of the data field before the frame is changed
 * @at: byte that is changed, from the Ethernet header on; from the end if it is negative
 * @value: its new value
 * @more: bytes that the frame is longer than it was, or shorter; the trailer is moved
 * @sealed: the CRC is made anew
 * @stat: what the frame is counted as
 */
struct test_bad {
	const char	*name;
	unsigned int	len;
	int		at;
	u8		value;
	int		more;
	bool		sealed;
	enum fc2_stat	stat;
};

static const struct test_bad test_bads[] = {
	{ "version 1", 64, 14, 0x10, 0, true, FC2_STAT_RX_VERSION },
	{ "version 15", 64, 14, 0xf0, 0, true, FC2_STAT_RX_VERSION },
	{ "reserved bits of the FCoE header", 64, 14, 0x0f, 0, true, FC2_STAT_RX_FRAMES },
	{ "SOF 0", 64, 27, 0x00, 0, true, FC2_STAT_RX_DELIMITER },
	{ "SOFf", 64, 27, 0x28, 0, true, FC2_STAT_RX_DELIMITER },
	{ "SOFi4", 64, 27, 0x29, 0, true, FC2_STAT_RX_DELIMITER },
	{ "SOFi2", 64, 27, 0x2d, 0, true, FC2_STAT_RX_CLASS },
	{ "SOFn2", 64, 27, 0x35, 0, true, FC2_STAT_RX_CLASS },
	{ "SOFn3", 64, 27, 0x36, 0, true, FC2_STAT_RX_FRAMES },
	{ "EOF 0", 64, -4, 0x00, 0, true, FC2_STAT_RX_DELIMITER },
	{ "EOFn", 64, -4, 0x41, 0, true, FC2_STAT_RX_FRAMES },
	{ "EOFdt", 64, -4, 0x46, 0, true, FC2_STAT_RX_DELIMITER },
	{ "EOFni", 64, -4, 0x49, 0, true, FC2_STAT_RX_DELIMITER },
	{ "EOFa", 64, -4, 0x50, 0, true, FC2_STAT_RX_DELIMITER },
	{ "reserved byte of the trailer", 64, -1, 0xff, 0, true, FC2_STAT_RX_FRAMES },
	{ "first bit of the CRC", 64, -8, 0x93, 0, false, FC2_STAT_RX_CRC },
	{ "last byte of the CRC", 64, -5, 0x09, 0, false, FC2_STAT_RX_CRC },
	{ "header", 64, 32, 0x01, 0, false, FC2_STAT_RX_CRC },
	{ "data", 64, WIRE_HEAD, 0x00, 0, false, FC2_STAT_RX_CRC },
	{ "last byte of data", 64, -9, 0x00, 0, false, FC2_STAT_RX_CRC },
	{ "one byte more", 64, 0, 0x0e, 1, true, FC2_STAT_RX_LENGTH },
	{ "two bytes less", 64, 0, 0x0e, -2, true, FC2_STAT_RX_LENGTH },
	{ "data field of 2116 bytes", 2112, 0, 0x0e, 4, true, FC2_STAT_RX_LENGTH },
	{ "no data field", 4, 0, 0x0e, -4, true, FC2_STAT_RX_FRAMES },
	{ "header too short", 0, 0, 0x0e, -4, true, FC2_STAT_RX_SHORT },
	{ "no header", 0, 0, 0x0e, -24, true, FC2_STAT_RX_SHORT },
	{ "fill bytes without data", 0, 39, 0x03, 0, true, FC2_STAT_RX_LENGTH },
	{ "three fill bytes of four", 4, 39, 0x03, 0, true, FC2_STAT_RX_FRAMES },
	{ "Network_Header", 16, 41, 0x20, 0, true, FC2_STAT_RX_FRAMES },
	{ "Network_Header too short", 12, 41, 0x20, 0, true, FC2_STAT_RX_LENGTH },
	{ "Device_Header of 16 bytes", 16, 41, 0x01, 0, true, FC2_STAT_RX_FRAMES },
	{ "Device_Header of 32 bytes", 32, 41, 0x02, 0, true, FC2_STAT_RX_FRAMES },
	{ "Device_Header of 32 bytes too short", 28, 41, 0x02, 0, true, FC2_STAT_RX_LENGTH },
	{ "Device_Header of 64 bytes", 64, 41, 0x03, 0, true, FC2_STAT_RX_FRAMES },
	{ "both headers", 48, 41, 0x22, 0, true, FC2_STAT_RX_FRAMES },
	{ "both headers too short", 44, 41, 0x22, 0, true, FC2_STAT_RX_LENGTH },
	{ "ESP header", 64, 41, 0x40, 0, true, FC2_STAT_RX_LENGTH },
	{ "association header", 64, 41, 0x10, 0, true, FC2_STAT_RX_LENGTH },
	{ "reserved bit of DF_CTL", 64, 41, 0x80, 0, true, FC2_STAT_RX_LENGTH },
};

KUNIT_ARRAY_PARAM_DESC(test_bad, test_bads, name);

static unsigned int fcoe_bad_put(u8 *p, const struct test_bad *bad)
{
	struct test_size size = { .len = bad->len };
	unsigned int len = fcoe_golden_put(p, &size);

	wire_seal(p, len);
	memmove(p + len + bad->more - 8, p + len - 8, 8);
	len += bad->more;
	p[bad->at < 0 ? len + bad->at : bad->at] = bad->value;
	if (bad->sealed && bad->stat != FC2_STAT_RX_SHORT)
		wire_seal(p, len);
	return len;
}

static void fc2_fcoe_bad(struct kunit *test)
{
	const struct test_bad *bad = test->param_value;
	u8 *frame = fcoe_buffer(test);
	unsigned int len = fcoe_bad_put(frame, bad), paged;
	struct sk_buff *skb;

	for (paged = 0; paged < 2; paged++) {
		skb = fake_skb(test, frame, len);
		if (paged)
			fcoe_paged(test, skb, 7, 300);
		KUNIT_EXPECT_EQ(test, fc2_fcoe_decap(skb), bad->stat);
		consume_skb(skb);
	}
}

/* Every length that a frame can be cut to */
static void fc2_fcoe_cut(struct kunit *test)
{
	struct test_size size = { .len = 64 };
	u8 *frame = fcoe_buffer(test);
	unsigned int len = fcoe_golden_put(frame, &size), n;
	struct sk_buff *skb;

	wire_seal(frame, len);
	for (n = ETH_HLEN; n < len; n++) {
		skb = fake_skb(test, frame, n);
		KUNIT_EXPECT_NE_MSG(test, fc2_fcoe_decap(skb), FC2_STAT_RX_FRAMES, "%u", n);
		consume_skb(skb);
	}
}

static struct kunit_case fc2_fcoe_cases[] = {
	KUNIT_CASE_PARAM(fc2_fcoe_send, test_size_gen_params),
	KUNIT_CASE_PARAM(fc2_fcoe_receive, test_size_gen_params),
	KUNIT_CASE_PARAM(fc2_fcoe_bad, test_bad_gen_params),
	KUNIT_CASE(fc2_fcoe_cut),
	{}
};

static struct kunit_suite fc2_fcoe_suite = {
	.name		= "fc2_fcoe",
	.test_cases	= fc2_fcoe_cases,
};

kunit_test_suites(&fc2_fcoe_suite);

MODULE_DESCRIPTION("KUnit tests of Fibre Channel FC-2");
MODULE_LICENSE("GPL");
