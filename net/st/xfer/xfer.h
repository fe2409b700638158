/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transfers, ST 6.1.2 and 6.1.3: Writes and Reads, at the data Source and at the
 * data Destination.
 *
 * All of it is protected by st_sock.lock where nothing else is said.
 */
#ifndef _NET_ST_XFER_H
#define _NET_ST_XFER_H

#include <linux/completion.h>
#include <linux/list.h>

#include "wire/block.h"
#include "buf/buf.h"
#include "conn/retrans.h"

struct msghdr;
struct sock;
struct st_ctl;
struct st_sock;
struct st_path;

#define ST_BLOCKS		64	/* Blocks exposed at a time on a Virtual Connection */
#define ST_BLOCKS_XFER		16	/* of them to one Transfer */
#define ST_BLOCKSIZE		17	/* log2, the largest that is exposed, if not told */
#define ST_OOO		32	/* STUs from the first that is missing on that are taken */
#define ST_CTS_MAX		256	/* Clear_To_Sends kept at the data Source */
#define ST_DONE_IDS		256	/* finished Transfers remembered, to know a duplicate */
#define ST_MAX_T_LEN		BIT_ULL(48)	/* longest Transfer that is received */
#define ST_DIRECT_MIN		16384	/* shorter Transfers are copied once */
#define ST_PLACEMENT_MIN		256	/* shorter STUs are copied: less work than to ask */
#define ST_READS		ST_READS_MAX	/* Reads under way at a time, each way */

/* For a peer.  Not GFP_ATOMIC: that is charged beyond the limit of a memory cgroup */
#define ST_PEER_GFP		(GFP_NOWAIT | __GFP_NOWARN | __GFP_ACCOUNT)

/* First member of struct st_tx and struct st_rx, see conn/id.c */
struct st_xfer {
	u32	id;
	bool	tx;
};

/**
 * struct st_cts - a Block that the data Destination has cleared to send
 * @list: in st_tx.cts_list, in the order of arrival
 * @n: number of the Block in the Transfer, not wrapped
 * @start: its first byte in the Transfer
 * @len: its bytes
 * @sent: bytes of it sent
 * @at: where the next STU goes
 * @stu_num: of the next STU
 * @mx: Memory Index of the Block
 * @path: which path it is sent
 * @twice: its first STU goes once more, see st_unordered_twice()
 * @done: all of it is sent
 */
struct st_cts {
	struct list_head	list;
	u64			n;
	u64			start;
	u64			len;
	u64			sent;
	struct st_place		at;
	u16			stu_num;
	u16			mx;
	struct st_path		*path;
	bool			twice;
	bool			done;
};

/**
 * struct st_piece - bytes of a stream
 * @list: in st_tx.pieces
 * @start: place of the first byte in the Transfer
 * @charged: of st_tx.charged
 * @buf: the bytes
 */
struct st_piece {
	struct list_head	list;
	u64			start;
	u64			charged;
	struct st_buf		*buf;
};

/**
 * struct st_tx - a Transfer at the data Source, ST 6.1.2, 6.1.3
 * @x: our sequence identifier
 * @list: in st_sock.source.list, in the order of the sends
 * @mark: SO_MARK of its Data
 * @priority: SO_PRIORITY of it
 * @peer_id: R-id, once @peer_id_known; with @answers the I-id from the beginning
 * @channel: Data Channel, ST 8.2
 * @flags: of struct st_send
 * @opaque: Opaque data, ST 6.2.10
 * @cts_req: Blocks to be exposed at a time, as advice
 * @tiling: Block boundaries, once @tiled
 * @nblocks: Blocks in the Transfer, once @tiled
 * @high: after the last Block that was sent whole
 * @again: how often a Block was cleared that had been sent whole
 * @max_block: log2, as asked for
 * @buf: the bytes; NULL for a record of no bytes
 * @cts_list: struct st_cts
 * @retrans: Request_To_Send, Request_State or End
 * @answers: the Transfer answers a Read of the peer
 * @asked: the Request_To_Send has been sent, or the whole as a short record
 * @answered: and answered
 * @peer_id_known: a Clear_To_Send was received
 * @tiled: @tiling holds
 * @stream: of unlimited size, its bytes are @pieces
 * @closed: no more pieces will come
 * @pieces: struct st_piece, not yet acknowledged
 * @queued: bytes of a stream so far
 * @sent: up to which byte Data was sent
 * @acked: Blocks that the peer has got, with all before them
 * @watch: last Block of what was sent when an answer was asked for the last time
 * @ending: nothing more is sent of it but End
 * @charged: bytes of it in st_sock.source.queued
 * @put: it is under way as a short record, see short.c
 * @refused: it is not to be sent as one
 * @waited: a sendmsg() waits for @done and frees it
 * @leaves: it is not to wait any more, after a signal or shutdown()
 * @cancelled: by ST_END, a signal or a timeout; nobody is to be told how it ends
 * @over: not on the list any more
 * @err: result, valid after @done
 * @done: the Transfer is acknowledged or given up
 */
