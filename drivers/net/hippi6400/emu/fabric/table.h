/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses that a switch has learned.  Pure logic, without card and bus.
 */
#ifndef _HIPPI6400_EMU_TABLE_H
#define _HIPPI6400_EMU_TABLE_H

#include <linux/if_ether.h>
#include <linux/list.h>
#include <linux/types.h>

#define EMU_TABLE_MAX		1024
#define EMU_TABLE_BITS		8

/* Ageing time of an address, as on a bridge */
#define EMU_AGE_SECS		300

/**
 * struct emu_address - an address and its port
 * @node: in its hash chain, or in the free list
 * @ula: the address
 * @used: it is in the table
 * @port: the port behind which it is
 * @seen: time when it last sent, in nanoseconds
 */
struct emu_address {
	struct hlist_node node;
	u8 ula[ETH_ALEN];
	bool used;
	u8 port;
	u64 seen;
};

/**
 * struct emu_table - addresses by hash
 * @hash: chains of entries in use
 * @free: list of unused entries
 * @address: all entries
 * @key: hash key, so that no sender can fill one chain on purpose
 * @count: number of entries in use
 * @learned: number of addresses added
 * @moved: number of times an address moved to another port
 * @aged: number of addresses forgotten after EMU_AGE_SECS without traffic
 * @forgotten: number of addresses forgotten with the link of their port
 * @full: number of addresses not learned as the table was full
 */
struct emu_table {
	struct hlist_head hash[1 << EMU_TABLE_BITS];
	struct hlist_head free;
	struct emu_address address[EMU_TABLE_MAX];
	u32 key;
	unsigned int count;
	u64 learned;
	u64 moved;
	u64 aged;
	u64 forgotten;
	u64 full;
};

void emu_table_init(struct emu_table *table, u32 key);
void emu_table_learn(struct emu_table *table, const u8 *ula, unsigned int port, u64 now);
int emu_table_find(const struct emu_table *table, const u8 *ula, u64 now);
void emu_table_forget(struct emu_table *table, unsigned int port);
void emu_table_age(struct emu_table *table, u64 now);

#endif
