// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses that a switch has learned, and the port behind which each is.
 *
 * The table has a fixed size, so that no sender can make it grow.  When it is
 * full, new addresses are not learned, and Messages to them are flooded.
 */
#include <linux/etherdevice.h>
#include <linux/jhash.h>
#include <linux/time64.h>

#include "emu/fabric/table.h"

/**
 * emu_table_init - initialise an empty table
 * @table: the table, zeroed
 * @key: hash key
 */
void emu_table_init(struct emu_table *table, u32 key)
{
	struct emu_address *a;

	table->key = key;
	for (a = table->address; a < table->address + EMU_TABLE_MAX; a++)
		hlist_add_head(&a->node, &table->free);
}

static unsigned int emu_table_hash(const struct emu_table *table, const u8 *ula)
{
	return jhash(ula, ETH_ALEN, table->key) >> (32 - EMU_TABLE_BITS);
}

static struct emu_address *emu_table_look(const struct emu_table *table, const u8 *ula)
{
	const struct hlist_head *chain = &table->hash[emu_table_hash(table, ula)];
	struct emu_address *a;

	hlist_for_each_entry(a, chain, node)
		if (ether_addr_equal_unaligned(a->ula, ula))
			return a;
	return NULL;
}

static void emu_table_remove(struct emu_table *table, struct emu_address *a)
{
	hlist_del(&a->node);
	hlist_add_head(&a->node, &table->free);
	a->used = false;
	table->count--;
}

static bool emu_table_old(const struct emu_address *a, u64 now)
{
	return now - a->seen > EMU_AGE_SECS * NSEC_PER_SEC;
}

/* Allocates an entry for a new address; NULL if the table is full */
static struct emu_address *emu_table_add(struct emu_table *table, const u8 *ula)
{
	struct emu_address *a;

	a = hlist_entry_safe(table->free.first, struct emu_address, node);
	if (!a) {
		table->full++;
		return NULL;
	}
	hlist_del(&a->node);
	ether_addr_copy(a->ula, ula);
	hlist_add_head(&a->node, &table->hash[emu_table_hash(table, ula)]);
	a->used = true;
	table->count++;
	table->learned++;
	return a;
}

/**
 * emu_table_learn - learn the port of a source address
 * @table: the table
 * @ula: the address; ignored if it is no valid source address
 * @port: the port behind which it is
 * @now: the time
 */
void emu_table_learn(struct emu_table *table, const u8 *ula, unsigned int port, u64 now)
{
	struct emu_address *a;

	if (!is_valid_ether_addr(ula))
		return;
	a = emu_table_look(table, ula);
	if (a)
		table->moved += a->port != port;
	else
		a = emu_table_add(table, ula);
	if (!a)
		return;
	a->port = port;
	a->seen = now;
}

/**
 * emu_table_find - look up the port of an address
 * @table: the table
 * @ula: the address
 * @now: the time
 *
 * Return: the port, or -1 if it is not known.
 */
int emu_table_find(const struct emu_table *table, const u8 *ula, u64 now)
{
	const struct emu_address *a = emu_table_look(table, ula);

	return a && !emu_table_old(a, now) ? a->port : -1;
}

/**
 * emu_table_forget - forget the addresses behind a port
 * @table: the table
 * @port: the port, whose link went down
 */
void emu_table_forget(struct emu_table *table, unsigned int port)
{
	struct emu_address *a;

	for (a = table->address; a < table->address + EMU_TABLE_MAX; a++) {
		if (!a->used || a->port != port)
			continue;
		emu_table_remove(table, a);
		table->forgotten++;
	}
}

/**
 * emu_table_age - forget old addresses
 * @table: the table
 * @now: the time
 */
void emu_table_age(struct emu_table *table, u64 now)
{
	struct emu_address *a;

	for (a = table->address; a < table->address + EMU_TABLE_MAX; a++) {
		if (!a->used || !emu_table_old(a, now))
			continue;
		emu_table_remove(table, a);
		table->aged++;
	}
}
