/* SPDX-License-Identifier: GPL-2.0 */
/* Blocks at the data Destination: clearing, loss detection, repetition. */
#ifndef _NET_ST_RX_BLOCK_H
#define _NET_ST_RX_BLOCK_H

#include "xfer/xfer.h"

/* xfer/rx_mem.c */
struct st_chunk *st_chunk_new(struct st_sock *st, u64 start, u64 len, bool first);
void st_chunk_free(struct st_sock *st, struct st_chunk *chunk);
void st_chunk_insert(struct st_rx *rx, struct st_chunk *chunk);

/* xfer/rx_block.c */
unsigned long st_block_timeout(const struct st_block *blk);
void st_block_watch(const struct st_block *blk);
void st_path_progress(struct st_path *path);
struct st_block *st_block_new(struct st_sock *st);
void st_block_free(struct st_sock *st, struct st_block *blk);
void st_rx_free_blocks(struct st_sock *st, struct st_rx *rx, u64 from);
void st_block_clear(struct st_sock *st, const struct st_block *blk);
void st_block_expose(struct st_sock *st, struct st_block *blk, bool keep);
void st_block_move(struct st_block *blk, struct st_path *path);
bool st_block_keeps(const struct st_block *blk);
bool st_block_again(struct st_sock *st, struct st_block *blk, bool keep);

/* xfer/rx_clear.c */
u64 st_rx_exposed_end(const struct st_rx *rx);
void st_rx_clear_all(struct st_sock *st);
void st_rx_await_none(struct st_sock *st);
void st_block_retry(struct st_sock *st, struct st_block *blk, bool damaged);
void st_rx_revoke(struct st_sock *st, struct st_rx *rx);
void st_rx_leave_path(struct st_sock *st, struct st_path *path, struct st_path *other);

/* xfer/rx_ooo.c */
bool st_ooo_fits(const struct st_block *blk, const struct st_op *op);
bool st_ooo_has(const struct st_block *blk, u32 stu_num);
bool st_ooo_room(struct st_sock *st, struct st_block *blk);
void st_ooo_keep(struct st_block *blk, const struct st_stu *stu);
void st_ooo_again(struct st_block *blk, const struct st_op *op);
bool st_ooo_next(const struct st_block *blk, struct st_stu *stu);
void st_ooo_free(struct st_sock *st, struct st_block *blk);
bool st_stu_alone(const struct st_sock *st, const struct st_stu *stu);
void st_ooo_rewind(const struct st_sock *st, struct st_block *blk);

/* xfer/unordered.c */
void st_loss_overtaken(struct st_sock *st, const struct st_block *blk, const struct st_op *op);
void st_loss_gap(struct st_sock *st, struct st_block *blk, const struct st_op *op);
void st_loss_none(struct st_block *blk, const struct st_op *op);
void st_blocks_timeouts(struct st_sock *st, unsigned long now);

#endif
