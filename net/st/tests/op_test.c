// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the Schedule Header and of the flags of each operation.
 */
#include <linux/bitfield.h>

#include "wire/op.h"
#include "random.h"
#include "vectors.h"

static void st_expect_same_op(struct kunit *test, const char *name,
			      const struct st_op *got, const struct st_op *want)
{
	KUNIT_EXPECT_EQ_MSG(test, got->op, want->op, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->flags, want->flags, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->param, want->param, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->d_port, want->d_port, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->s_port, want->s_port, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->b_id, want->b_id, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->d_key, want->d_key, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->bufx, want->bufx, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->offset, want->offset, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->sync, want->sync, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->b_num, want->b_num, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->d_id, want->d_id, "%s", name);
	KUNIT_EXPECT_EQ_MSG(test, got->s_id, want->s_id, "%s", name);
}

static void st_op_pack_vectors(struct kunit *test)
{
	const struct st_op_vector *v = st_op_vectors;
	struct st_wire *wire = kunit_kzalloc(test, sizeof(*wire), GFP_KERNEL);
	struct st_hdr hdr;

	KUNIT_ASSERT_NOT_NULL(test, wire);
	for (; v < st_op_vectors + st_op_vectors_count; v++) {
		st_wire_make(wire, v->hdr, v->payload, v->len);
		wire->hdr.cksum = 0;
		memset(&hdr, 0xa5, sizeof(hdr));
		st_op_pack(&v->op, &hdr);
		KUNIT_EXPECT_MEMEQ_MSG(test, &hdr, &wire->hdr, ST_HDR_LEN,
				       "%s", v->name);
	}
}

static void st_op_unpack_vectors(struct kunit *test)
{
	const struct st_op_vector *v = st_op_vectors;
	struct st_wire *wire = kunit_kzalloc(test, sizeof(*wire), GFP_KERNEL);
	struct st_op op;

	KUNIT_ASSERT_NOT_NULL(test, wire);
	for (; v < st_op_vectors + st_op_vectors_count; v++) {
		st_wire_make(wire, v->hdr, v->payload, v->len);
		memset(&op, 0xa5, sizeof(op));
		st_op_unpack(&wire->hdr, &op);
		st_expect_same_op(test, v->name, &op, &v->op);
		KUNIT_EXPECT_TRUE_MSG(test, st_op_defined(op.op), "%s", v->name);
		KUNIT_EXPECT_EQ_MSG(test, op.flags & ~st_op_flags_allowed(&op), 0,
				    "%s", v->name);
	}
}

/* The golden operations cover every defined Op. */
static void st_op_vectors_cover(struct kunit *test)
{
	unsigned int i, op;
	u32 seen = 0;

	for (i = 0; i < st_op_vectors_count; i++)
		seen |= BIT(st_op_vectors[i].op.op);
	for (op = 0; op < 32; op++)
		KUNIT_EXPECT_EQ_MSG(test, !!(seen & BIT(op)), st_op_defined(op),
				    "Op %02x", op);
}

static void st_op_any_bytes(struct kunit *test)
{
	struct st_hdr hdr, again;
	struct rnd_state rnd;
	struct st_op op;
	int i;

	st_test_seed(test, &rnd);
	for (i = 0; i < 1000; i++) {
		prandom_bytes_state(&rnd, &hdr, sizeof(hdr));
		st_op_unpack(&hdr, &op);
		KUNIT_ASSERT_LT(test, op.op, 32);
		KUNIT_ASSERT_LT(test, op.flags, 0x800);
		st_op_pack(&op, &again);
		hdr.cksum = 0;
		KUNIT_ASSERT_MEMEQ(test, &again, &hdr, sizeof(hdr));
	}
}

/* Excess bits of Op or Flags must not spill into the other. */
static void st_op_pack_masks(struct kunit *test)
{
	struct st_op op = { .op = 0xe1, .flags = 0xf800 };
	struct st_hdr hdr;

	st_op_pack(&op, &hdr);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(hdr.op_flags), 0x0800);
	op = (struct st_op) { .op = 0x20, .flags = 0x7ff };
	st_op_pack(&op, &hdr);
	KUNIT_EXPECT_EQ(test, be16_to_cpu(hdr.op_flags), 0x07ff);
}