struct st_tx {
	struct st_xfer		x;
	struct list_head	list;
	u32			mark;
	u32			priority;
	u32			peer_id;
	u8			channel;
	u8			flags;
	u32			opaque;
	u16			cts_req;
	struct st_tiling	tiling;
	u64			nblocks;
	u64			high;
	unsigned int		again;
	u8			max_block;
	struct st_buf		*buf;
	struct list_head	cts_list;
	struct st_retrans	retrans;
	bool			answers;
	bool			asked;
	bool			answered;
	bool			peer_id_known;
	bool			tiled;
	bool			stream;
	bool			closed;
	struct list_head	pieces;
	u64			queued;
	u64			sent;
	u64			acked;
	u64			watch;
	bool			ending;
	bool			put;
	bool			refused;
	bool			waited;
	bool			leaves;
	bool			cancelled;
	bool			over;
	u64			charged;
	int			err;
	struct completion	done;
};

/**
 * struct st_chunk - received bytes in pages of the kernel
 * @list: in st_rx.chunks, by place
 * @start: place of the first byte in the Transfer
 * @buf: the pages
 */
struct st_chunk {
	struct list_head	list;
	u64			start;
	struct st_buf		*buf;
};

/**
 * struct st_rx - a Transfer at the data Destination, ST 6.1.2, 6.1.3
 * @x: our sequence identifier
 * @list: in st_sock.dest.list, in the order of arrival; before, a Read is in
 *	st_reads.asked
 * @peer_id: I-id of a Write, R-id of a Read
 * @channel: Data Channel, ST 8.2
 * @flags: of struct st_recv
 * @opaque: Opaque data, ST 6.2.10
 * @reads: it is a Read of ours
 * @asking: and the peer has not yet announced the bytes
 * @asked: but the Request_To_Receive has been sent
 * @interrupt: with the Interrupt flag
 * @token: what the application knows the Read by
 * @tiling: Block boundaries, once @tiled
 * @max_block: log2, the largest Block the Source wants to send; 0: a Read that it
 *	has not announced
 * @cts_req: Blocks the Source would like exposed; 0: do not care
 * @tiled: @tiling holds, a Clear_To_Send has been sent
 * @next: first Block that is not complete
 * @high: first Block that was never exposed
 * @done_map: bit i: Block @next + i is complete
 * @out_map: bit i: Block @next + i is exposed
 * @told: Data that is not Silent has come, and Blocks before it are missing
 * @told_end: st_rx.done_end when the reader was told last
 * @done_end: bytes received without a gap
 * @consumed: bytes that recvmsg() has returned
 * @chunks: struct st_chunk, complete and not yet consumed
 * @ubuf: pages of the recvmsg() under way, for bytes from @ustart on
 * @ustart: first byte of @ubuf
 * @uend: after the last byte of @ubuf
 * @hold: a recvmsg() is about to set @ubuf, nothing is exposed until then
 * @retrans: End
 * @last: the last Block of a Transfer of unlimited size is complete
 * @last_end: after its last byte
 * @ended: nothing more will come; @end is valid
 * @end: length of the record, once known
 * @err: why the record is broken, or 0
 * @read: recvmsg() is through with it; it waits for End_Ack in st_sock.dest.ending
 */
struct st_rx {
	struct st_xfer		x;
	struct list_head	list;
	u32			peer_id;
	u8			channel;
	u8			flags;
	u32			opaque;
	bool			reads;
	bool			asking;
	bool			asked;
	bool			interrupt;
	u64			token;
	struct st_tiling	tiling;
	u8			max_block;
	u16			cts_req;
	bool			tiled;
	u64			next;
	u64			high;
	u64			done_map;
	u64			out_map;
	bool			told;
	u64			told_end;
	u64			done_end;
	u64			consumed;
	struct list_head	chunks;
	struct st_buf		*ubuf;
	u64			ustart;
	u64			uend;
	bool			hold;
	struct st_retrans	retrans;
	bool			last;
	u64			last_end;
	bool			ended;
	u64			end;
	int			err;
	bool			read;
};

