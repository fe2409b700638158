// SPDX-License-Identifier: GPL-2.0
/*
 * Ports (ST 5.2.1) and the error log of each (ST 10).
 */
#include <linux/random.h>
#include <linux/seq_file.h>
#include <linux/proc_fs.h>

#include "st.h"

#define ST_PORT_DYNAMIC		49152	/* RFC 6335 */

/**
 * st_port_find - look a Port up
 * @sn: the namespace
 * @num: host order
 *
 * Context: under RCU or @sn->port_lock.
 * Return: the Port or NULL.
 */
struct st_port *st_port_find(struct st_net *sn, u16 num)
{
	struct st_port *port;

	hash_for_each_possible_rcu(sn->ports, port, node, num,
				   lockdep_is_held(&sn->port_lock))
		if (port->num == num)
			return port;
	return NULL;
}

static int st_port_take(struct st_sock *st, u16 num, struct st_port *fresh)
{
	struct st_net *sn = st_net_of(st);
	struct st_port *port = st_port_find(sn, num);
	unsigned int i;

	if (port) {
		/* Only held or accepted connections are left of the last owner */
		if (port->owner || !st->sk.sk_reuse)
			return -EADDRINUSE;
		for (i = 0; i < __ST_ERR_MAX; i++)
			atomic64_set(&port->errors[i], 0);
		WRITE_ONCE(port->undefined_op, 0);
		WRITE_ONCE(port->unexpected_op, 0);
	} else {
		port = fresh;
		port->num = num;
		hash_add_rcu(sn->ports, &port->node, num);
	}
	port->refcnt++;
	port->owner = &st->sk;
	st->port = port;
	return 0;
}

/**
 * st_port_bind - give a socket a Port of its own
 * @st: the socket, without a Port
 * @num: host order; 0 chooses one from the dynamic range
 *
 * Context: under lock_sock(), may sleep.
 * Return: 0, -EADDRINUSE or -ENOMEM.
 */
int st_port_bind(struct st_sock *st, u16 num)
{
	const unsigned int range = 65536 - ST_PORT_DYNAMIC;
	struct st_net *sn = st_net_of(st);
	struct st_port *fresh;
	unsigned int first, i;
	int err = -EADDRINUSE;

	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return -ENOMEM;

	spin_lock_bh(&sn->port_lock);
	if (num) {
		err = st_port_take(st, num, fresh);
	} else {
		first = get_random_u32_below(range);
		for (i = 0; i < range; i++) {
			num = ST_PORT_DYNAMIC + (first + i) % range;
			if (st_port_find(sn, num))
				continue;
			err = st_port_take(st, num, fresh);
			break;
		}
	}
	spin_unlock_bh(&sn->port_lock);
	if (st->port != fresh)
		kfree(fresh);
	return err;
}

/**
 * st_port_share - put an accepted connection on the Port of its listener
 * @st: the new socket
 * @port: the Port, in use by the listener
 *
 * Context: any but hard interrupt; the listener keeps @port.
 */
void st_port_share(struct st_sock *st, struct st_port *port)
{
	struct st_net *sn = st_net_of(st);

	spin_lock_bh(&sn->port_lock);
	port->refcnt++;
	spin_unlock_bh(&sn->port_lock);
	st->port = port;
}

/**
 * st_port_disown - the socket that bound the Port is closed
 * @st: the socket
 *
 * The Port itself stays until the last connection on it is gone, ST 5.1.2.
 *
 * Context: any but hard interrupt.
 */
void st_port_disown(struct st_sock *st)
{
	struct st_net *sn = st_net_of(st);

	if (!st->port)
		return;
	spin_lock_bh(&sn->port_lock);
	if (st->port->owner == &st->sk)
		st->port->owner = NULL;
	spin_unlock_bh(&sn->port_lock);
}

/**
 * st_port_put - a socket leaves its Port
 * @st: the socket
 *
 * Context: any but hard interrupt; nobody else uses @st.
 */
void st_port_put(struct st_sock *st)
{
	struct st_net *sn = st_net_of(st);
	struct st_port *port = st->port;

	if (!port)
		return;
	st->port = NULL;
	spin_lock_bh(&sn->port_lock);
	if (port->owner == &st->sk)
		port->owner = NULL;
	if (!--port->refcnt) {
		hash_del_rcu(&port->node);
		kfree_rcu(port, rcu);
	}
	spin_unlock_bh(&sn->port_lock);
}

/**
 * st_port_listener - who listens on a Port
 * @sn: the namespace
 * @num: host order
 * @link: where the request came in
 *
 * Context: any but hard interrupt.
 * Return: the socket with a reference, or NULL.
 */
struct sock *st_port_listener(struct st_net *sn, u16 num, const struct st_link *link)
{
	struct st_port *port;
	struct sock *sk = NULL;

	spin_lock_bh(&sn->port_lock);
	port = st_port_find(sn, num);
	if (port && port->owner && READ_ONCE(port->owner->sk_state) == ST_LISTEN) {
		if (st_link_bound(link, st_sk(port->owner))) {
			sk = port->owner;
			sock_hold(sk);
		}
	}
	spin_unlock_bh(&sn->port_lock);
	return sk;
}

/**
 * st_log_port - log an error on a Port, ST 10
 * @sn: the namespace, which logs it where there is no Port
 * @port: the Port or NULL
 * @err: which one
 *
 * Context: any; under RCU or with a reference on @port.
 */
void st_log_port(struct st_net *sn, struct st_port *port, enum st_error err)
{
	atomic64_inc(port ? &port->errors[err] : &sn->errors[err]);
}

/**
 * st_log - log an error on the Port of a socket, ST 10
 * @st: the socket
 * @err: which one
 *
 * Context: any.
 */