static void st_op_t_len_halves(struct kunit *test)
{
	static const u64 lens[] = {
		0, 1, U32_MAX, 1ULL << 32, 0x0123456789abcdefULL, U64_MAX,
	};
	struct st_op op = {};
	int i;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		st_op_set_t_len(&op, lens[i]);
		KUNIT_EXPECT_EQ(test, op.sync, lens[i] >> 32);
		KUNIT_EXPECT_EQ(test, op.b_num, lens[i] & U32_MAX);
		KUNIT_EXPECT_EQ(test, st_op_t_len(&op), lens[i]);
	}
}

/*
 * Table 2, and the flags in the notation of figure 13: F Function, T Silent,
 * I Interrupt, S Send_State, O Out_of_Order, L Last, R Reject, D Data Channel.
 */
static const struct {
	const char	*name;
	const char	*flags;
} st_table[32] = {
	[0x01] = { "Request_Connection", "FIO" },
	[0x02] = { "Connection_Answer", "FIOR" },
	[0x03] = { "Request_Disconnect", "I" },
	[0x04] = { "Disconnect_Answer", "I" },
	[0x05] = { "Disconnect_Complete", "I" },
	[0x13] = { "Request_Memory_Region", "ID" },
	[0x14] = { "Memory_Region_Available", "I" },
	[0x15] = { "Get", "FID" },
	[0x16] = { "Request_To_Send", "ID" },
	[0x17] = { "Request_Answer", "IR" },
	[0x18] = { "Request_To_Receive", "ID" },
	[0x1a] = { "Clear_To_Send", "I" },
	[0x1b] = { "Data", "TISLD" },
	[0x1c] = { "Request_State", "I" },
	[0x1d] = { "Request_State_Response", "I" },
	[0x1e] = { "End", "I" },
	[0x1f] = { "End_Ack", "I" },
};

static u16 st_flags_from(const char *letters)
{
	static const struct {
		char	letter;
		u16	bits;
	} figure13[] = {
		{ 'F', 0x700 }, { 'T', 0x080 }, { 'I', 0x040 }, { 'S', 0x020 },
		{ 'O', 0x010 }, { 'L', 0x008 }, { 'R', 0x004 }, { 'D', 0x003 },
	};
	u16 flags = 0;
	int i;

	for (; letters && *letters; letters++)
		for (i = 0; i < ARRAY_SIZE(figure13); i++)
			if (figure13[i].letter == *letters)
				flags |= figure13[i].bits;
	return flags;
}

static void st_op_table(struct kunit *test)
{
	struct st_op op = {};
	unsigned int i, fn;

	for (i = 0; i <= U8_MAX; i++) {
		const char *name = i < 32 ? st_table[i].name : NULL;

		KUNIT_EXPECT_EQ_MSG(test, st_op_defined(i), !!name, "Op %02x", i);
		KUNIT_EXPECT_STREQ(test, st_op_name(i), name ?: "undefined");
		for (fn = 0; fn < 8; fn++) {
			if (i == ST_OP_GET && fn > 3)
				continue;
			op.op = i;
			op.flags = FIELD_PREP(ST_F_FUNCTION, fn);
			KUNIT_EXPECT_EQ_MSG(test, st_op_flags_allowed(&op),
					    name ? st_flags_from(st_table[i].flags) : 0,
					    "Op %02x, Function %u", i, fn);
		}
	}
}

static void st_op_fetch_functions(struct kunit *test)
{
	static const char * const allowed[8] = {
		"FID", "FID", "FID", "FID",	/* Get, and the three FetchOps */
		"I", "I", "I",			/* reserved */
		"FI",				/* FetchOp_Complete */
	};
	struct st_op op = { .op = ST_OP_GET };
	unsigned int fn;

	for (fn = 0; fn < 8; fn++) {
		op.flags = FIELD_PREP(ST_F_FUNCTION, fn);
		KUNIT_EXPECT_EQ_MSG(test, st_op_flags_allowed(&op),
				    st_flags_from(allowed[fn]), "Function %u", fn);
	}
}

static struct kunit_case st_op_cases[] = {
	KUNIT_CASE(st_op_pack_vectors),
	KUNIT_CASE(st_op_unpack_vectors),
	KUNIT_CASE(st_op_vectors_cover),
	KUNIT_CASE(st_op_any_bytes),
	KUNIT_CASE(st_op_pack_masks),
	KUNIT_CASE(st_op_t_len_halves),
	KUNIT_CASE(st_op_table),
	KUNIT_CASE(st_op_fetch_functions),
	{}
};

static struct kunit_suite st_op_suite = {
	.name = "st_op",
	.test_cases = st_op_cases,
};

kunit_test_suite(st_op_suite);
