/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host that speaks ST by itself, on a packet socket at side B of the cable,
 * HIPPI-6400 or Ethernet, to the AF_ST sockets of side A, and judges what it
 * hears.  It has an address of its own, which is not that of B's netdev: so B's
 * AF_ST leaves its frames alone.
 */
#ifndef SELFTESTS_ST_PEER_H
#define SELFTESTS_ST_PEER_H

#include "common.h"
#include "wire.h"

#define PAYLOAD_MAX	65536	/* longest STU that the peer receives */
#define NEVER_MS	600000	/* Op_timeout where nothing is to time out */
#define LONG_MS		20000	/* for an answer, with room for slow machines */

/**
 * struct msg - a received operation
 * @next: the one that came after it
 * @op: its Schedule Header
 * @len: bytes of payload
 * @bytes: the whole of it
 */
struct msg {
	struct msg	*next;
	struct op	op;
	size_t		len;
	__u8		bytes[HDR_LEN + PAYLOAD_MAX];
};

static inline const __u8 *payload_of(const struct msg *msg)
{
	return msg->bytes + HDR_LEN;
}

/**
 * struct peer - the host
 * @fd: packet socket
 * @ula: its address
 * @plain: it sends no checksums
 * @no_cksum: neither does the other end
 * @first: received and not yet read, Control and Data operations apart, since
 *	they come on different Virtual Channels
 * @last: the end of each queue
 * @wrong: the first breach of the protocol, or an empty text
 */
struct peer {
	int		fd;
	__u8		ula[ULA_LEN];
	bool		plain;
	bool		no_cksum;
	struct msg	*first[2];
	struct msg	*last[2];
	char		wrong[160];
};

/* All of these return false, and say why, unless something else is said. */
bool peer_open(struct peer *peer);
void peer_close(struct peer *peer);
/* A whole frame: what is before the operation, and that */
bool peer_send_frame(struct peer *peer, const void *head, size_t head_len, const void *bytes,
		     size_t len);
/* As they are, on a Virtual Channel */
bool peer_send_raw(struct peer *peer, unsigned int channel, const void *bytes, size_t len);
/* With the Cksum of @op, or if that is zero with one that is right */
bool peer_send(struct peer *peer, const struct op *op, const void *payload, size_t len);
/* The next Control or Data operation; NULL, and nothing said, if none comes in time. */
struct msg *peer_next(struct peer *peer, bool data, int ms);
/* What a socket is to connect() to */
struct sockaddr_st peer_address(const struct peer *peer, unsigned int port);

/**
 * struct vc - a Virtual Connection of the peer
 * @peer: the host
 * @fd: the socket at the other end, or -1
 * @port: the peer's Port
 * @key: the peer's Key
 * @flags: of the peer's setup operation
 * @slots: Slots that the peer offers
 * @bufsize: log2 of its buffers
 * @max_stu: log2 of the largest STU it receives
 * @k_port: the Port of the other end
 * @k_key: its Key
 * @k_slots: the Slots it offered
 * @k_bufsize: its Bufsize
 * @k_max_stu: its Max_STU
 * @manual: questions for Slots are not answered by themselves
 * @sent: operations sent over it; the other end's rx_ops gets there
 * @got: bytes of Data read from it
 * @sync: of the last Request_State
 */
struct vc {
	struct peer	*peer;
	int		fd;
	__u16		port;
	__u32		key;
	__u16		flags;
	__u16		slots;
	__u8		bufsize;
	__u8		max_stu;
	__u16		k_port;
	__u32		k_key;
	__u16		k_slots;
	__u8		k_bufsize;
	__u8		k_max_stu;
	bool		manual;
	__u64		sent;
	__u64		got;
	__u32		sync;
};

/* A Port and a Key of their own, and what the peer offers by default */
struct vc vc_new(struct peer *peer);
/* An operation to the other end, and one from it; all that the connection tells */
struct op vc_to(const struct vc *vc, __u8 op, __u16 flags);
struct op vc_from(const struct vc *vc, __u8 op, __u16 flags);
/* The setup operations with what the peer offers */
struct op vc_request(const struct vc *vc, __u16 d_port);
struct op vc_answer(const struct vc *vc);
/* What the other end offered in its setup operation */
void vc_learn(struct vc *vc, const struct op *setup);
/* The peer is the Initiator; the socket is accepted. */
bool vc_call(struct vc *vc, int listener);
/* A new socket is the Initiator. */
bool vc_called(struct vc *vc);

bool vc_send(struct vc *vc, const struct op *op);
bool vc_send_data(struct vc *vc, const struct op *op, const void *payload, size_t len);
/* The next Control operation */
bool vc_next(struct vc *vc, struct op *op);
/* The same, and it is this one, from the other end of this connection. */
bool vc_read(struct vc *vc, __u8 code, struct op *op);
bool vc_expect(struct vc *vc, const struct op *expected);
/* The next Data operation; to be freed */
struct msg *vc_data(struct vc *vc);
/* Data takes another way than Control operations: waits until all is executed. */
bool vc_executed(struct vc *vc);
/*
 * All that was sent is executed, and brought no answer but those already read:
 * neither a Control operation before that to a Request_State, nor Data.
 */
bool vc_quiet(struct vc *vc);
/* Request_Disconnect until the answer is there, and its end */
bool vc_hang_up(struct vc *vc);

/* A Write announced to the other end, up to the first Clear_To_Send */
bool vc_write(struct vc *vc, __u32 id, __u64 t_len, __u8 max_block, struct op *cts);
/* Data for a Block that was cleared, @at bytes behind its start */
struct op vc_stu(const struct vc *vc, const struct op *cts, __u16 stu_num, __u32 at,
		 __u16 flags);

struct st_errors errors_of(int fd);

/**
 * struct logged - an error that was logged
 * @error: enum st_error
 * @count: how often
 */
struct logged {
	int		error;
	unsigned int	count;
};

#define LOGGED(...)	((const struct logged[]){ __VA_ARGS__, { -1, 0 } })
#define NOTHING		((const struct logged[]){ { -1, 0 } })

/*
 * Since @before exactly these were logged for the Port of the socket, and
 * netlink says the same.  Waits for those that are named.
 */
bool logged(int fd, const struct st_errors *before, const struct logged *list);

/**
 * struct bench - what most tests stand on
 * @peer: the host
 * @listener: at side A
 * @vc: established, the peer is the Initiator
 * @pair: another connection over the cable, between sockets at both sides
 */
struct bench {
	struct peer	peer;
	int		listener;
	struct vc	vc;
	int		pair[2];
};

bool bench_open(struct bench *bench);
/* Also what must hold in all tests: nothing was wrong, others are unharmed. */
bool bench_close(struct bench *bench);
/* Records go both ways over a pair. */
bool pair_works(const int pair[2]);

#endif
