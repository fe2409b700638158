// SPDX-License-Identifier: GPL-2.0
/*
 * ELS requests of an administrator, who waits for the answer.
 */
#include <kunit/visibility.h>
#include <linux/completion.h>
#include <linux/fc2.h>
#include <linux/ktime.h>
#include <linux/skbuff.h>
#include <scsi/fc/fc_fcoe.h>

#include "els.h"
#include "els_ask.h"
#include "port.h"
#include "remote.h"

/**
 * struct fc2_els_ask - a request whose answer is waited for
 * @done: the answer has come
 * @err: as fc2_els_done tells it
 * @len: bytes that the answer has to have
 * @begun: when the request was sent
 * @end: when the answer came
 * @read: looks at the answer
 * @lesb: RLS: gets the counters
 */
struct fc2_els_ask {
	struct completion	done;
	int			err;
	unsigned int		len;
	ktime_t			begun;
	ktime_t			end;
	int (*read)(struct fc2_els_ask *ask, const u8 *answer);
	struct fcoe_fc_els_lesb	*lesb;
};

static void fc2_els_ask_done(struct fc2_port *port, void *priv, const u8 *answer,
			     unsigned int len, int err)
{
	struct fc2_els_ask *ask = priv;

	ask->end = ktime_get();
	if (!err)
		err = len == ask->len ? ask->read(ask, answer) : -EBADMSG;
	ask->err = err;
	complete(&ask->done);
}

static int fc2_els_ask(struct fc2_port *port, u32 id, struct sk_buff *skb, unsigned int timeout_ms,
		       struct fc2_els_ask *ask)
{
	struct fc2_els_to to = { .id = id };
	struct fc2_remote *remote;
	int err = -ENODEV;
	long left;

	init_completion(&ask->done);
	mutex_lock(&port->lock);
	remote = port->dead ? NULL : fc2_remote_find(port, id);
	if (remote) {
		to.mac = remote->mac;
		ask->begun = ktime_get();
		err = fc2_els_request(port, &to, skb, fc2_els_ask_done, ask);
	} else {
		kfree_skb(skb);
	}
	mutex_unlock(&port->lock);
	if (err)
		return err;
	left = wait_for_completion_killable_timeout(&ask->done, msecs_to_jiffies(timeout_ms));
	if (left > 0)
		return ask->err;
	mutex_lock(&port->lock);
	fc2_els_cancel(port, ask);
	mutex_unlock(&port->lock);
	if (completion_done(&ask->done))
		return ask->err;
	return left ?: -ETIMEDOUT;
}

/* Not the same in two places of a frame, or in two words */
static u8 fc2_els_echo_byte(unsigned int pos)
{
	return pos * 7 + (pos >> 8);
}

static int fc2_els_echo_read(struct fc2_els_ask *ask, const u8 *answer)
{
	unsigned int i;

	for (i = sizeof(struct fc_els_ls_acc); i < ask->len; i++)
		if (answer[i] != fc2_els_echo_byte(i))
			return -EBADMSG;
	return 0;
}

/**
 * fc2_els_echo - send ECHO, and wait for the answer
 * @port: the port, with a reference
 * @id: N_Port ID of the remote port
 * @len: bytes to send, besides the command
 * @timeout_ms: how long to wait at most
 * @usec: gets how long it took
 *
 * Context: process, without locks.
 * Return: 0; -EMSGSIZE when @len does not fit into a frame; -ENODEV when there is no such remote
 * port; -EBADMSG when other bytes came back; -ETIMEDOUT, -ENETDOWN, or another negative errno.
 */
int fc2_els_echo(struct fc2_port *port, u32 id, unsigned int len, unsigned int timeout_ms,
		 u32 *usec)
{
	const unsigned int hdr = sizeof(struct fc_els_ls_acc);
	struct fc2_els_ask ask = { .len = hdr + len, .read = fc2_els_echo_read };
	struct sk_buff *skb;
	unsigned int i;
	int err;

	if (len > FC_MAX_PAYLOAD || hdr + len > fc2_port_mfs(port))
		return -EMSGSIZE;
	skb = fc2_els_alloc(ask.len, ELS_ECHO);
	if (!skb)
		return -ENOMEM;
	for (i = hdr; i < ask.len; i++)
		skb->data[i] = fc2_els_echo_byte(i);
	err = fc2_els_ask(port, id, skb, timeout_ms, &ask);
	if (!err)
		*usec = ktime_us_delta(ask.end, ask.begun);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(fc2_els_echo);

static int fc2_els_rls_read(struct fc2_els_ask *ask, const u8 *answer)
{
	const struct fc_els_rls_resp *rls = (const struct fc_els_rls_resp *)answer;

	memcpy(ask->lesb, &rls->rls_lesb, sizeof(*ask->lesb));
	return 0;
}

/**
 * fc2_els_rls - ask for the error counters of a remote port
 * @port: the port, with a reference
 * @id: N_Port ID of the remote port
 * @timeout_ms: how long to wait at most
 * @lesb: gets the counters
 *
 * Context: process, without locks.
 * Return: as fc2_els_echo(); -ECONNREFUSED when the remote port does not tell.
 */
int fc2_els_rls(struct fc2_port *port, u32 id, unsigned int timeout_ms,
		struct fcoe_fc_els_lesb *lesb)
{
	struct fc2_els_ask ask = {
		.len = sizeof(struct fc_els_rls_resp), .read = fc2_els_rls_read, .lesb = lesb,
	};
	struct sk_buff *skb = fc2_els_alloc(sizeof(struct fc_els_rls), ELS_RLS);

	if (!skb)
		return -ENOMEM;
	fc2_hton24(((struct fc_els_rls *)skb->data)->rls_port_id, id);
	return fc2_els_ask(port, id, skb, timeout_ms, &ask);
}
EXPORT_SYMBOL_IF_KUNIT(fc2_els_rls);
