/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ports with an N_Port ID, and the ELS frames that they get and send.
 */
#ifndef _FC2_TEST_PEER_H
#define _FC2_TEST_PEER_H

#include <kunit/test.h>
#include <linux/fc2.h>
#include <scsi/fc/fc_els.h>

#include "port.h"
#include "remote.h"

#define PEER_LOW	0x2000020000000001ULL	/* Port_Name below that of a port */
#define PEER_WWPN	0x2000021122330123ULL	/* of a port; its ID is 0123 */
#define PEER_HIGH	0x20000affffffff01ULL	/* Port_Name above it */
#define PEER_ID		0x000456
#define PEER_OX_ID	0x1234

/**
 * struct peer_els - an ELS frame
 * @fip: type of the FIP descriptor; 0: over FCoE
 * @src: source MAC address
 * @dst: destination MAC address
 * @sof: SOF
 * @eof: EOF
 * @fh: FC header
 * @len: bytes of its payload
 * @payload: the payload
 */
struct peer_els {
	u8			fip;
	u8			src[ETH_ALEN];
	u8			dst[ETH_ALEN];
	u8			sof;
	u8			eof;
	struct fc_frame_header	fh;
	unsigned int		len;
	u8			payload[FC_MAX_PAYLOAD];
};

/* What FC-4s were told */
#define PEER_LOG	16

/**
 * struct peer_told - what an FC-4 was told
 * @count: how often
 * @what: 'i' for login, 'o' for logout, 'r' for resolved
 * @rport: the remote port, without a reference
 * @seq_cnt: S bit of its PLOGI
 * @rel_off: C bit
 * @mfs: receive size
 * @err: of resolved
 */
struct peer_told {
	unsigned int	count;
	char		what[PEER_LOG + 1];
	const void	*rport[PEER_LOG];
	bool		seq_cnt[PEER_LOG];
	bool		rel_off[PEER_LOG];
	u16		mfs[PEER_LOG];
	int		err[PEER_LOG];
};

extern struct peer_told peer_told;

struct fc2_port *peer_port(struct kunit *test, u64 wwpn);
void peer_fabric(struct kunit *test, struct fc2_port *port);
void peer_neighbour(struct kunit *test, struct fc2_port *port, u32 id, u64 wwpn);
struct peer_els *peer_els(struct kunit *test, const struct fc2_port *port, u8 cmd,
			  unsigned int len);
void peer_rx(struct kunit *test, struct fc2_port *port, const struct peer_els *els);
struct peer_els *peer_tx(struct kunit *test, struct fc2_port *port);
struct peer_els *peer_ask(struct kunit *test, struct fc2_port *port, const struct peer_els *els);
void peer_expect_reject(struct kunit *test, const struct peer_els *reply, u8 reason, u8 explan);
struct peer_els *peer_plogi(struct kunit *test, const struct fc2_port *port, u64 wwpn);
struct peer_els *peer_answer(struct kunit *test, const struct peer_els *request);
struct peer_els *peer_sent(struct kunit *test, struct fc2_port *port, u8 cmd);
struct peer_els *peer_named(struct peer_els *els, u64 wwpn);
struct peer_els *peer_flogi(struct kunit *test, struct fc2_port *port, u64 wwpn);
struct peer_els *peer_logo(struct kunit *test, struct fc2_port *port, u64 wwpn);
enum fc2_remote_state peer_state(struct fc2_port *port, u32 id);
void peer_login(struct kunit *test, struct fc2_port *port);
void peer_listen(struct kunit *test);

#endif
