/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host with an independent implementation of ST, on a packet socket at side B
 * of the cable, HIPPI-6400 or Ethernet.  It communicates with the AF_ST sockets
 * of side A and checks what it receives.  Its address is not that of B's
 * netdev, so B's AF_ST ignores its frames.
 */
#ifndef SELFTESTS_ST_PEER_H
#define SELFTESTS_ST_PEER_H

#include "common.h"
#include "wire.h"

#define PAYLOAD_MAX	65536	/* longest STU that the peer receives */
#define NEVER_MS	600000	/* Op_timeout for tests without timeouts */
#define LONG_MS		20000	/* for an answer, with a margin for slow machines */

/**
 * struct msg - a received operation
 * @next: the next received one
 * @op: its Schedule Header
 * @len: bytes of payload
 * @bytes: the whole operation
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
 * @first: received operations not read yet, with separate queues for Control
 *	and Data, since they use different Virtual Channels
 * @last: the end of each queue
 * @wrong: the first violation of the protocol, or an empty text
 */
struct peer {
	int		fd;
	__u8		ula[ADDR_MAX];
	bool		plain;
	bool		no_cksum;
	struct msg	*first[2];
	struct msg	*last[2];
	char		wrong[160];
};

/* Unless noted otherwise, all of these print the reason and return false on failure. */
bool peer_open(struct peer *peer);
void peer_close(struct peer *peer);
/* Sends a whole frame, with the bytes before the operation */
bool peer_send_frame(struct peer *peer, const void *head, size_t head_len, const void *bytes,
		     size_t len);
/* Sends bytes unchanged, on a Virtual Channel */
bool peer_send_raw(struct peer *peer, unsigned int channel, const void *bytes, size_t len);
/* Sends @op with its Cksum, or if that is zero, with the right one */
bool peer_send(struct peer *peer, const struct op *op, const void *payload, size_t len);
/* The next Control or Data operation; NULL without a message if none arrives in time. */
struct msg *peer_next(struct peer *peer, bool data, int ms);
/* The address for connect() */
struct sockaddr_st peer_address(const struct peer *peer, unsigned int port);

/**
 * struct vc - a Virtual Connection of the peer
 * @peer: the host
 * @fd: the socket at the other end, or -1
 * @port: the peer's Port
 * @key: the peer's Key
 * @flags: flags of the peer's setup operation
 * @slots: Slots that the peer offers
 * @bufsize: log2 of its buffers
 * @max_stu: log2 of the largest STU it receives
 * @k_port: the Port of the other end
 * @k_key: its Key
 * @k_slots: the Slots it offered
 * @k_bufsize: its Bufsize
 * @k_max_stu: its Max_STU
 * @manual: requests for Slots are not answered automatically
 * @sent: operations sent over it; the other end's rx_ops has to reach this
 * @got: bytes of Data read from it
 * @sync: Sync of the last Request_State
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

/* Initialises a new connection with its own Port and Key, and the peer's default offers */
struct vc vc_new(struct peer *peer);
/* An operation to the other end, and one from it, with the fields of the connection */
struct op vc_to(const struct vc *vc, __u8 op, __u16 flags);
struct op vc_from(const struct vc *vc, __u8 op, __u16 flags);
/* The setup operations with the peer's offers */
struct op vc_request(const struct vc *vc, __u16 d_port);
struct op vc_answer(const struct vc *vc);
/* Stores the other end's offers from its setup operation */
void vc_learn(struct vc *vc, const struct op *setup);
/* The peer is the Initiator; the socket is accepted. */
bool vc_call(struct vc *vc, int listener);
/* A new socket is the Initiator. */
bool vc_called(struct vc *vc);

bool vc_send(struct vc *vc, const struct op *op);
bool vc_send_data(struct vc *vc, const struct op *op, const void *payload, size_t len);
/* The next Control operation */
bool vc_next(struct vc *vc, struct op *op);
/* The same, and checks that it is this one, from the other end of this connection. */
bool vc_read(struct vc *vc, __u8 code, struct op *op);
bool vc_expect(struct vc *vc, const struct op *expected);
/* The next Data operation; to be freed */
struct msg *vc_data(struct vc *vc);
/* Data may be reordered with Control operations: waits until all is executed. */
bool vc_executed(struct vc *vc);
/*
 * Checks that everything sent is executed, and caused no answer but those
 * already read: no Control operation before the answer to a Request_State, and
 * no Data.
 */
bool vc_quiet(struct vc *vc);
/* Request_Disconnect until the answer, and Disconnect_Complete */
bool vc_hang_up(struct vc *vc);

/* A Write announced to the other end, up to the first Clear_To_Send */
bool vc_write(struct vc *vc, __u32 id, __u64 t_len, __u8 max_block, struct op *cts);
/* Data for a cleared Block, @at bytes behind its start */
struct op vc_stu(const struct vc *vc, const struct op *cts, __u16 stu_num, __u32 at,
		 __u16 flags);

struct st_errors errors_of(int fd);

/**
 * struct logged - an error that was logged
 * @error: enum st_error
 * @count: number of times
 */
struct logged {
	int		error;
	unsigned int	count;
};

#define LOGGED(...)	((const struct logged[]){ __VA_ARGS__, { -1, 0 } })
#define NOTHING		((const struct logged[]){ { -1, 0 } })

/*
 * Checks that since @before exactly these were logged for the Port of the
 * socket, and that netlink agrees.  Waits for the named errors.
 */
bool logged(int fd, const struct st_errors *before, const struct logged *list);

/**
 * struct bench - environment of most tests
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
/* Also checks the rules for all tests: no violation, other connections are not affected. */
bool bench_close(struct bench *bench);
/* Sends records in both directions over a pair. */
bool pair_works(const int pair[2]);

#endif
