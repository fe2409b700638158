// SPDX-License-Identifier: GPL-2.0
/*
 * The cases of the golden vectors: packets come to a port, one after the other.
 */
#include <linux/crc32.h>
#include <linux/string.h>

#include "common.h"
#include "port.h"
#include "vectors_case.h"

#define TEST_ID		0x0007
#define TEST_EVENTS	128

/* What the vectors call a counter */
static const struct {
	enum rio9_stat stat;
	const char *event;
} test_events[] = {
	{ RIO9_STAT_NO_END, "bad rule9" },
	{ RIO9_STAT_SINGLE_OVER_MTU, "bad rule3" },
	{ RIO9_STAT_START_NOT_MTU, "bad rule4" },
	{ RIO9_STAT_CONT_NOT_MTU, "bad rule5" },
	{ RIO9_STAT_END_OVER_MTU, "bad rule6" },
	{ RIO9_STAT_LENGTH, "bad rule7" },
	{ RIO9_STAT_COS_CHANGED, "bad cos_changed" },
	{ RIO9_STAT_OVER_MAX_PDU, "bad over_max_pdu" },
	{ RIO9_STAT_NO_CONTEXT, "bad no_context" },
	{ RIO9_STAT_NO_START, "drop rule8" },
	{ RIO9_STAT_NOT_OURS, "drop not_ours" },
	{ RIO9_STAT_MALFORMED, "drop malformed" },
	{ RIO9_STAT_OTHER_FTYPE, "drop other_ftype" },
	{ RIO9_STAT_BAD_TT, "drop bad_tt" },
	{ RIO9_STAT_BAD_XTYPE, "drop bad_xtype" },
	{ RIO9_STAT_ABORTED, "abort" },
	{ RIO9_STAT_TM, "tm" },
};

static int test_no_xmit(struct rio9_port *port, const void *packet, unsigned int len)
{
	return -EIO;
}

static const struct rio9_port_ops test_ops = {
	.xmit_packet = test_no_xmit,
};

static void test_destroy(void *port)
{
	rio9_port_destroy(port);
}

static struct rio9_port *test_port(struct kunit *test, const struct rio9_case_vector *v)
{
	const struct rio9_caps caps = {
		.large = true, .max_pdu = v->max_pdu, .contexts = v->contexts,
		.channels = BIT(RIO9_FLOW_A),
	};
	struct rio9_port *port = rio9_port_create(&test_ops, &caps, NULL);

	KUNIT_ASSERT_FALSE(test, IS_ERR(port));
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, test_destroy, port));
	/* However slow the machine is */
	port->reassembly.timeout = MAX_JIFFY_OFFSET;
	KUNIT_ASSERT_EQ(test, 0, rio9_port_set_id(port, TEST_ID));
	KUNIT_ASSERT_EQ(test, 0, rio9_port_set_mtu(port, v->mtu));
	KUNIT_ASSERT_EQ(test, 0, rio9_port_add_peer(port, 3));
	KUNIT_ASSERT_EQ(test, 0, rio9_port_add_peer(port, 4));
	return port;
}

/* What has happened since the last look, in the words of the vectors */
static void test_happened(struct rio9_port *port, u64 *seen, char *events)
{
	u64 stats[RIO9_STATS];
	struct sk_buff *skb;
	unsigned int i;
	int n = 0;

	rio9_port_stats(port, stats);
	for (i = 0; i < ARRAY_SIZE(test_events); i++)
		for (; seen[test_events[i].stat] < stats[test_events[i].stat];
		     seen[test_events[i].stat]++)
			n += scnprintf(events + n, TEST_EVENTS - n, "%s%s", n ? ", " : "",
				       test_events[i].event);
	/* The mode of the port is 0 */
	seen[RIO9_STAT_TM_OTHER_MODE] = seen[RIO9_STAT_TM];
	while ((skb = rio9_viq_read(port))) {
		const struct rio9_pdu *pdu = rio9_skb_pdu(skb);

		seen[RIO9_STAT_PDUS]++;
		seen[RIO9_STAT_BYTES] += skb->len;
		if (!skb_linearize(skb))
			n += scnprintf(events + n, TEST_EVENTS - n,
				       "%sgood %04x %02x %04x %u %08x", n ? ", " : "", pdu->peer,
				       pdu->cos, pdu->stream, skb->len,
				       ~crc32_le(~0, skb->data, skb->len));
		kfree_skb(skb);
	}
	if (!n || memcmp(seen, stats, sizeof(stats)))
		scnprintf(events + n, TEST_EVENTS - n, "%s", n ? ", and more" : "-");
}

static void test_desc(const struct rio9_case_vector *v, char *desc)
{
	strscpy(desc, v->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(case, rio9_case_vectors, test_desc);

static void test_case(struct kunit *test)
{
	const struct rio9_case_vector *v = test->param_value;
	struct rio9_port *port = test_port(test, v);
	char events[TEST_EVENTS], expect[TEST_EVENTS];
	u8 *bytes = kunit_kmalloc(test, 2 * RIO9_PACKET_MAX, GFP_KERNEL), *packet;
	const char *text = v->script;
	unsigned int len, n;
	u64 *seen;

	seen = kunit_kcalloc(test, RIO9_STATS, sizeof(*seen), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, bytes);
	KUNIT_ASSERT_NOT_NULL(test, seen);
	while (*text) {
		len = rio9_test_hex(test, &text, bytes, 2 * RIO9_PACKET_MAX);
		KUNIT_ASSERT_EQ(test, *text++, '|');
		for (n = 0; *text != ';'; text++)
			if (*text != '\n')
				expect[n++] = *text;
		expect[n] = 0;
		text++;
		packet = rio9_test_copy(test, bytes, len);
		rio9_rx_packet(port, packet, len);
		kunit_kfree(test, packet);
		test_happened(port, seen, events);
		KUNIT_EXPECT_STREQ_MSG(test, events, expect, "after %*phN", (int)min(len, 16),
				       bytes);
	}
}

static struct kunit_case test_cases[] = {
	KUNIT_CASE_PARAM(test_case, case_gen_params),
	{}
};

static struct kunit_suite test_suite = {
	.name = "rio9_case",
	.test_cases = test_cases,
};

kunit_test_suite(test_suite);
