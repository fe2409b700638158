/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transfers, ST 6.1.2 and 6.1.3: Writes and Reads, at the data Source and at the data Destination.
 *
 * Everything is protected by st_sock.lock unless stated otherwise.
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
#define ST_BLOCKS_XFER		16	/* of them for one Transfer */
#define ST_BLOCKSIZE		17	/* log2 of the largest exposed Block, by default */
#define ST_OOO		32	/* STUs accepted, from the first missing one on */
#define ST_CTS_MAX		256	/* Clear_To_Sends kept at the data Source */
#define ST_DONE_IDS		256	/* finished Transfers remembered, to detect duplicates */
#define ST_MAX_T_LEN		BIT_ULL(48)	/* longest Transfer that is received */
#define ST_DIRECT_MIN		16384	/* shorter Transfers are copied once */
#define ST_PLACEMENT_MIN		256	/* shorter STUs are cheaper to copy */
#define ST_READS		ST_READS_MAX	/* Reads under way at a time, each way */

/* For state that a peer creates.  GFP_ATOMIC would exceed the limit of a memory cgroup */
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
 * @len: its length, bytes
 * @sent: bytes of it sent
 * @at: place of the next STU
 * @stu_num: number of the next STU
 * @mx: Memory Index of the Block
 * @path: the path it takes
 * @twice: its first STU is sent twice, see st_unordered_twice()
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
 * @start: first byte in the Transfer
 * @charged: bytes in st_tx.charged
 * @buf: the buffer
 */
struct st_piece {
	struct list_head	list;
	u64			start;
	u64			charged;
	struct st_buf		*buf;
};

/**
 * struct st_tx - a Transfer at the data Source, ST 6.1.2, 6.1.3
 * @x: sequence identifier of this end
 * @list: in st_sock.source.list, in the order of the system calls
 * @mark: SO_MARK for its Data
 * @priority: SO_PRIORITY for its Data
 * @peer_id: R-id, once @peer_id_known; with @answers the I-id from the start
 * @channel: Data Channel, ST 8.2
 * @flags: of struct st_send
 * @opaque: Opaque data, ST 6.2.10
 * @cts_req: suggested number of Blocks exposed at a time
 * @tiling: Block boundaries, once @tiled
 * @nblocks: number of Blocks, once @tiled
 * @high: number after the last Block that was sent completely
 * @again: Clear_To_Sends for Blocks that had been sent completely
 * @max_block: log2, as requested
 * @buf: the buffer; NULL for an empty record
 * @cts_list: struct st_cts
 * @retrans: retransmission of Request_To_Send, Request_State or End
 * @answers: the Transfer answers a Read of the peer
 * @asked: the Request_To_Send, or all of it as a short record, has been sent
 * @answered: the Request_To_Send has been answered
 * @peer_id_known: a Clear_To_Send has arrived
 * @tiled: @tiling is valid
 * @stream: of unlimited size, with its bytes in @pieces
 * @closed: no more pieces follow
 * @pieces: struct st_piece, not yet acknowledged
 * @queued: bytes of a stream so far
 * @sent: end of the Data that was sent
 * @acked: number of Blocks that the peer has received without a gap
 * @watch: last Block of what was sent when an answer was last requested
 * @ending: nothing but End is sent any more
 * @charged: bytes charged in st_sock.source.queued
 * @put: it is sent as a short record, see short.c
 * @refused: it must not be sent as a short record
 * @waited: a sendmsg() waits for @done and frees it
 * @leaves: sendmsg() has to stop waiting, after a signal or shutdown()
 * @cancelled: by ST_END, a signal or a timeout; its result is not reported
 * @over: removed from the list
 * @err: result, valid once @done
 * @done: the Transfer is acknowledged or has failed
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
 * struct st_chunk - received bytes in kernel pages
 * @list: in st_rx.chunks, ordered by @start
 * @start: first byte in the Transfer
 * @buf: the pages
 */
struct st_chunk {
	struct list_head	list;
	u64			start;
	struct st_buf		*buf;
};

