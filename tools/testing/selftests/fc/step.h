/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STEP_H
#define STEP_H

#include "conn.h"

struct user;

/**
 * struct step - what fcvi_peer does after the login
 * @name: as on the command line
 * @alone: what it is without a user of the other port
 * @run: what it is with one
 * @mfs: receive size of this side; 0: the largest
 *
 * The program ends at the first field that is wrong.
 */
struct step {
	const char *name;
	void (*alone)(struct peer *p);
	void (*run)(struct peer *p, struct user *u);
	unsigned int mfs;
};

/* The last one has no name */
extern const struct step nobody_steps[], user_steps[], peer_steps[], receive_steps[],
	send_steps[], error_steps[], rare_steps[];

/*
 * The other port answers, and has answered nothing else: what was sent before led to nothing.  It
 * takes frames in turn, so the test waits for no time.
 */
void unanswered(struct peer *p, const char *what);
/* The user connects; the other port may have to ask for the N_Port ID of this one */
void user_asks(struct peer *p, struct user *u, uint32_t vi, uint32_t flags, uint32_t timeout);
/* The user ends what this side has ended already */
void user_leaves(struct peer *p, struct user *u, const struct conn *c, uint32_t vi);
/* The attributes are those of the user's endpoint, FCVI_DEV_* */
void check_attrs(const uint8_t *payload, uint8_t level, uint8_t flags);
/* The setup leads to a connection to a new endpoint of the user, FCVI_DEV_*, which is a server */
uint32_t connect_to_server(struct peer *p, struct user *u, struct conn *c, uint8_t flags);
/* This side ends the connection, and the endpoint goes away */
void end_by_peer(struct peer *p, struct user *u, struct conn *c, uint32_t vi);
/* The user's client has sent its request to a port that it knows */
void connect_client(struct peer *p, struct user *u, struct conn *c, uint32_t vi,
		    uint32_t timeout);

#endif