void st_log(struct st_sock *st, enum st_error err)
{
	st_log_port(st_net_of(st), st->port, err);
}

/**
 * st_log_unexpected - log an operation that is out of sequence, ST 10.5.2
 * @st: the Virtual Connection
 * @op: the operation, which is discarded
 *
 * Context: any.
 */
void st_log_unexpected(struct st_sock *st, const struct st_op *op)
{
	st_log(st, ST_ERR_UNEXPECTED_OPCODE);
	WRITE_ONCE(st->port->unexpected_op, op->op);
}

#ifdef CONFIG_PROC_FS
static const char *const st_error_names[] = {
	[ST_ERR_CKSUM]			= "Cksum_Error",
	[ST_ERR_ILLEGAL_BLOCKSIZE]	= "Illegal_Blocksize_Error",
	[ST_ERR_ILLEGAL_BUFSIZE]	= "Illegal_Bufsize_Error",
	[ST_ERR_ILLEGAL_STU_SIZE]	= "Illegal_STU_Size_Error",
	[ST_ERR_IMPROPER_FLAG_USE]	= "Improper_Flag_Use_Error",
	[ST_ERR_INVALID_D_ID]		= "Invalid_D-id_Error",
	[ST_ERR_INVALID_KEY]		= "Invalid_Key_Error",
	[ST_ERR_INVALID_MX]		= "Invalid_Mx_Error",
	[ST_ERR_INVALID_PORT]		= "Invalid_Port_Error",
	[ST_ERR_MAX_RETRY]		= "Max_Retry_Occurance",
	[ST_ERR_OP_TIMEOUT]		= "Op_timeout_Occurance",
	[ST_ERR_OUT_OF_ORDER_B_NUM]	= "Out_Of_Order_B_num",
	[ST_ERR_OUT_OF_ORDER_STU]	= "Out_Of_Order_STU_Error",
	[ST_ERR_OUT_OF_RANGE_B_NUM]	= "Out_Of_Range_B_num_Error",
	[ST_ERR_OUT_OF_RANGE_BUFX]	= "Out_Of_Range_Bufx_Error",
	[ST_ERR_OVERSIZED_OFFSET]	= "Oversized_Offset_Error",
	[ST_ERR_SLOTS_EXCEEDED]		= "Slots_Exceeded_Error",
	[ST_ERR_UNDEFINED_OPCODE]	= "Undefined_Opcode_Error",
	[ST_ERR_UNEXPECTED_OPCODE]	= "Unexpected_Opcode_Error",
	[ST_ERR_UNKNOWN_ETHERTYPE]	= "Unknown_EtherType_Error",
};

static_assert(ARRAY_SIZE(st_error_names) == __ST_ERR_MAX);

static const char *const st_drop_names[] = {
	[ST_DROP_LENGTH]	= "illegal_length",
	[ST_DROP_NOMEM]		= "no_memory",
	[ST_DROP_BACKLOG]	= "backlog_full",
	[ST_DROP_GRANTS]	= "too_many_blocks_cleared",
	[ST_DROP_XMIT]		= "not_sent",
	[ST_DROP_CONNECTIONS]	= "too_many_connections",
	[ST_DROP_PEER_CONNECTIONS] = "too_many_connections_of_peer",
	[ST_DROP_PEER_MEMORY]	= "too_much_memory_of_peer",
	[ST_DROP_MEMORY]	= "too_much_memory",
	[ST_DROP_MEMLOCK]	= "too_much_memory_locked",
	[ST_DROP_REGION_LIMIT]	= "region_limit",
	[ST_DROP_REGION]	= "region_refused",
	[ST_DROP_GET]		= "too_many_gets",
	[ST_DROP_FETCHOP]	= "too_many_fetchops",
	[ST_DROP_EVENT]		= "event_lost",
};

static_assert(ARRAY_SIZE(st_drop_names) == __ST_DROP_MAX);

static int st_proc_show(struct seq_file *seq, void *v)
{
	struct st_net *sn = st_pernet(seq_file_single_net(seq));
	struct st_port *port;
	unsigned int bkt, i;

	for (i = 0; i < __ST_DROP_MAX; i++)
		seq_printf(seq, "%s %lld\n", st_drop_names[i], atomic64_read(&sn->drops[i]));
	for (i = 0; i < __ST_ERR_MAX; i++)
		seq_printf(seq, "%s %lld\n", st_error_names[i], atomic64_read(&sn->errors[i]));

	rcu_read_lock();
	hash_for_each_rcu(sn->ports, bkt, port, node)
		for (i = 0; i < __ST_ERR_MAX; i++)
			if (atomic64_read(&port->errors[i]))
				seq_printf(seq, "port %u %s %lld\n", port->num,
					   st_error_names[i], atomic64_read(&port->errors[i]));
	rcu_read_unlock();
	return 0;
}
#endif

/**
 * st_port_init - Ports of a new namespace, and /proc/net/st
 * @net: the namespace
 *
 * Return: 0 or -ENOMEM.
 */
int st_port_init(struct net *net)
{
	struct st_net *sn = st_pernet(net);

	spin_lock_init(&sn->port_lock);
	hash_init(sn->ports);
#ifdef CONFIG_PROC_FS
	if (!proc_create_net_single("st", 0444, net->proc_net, st_proc_show, NULL))
		return -ENOMEM;
#endif
	return 0;
}

/**
 * st_port_exit - undo st_port_init()
 * @net: the namespace
 */
void st_port_exit(struct net *net)
{
	remove_proc_entry("st", net->proc_net);
	WARN_ON(!hash_empty(st_pernet(net)->ports));
}