/**
 * struct st_rx - a Transfer at the data Destination, ST 6.1.2, 6.1.3
 * @x: sequence identifier of this end
 * @list: in st_sock.dest.list, in the order of arrival; before that, a Read is in st_reads.asked
 * @peer_id: I-id of a Write, R-id of a Read
 * @channel: Data Channel, ST 8.2
 * @flags: of struct st_recv
 * @opaque: Opaque data, ST 6.2.10
 * @reads: it belongs to a Read of this end
 * @asking: the peer has not yet announced the bytes of the Read
 * @asked: the Request_To_Receive of the Read has been sent
 * @interrupt: it has the Interrupt flag
 * @token: the application's name of the Read
 * @tiling: Block boundaries, once @tiled
 * @max_block: log2, the largest Block the Source wants to send; 0: a Read that is not announced yet
 * @cts_req: number of exposed Blocks that the Source suggests; 0: no preference
 * @tiled: @tiling is valid, a Clear_To_Send has been sent
 * @next: first incomplete Block
 * @high: first Block that has never been exposed
 * @done_map: bit i: Block @next + i is complete
 * @out_map: bit i: Block @next + i is exposed
 * @told: Data that is not Silent has arrived, and Blocks before it are missing
 * @told_end: st_rx.done_end when the reader was last notified
 * @done_end: bytes received without a gap
 * @consumed: bytes that recvmsg() has returned
 * @chunks: struct st_chunk, complete and not yet consumed
 * @ubuf: pages of a pending recvmsg(), for bytes from @ustart on
 * @ustart: first byte for @ubuf
 * @uend: end of the bytes for @ubuf
 * @hold: recvmsg() is about to set @ubuf; nothing is exposed until then
 * @retrans: retransmission of End
 * @last: the last Block of a Transfer of unlimited size is complete
 * @last_end: end of its bytes
 * @ended: nothing more arrives; @end is valid
 * @end: length of the record, once known
 * @err: errno of a broken record, or 0
 * @read: recvmsg() has finished it; it waits for End_Ack in st_sock.dest.ending
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
 * struct st_stu - an STU that is placed, or will be
 * @op: its operation
 * @len: length of the payload, bytes
 * @direct: bytes placed by the LLP
 * @cksum: its Cksum
 * @csum: its checksum contribution, ST 8.3.2
 * @summed: @csum is valid
 * @good: it belongs to a GSO packet, and needs no verification
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
 * @path: the path of its Clear_To_Send and its Data
 * @n: number of the Block in the Transfer, not wrapped
 * @start: its first byte in the Transfer
 * @len: its length, bytes
 * @got: bytes received, without a gap
 * @most: the maximum of @got over all exposures
 * @chunk: kernel pages for the end of the Block, from chunk->start on; bytes before that, or all
 *	without a chunk, go to st_rx.ubuf.  For unlimited size it is in st_rx.chunks from the start,
 *	and not owned by the Block.
 * @shown: bytes that can be read before the Block is complete
 * @kept: the maximum of @shown in earlier chunks, which are in st_rx.chunks
 * @csum: checksum of the current segment, ST 8.3.2
 * @summed: @csum covers all STUs so far
 * @sum_got: @got at the start of that segment
 * @sum_stu: @stu_num at the start of that segment
 * @mx: its Memory Index: the index in st_sink.blocks and a generation
 * @mx_late: Memory Index of the previous exposure, whose STUs are still accepted; else @mx
 * @stu_num: number of the next STU expected
 * @ooo: STUs that arrived out of order, by number modulo %ST_OOO; NULL: none
 * @ooo_map: bit i: STU @stu_num + i is in @ooo
 * @later: STUs, or Blocks if the LLP keeps the order, that have arrived since the missing part was
 *	asked for, and were sent later
 * @in_vain: it was asked for again before it was, or was known to be, lost
 * @cleared: time of its exposure as @mx; 0: STUs of @mx_late have arrived since
 * @paced: it counts in the pacing of its link
 * @tries: how often it was asked for again since @most has grown, as it was late or damaged
 * @guesses: how often it was asked for again because later STUs had arrived
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
 * struct st_done - a finished Transfer from the peer
 * @peer_id: the peer's sequence identifier
 * @id: identifier of this end; %ST_ID_NONE when it was rejected
 * @b_seq: its last B_seq, ST 6.2.4
 */
struct st_done {
	u32	peer_id;
	u32	id;
	u32	b_seq;
};

/**
 * struct st_sink - state of a Virtual Connection that receives
 * @blocks: Block descriptors by Mx; NULL: unused
 * @exposed: exposed Blocks, in the order of their Clear_To_Sends
 * @done: finished Transfers, to detect duplicates, ST 10.3
 * @done_count: number of Transfers finished so far; the next replaces entry @done_count modulo
 *	%ST_DONE_IDS
 * @used: jiffies when a Transfer last finished
 */
struct st_sink {
	struct st_block		*blocks[ST_BLOCKS];
	struct list_head	exposed;
	struct st_done		done[ST_DONE_IDS];
	unsigned int		done_count;
	unsigned long		used;
};

/* Whether a part of a Block has arrived. */
static inline bool st_block_begun(const struct st_block *blk)
{
	return blk->stu_num || blk->ooo_map;
}

/* First byte of a Block, by place in the Transfer, that goes to kernel pages. */
static inline u64 st_block_kstart(const struct st_block *blk)
{
	return blk->chunk ? blk->chunk->start : blk->start + blk->len;
}

#endif
