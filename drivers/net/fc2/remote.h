/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of remote ports, and those that are logged in.
 */
#ifndef _FC2_REMOTE_H
#define _FC2_REMOTE_H

#include <linux/if_ether.h>
#include <linux/types.h>

struct fc2_port;
struct fc2_rport;

/**
 * enum fc2_remote_state - how far the login with a remote port is
 * @FC2_REMOTE_OUT: logged out by the administrator, until he wants otherwise
 * @FC2_REMOTE_FLOGI: FLOGI was sent
 * @FC2_REMOTE_WAIT: its PLOGI is waited for, as it has the higher Port_Name
 * @FC2_REMOTE_PLOGI: PLOGI was sent
 * @FC2_REMOTE_UP: logged in
 * @FC2_REMOTE_RETRY: the login, which has failed or ended, begins again some time later
 */
enum fc2_remote_state {
	FC2_REMOTE_OUT,
	FC2_REMOTE_FLOGI,
	FC2_REMOTE_WAIT,
	FC2_REMOTE_PLOGI,
	FC2_REMOTE_UP,
	FC2_REMOTE_RETRY,
};

/**
 * struct fc2_remote - a remote port, whether it is logged in or not; under fc2_port.lock
 * @id: its N_Port ID
 * @wwpn: its Port_Name
 * @wwnn: its Node_Name
 * @mac: MAC address of its VN_Port
 * @state: how far its login is
 * @tries: how often the login has failed
 * @next: @FC2_REMOTE_WAIT and @FC2_REMOTE_RETRY: when it goes on, in jiffies
 * @suspect: a fabric has told that it may have gone, of ns.c
 * @rport: @FC2_REMOTE_UP: what FC-4s know of it
 */
struct fc2_remote {
	u32			id;
	u64			wwpn;
	u64			wwnn;
	u8			mac[ETH_ALEN];
	enum fc2_remote_state	state;
	unsigned int		tries;
	unsigned long		next;
	bool			suspect;
	struct fc2_rport	*rport;
};

struct fc2_remote *fc2_remote_find(struct fc2_port *port, u32 id);
struct fc2_remote *fc2_remote_by_wwpn(struct fc2_port *port, u64 wwpn);
struct fc2_remote *fc2_remote_add(struct fc2_port *port, u32 id);
void fc2_remote_del(struct fc2_port *port, struct fc2_remote *remote);
struct fc2_rport *fc2_rport_alloc(struct fc2_port *port, const struct fc2_remote *remote);
int fc2_rport_list(struct fc2_rport *rport);
void fc2_rport_unlist(struct fc2_rport *rport);

#endif
