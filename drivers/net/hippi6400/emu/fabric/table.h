/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses that a switch has learned.  Pure: no card, no bus.
 */
#ifndef _HIPPI6400_EMU_TABLE_H
#define _HIPPI6400_EMU_TABLE_H

#include <linux/if_ether.h>
#include <linux/list.h>
#include <linux/types.h>

#define EMU_TABLE_MAX		1024
#define EMU_TABLE_BITS		8

/* An address that sent nothing for so long is forgotten, as on a bridge */
#define EMU_AGE_SECS		300

/**
 * struct emu_address - an address and where it is
 * @node: in the chain of its hash, or of those without use
 * @ula: the address
 * @used: it is in the table
 * @port: the port behind which it is
 * @seen: when it sent last, in nanoseconds
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
 * @hash: chains of those in use
 * @free: those without use
 * @address: all of them
 * @key: of the hash: nobody shall know how to fill one chain
 * @count: how many are in use
 * @learned: times one was added
 * @moved: times one was seen behind another port
 * @aged: times one was forgotten as it had sent nothing for EMU_AGE_SECS
 * @forgotten: times one was forgotten with the link of its port
 * @full: times there was no place for one
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
