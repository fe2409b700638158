/* SPDX-License-Identifier: GPL-2.0 */
/* Life cycle of a Virtual Connection. */
#ifndef _NET_ST_PROTO_H
#define _NET_ST_PROTO_H

#include "st_sock.h"

/* proto/alloc.c */
void st_sk_begin(struct st_sock *st);
struct st_sock *st_sk_accept(struct st_sock *lst);
struct st_send st_send_default(struct st_sock *st);

/* proto/paths.c */
void st_down_check(struct st_sock *st, unsigned long now);
void st_link_go_on(struct st_link *link);
void st_path_turn(struct st_paced *paced);
void st_path_left(struct st_path *path, struct st_path *other);
void st_link_readdressed(struct st_link *link);
void st_link_fail(struct st_link *link, int err);
void st_route_go_on(struct st_route *route);
void st_route_fail(struct st_route *route, int err);

/* proto/setup.c */
int st_vc_connect(struct st_sock *st, struct st_link *link, const struct sockaddr_st *to);
void st_vc_set_state(struct st_sock *st, enum st_state state);
void st_vc_go_on(struct st_sock *st);
void st_vc_not_wanted(struct st_sock *st);
void st_rcv_request_connection(struct st_link *link, const struct st_op *op, const void *opt,
			       const u8 *saddr);
void st_rcv_connection_answer(struct st_sock *st, const struct st_op *op, const void *opt);

/* proto/teardown.c */
void st_vc_disconnect(struct st_sock *st);
void st_vc_maybe_disconnect(struct st_sock *st);
void st_vc_fail(struct st_sock *st, int err);
void st_vc_abort(struct st_sock *st, struct st_path *path, int err);
void st_vc_conn_timeout(struct st_sock *st, unsigned long now);
void st_rcv_disconnect(struct st_sock *st, const struct st_op *op);
void st_rcv_stray_disconnect(struct st_link *link, const struct st_op *op, const u8 *saddr);
void st_mem_close(struct st_sock *st);

/* proto/work.c */
void st_timer(struct timer_list *t);
void st_tx_work(struct work_struct *work);
void st_tx_write_space(struct sock *sk);

#endif