/**
 * struct st_stu - an STU that is in its place, or will be
 * @op: its operation
 * @len: bytes of payload
 * @direct: bytes of them that needed no copy
 * @cksum: its Cksum
 * @csum: of it alone, ST 8.3.2
 * @summed: @csum is known
 * @good: it is of a run, and needs no look at its checksum
 */
struct st_stu {
	struct st_op	op;
	u32		len;
	u32		direct;
	__sum16		cksum;
	struct st_csum	csum;
	bool		summed;
	bool		good;
};

/**
 * struct st_block - a Block exposed to the peer, ST figure 5
 * @list: in st_sink.exposed
 * @rx: its Transfer
 * @path: which path it was cleared, and comes
 * @n: number of the Block in the Transfer, not wrapped
 * @start: its first byte in the Transfer
 * @len: its bytes
 * @got: bytes received, without a gap
 * @most: the most there were, whatever was sent again
 * @chunk: pages of the kernel for the end of the Block, from chunk->start on;
 *	before that, and where there is none, st_rx.ubuf.  Of unlimited size: in
 *	st_rx.chunks from the beginning, and not the Block's own.
 * @shown: bytes that can be read before the Block is complete
 * @kept: the most of them in chunks of st_rx.chunks that it came into before
 * @csum: of the segment under way, ST 8.3.2
 * @summed: @csum covers all of it
 * @sum_got: @got where that segment began
 * @sum_stu: @stu_num there
 * @mx: its Memory Index: the place in st_sink.blocks and a generation
 * @mx_late: that of the exposure before, whose STUs are taken still; else @mx
 * @stu_num: expected next
 * @ooo: those that came before it, by number modulo %ST_OOO; NULL: none did
 * @ooo_map: bit i: STU @stu_num + i is in @ooo
 * @later: STUs, or Blocks where the LLP keeps the order, that came since what is missing has
 *	been asked for, and were sent later
 * @in_vain: it was asked for again before it was lost, or that was known
 * @cleared: when it was exposed as @mx; 0: STUs of @mx_late have come since
 * @paced: it counts in what is on its way to the link
 * @tries: how often the Block was asked for again since @most has grown, as it was late or
 *	damaged
 * @guesses: how often because later STUs had come
 */
struct st_block {
	struct list_head list;
	struct st_rx	*rx;
	struct st_path	*path;
	u64		n;
	u64		start;
	u64		len;
	u64		got;
	u64		most;
	struct st_chunk	*chunk;
	u64		shown;
	u64		kept;
	struct st_csum	csum;
	bool		summed;
	u64		sum_got;
	u32		sum_stu;
	u16		mx;
	u16		mx_late;
	u32		stu_num;
	struct st_stu	*ooo;
	u32		ooo_map;
	unsigned int	later;
	bool		in_vain;
	ktime_t		cleared;
	bool		paced;
	unsigned int	tries;
	unsigned int	guesses;
};

/**
 * struct st_done - a Transfer from the peer that is over
 * @peer_id: the peer's sequence identifier
 * @id: ours; %ST_ID_NONE when it was refused
 * @b_seq: its last B_seq, ST 6.2.4
 */
struct st_done {
	u32	peer_id;
	u32	id;
	u32	b_seq;
};

/**
 * struct st_sink - what only a Virtual Connection that receives needs
 * @blocks: Block descriptors by Mx; NULL: not in use
 * @exposed: those Blocks, as they were cleared one after the other
 * @done: Transfers that are over, to know a duplicate, ST 10.3
 * @done_count: how many there were; the next replaces @done_count modulo
 *	%ST_DONE_IDS
 * @used: jiffies of the last Transfer that was over
 */
struct st_sink {
	struct st_block		*blocks[ST_BLOCKS];
	struct list_head	exposed;
	struct st_done		done[ST_DONE_IDS];
	unsigned int		done_count;
	unsigned long		used;
};

/* Whether a Block has come in part */
static inline bool st_block_begun(const struct st_block *blk)
{
	return blk->stu_num || blk->ooo_map;
}

/* Where in the Transfer a Block begins to lie in pages of the kernel */
static inline u64 st_block_kstart(const struct st_block *blk)
{
	return blk->chunk ? blk->chunk->start : blk->start + blk->len;
}

#endif
