// SPDX-License-Identifier: GPL-2.0
/* Init and exit of the module, and of a network namespace. */
#include <linux/module.h>
#include <linux/net.h>
#include <linux/rcupdate.h>

#include "conn/host.h"
#include "link/link.h"
#include "link/upcall.h"
#include "mem/mem.h"
#include "netlink/netlink.h"
#include "proto/proto.h"
#include "xfer/delivery.h"

static void st_link_was_added(struct st_link *link)
{
	st_nl_link_event(link, ST_CMD_LINK_ADD_NTF);
}

static void st_link_has_gone(struct st_link *link)
{
	st_nl_link_event(link, ST_CMD_LINK_DEL_NTF);
	st_stripe_forget(st_pernet(link->net), link);
	st_nl_resolve_again(link->net);
	st_link_fail(link, ENETDOWN);
}

static void st_link_has_changed(struct st_link *link, bool told)
{
	if (!told)
		st_nl_link_event(link, ST_CMD_LINK_CHANGE_NTF);
	if (st_link_core(link)->unusable)
		st_link_fail(link, ENETDOWN);
	else
		st_link_go_on(link);
}

static const struct st_upcalls st_upcalls = {
	.link_added		= st_link_was_added,
	.link_gone		= st_link_has_gone,
	.link_changed		= st_link_has_changed,
	.link_readdressed	= st_link_readdressed,
	.route_changed		= st_route_go_on,
	.route_failed		= st_route_fail,
	.turn			= st_path_turn,
	.path_joined		= st_delivery_join,
	.path_left		= st_path_left,
	.has_id			= st_mem_has_id,
	.vc_state		= st_nl_vc_event,
};

static int __net_init st_net_init(struct net *net)
{
	int err;

	INIT_LIST_HEAD(&st_pernet(net)->links);
	INIT_LIST_HEAD(&st_pernet(net)->stripe_addrs);
	st_nl_address_net_init(net);
	err = st_conn_init(net);
	if (err)
		return err;
	err = st_host_init(net);
	if (err)
		goto conn;
	st_port_init(net);
	err = st_sysctl_init(net);
	if (err)
		goto host;
	return 0;
host:
	st_host_exit(net);
conn:
	st_conn_exit(net);
	return err;
}

static void __net_exit st_net_exit(struct net *net)
{
	st_nl_address_net_exit(net);
	st_sysctl_exit(net);
	st_port_exit(net);
	st_host_exit(net);
	st_conn_exit(net);
}

static struct pernet_operations st_net_ops = {
	.init	= st_net_init,
	.exit	= st_net_exit,
	.id	= &st_net_id,
	.size	= sizeof(struct st_net),
};

static int __init st_init(void)
{
	int err;

	st_up = &st_upcalls;
	BUILD_BUG_ON(sizeof(struct sockaddr_st) > sizeof(struct __kernel_sockaddr_storage));
	err = st_buf_init();
	if (err)
		return err;
	err = st_links_init();
	if (err)
		goto buf;
	err = proto_register(&st_proto, 1);
	if (err)
		goto links;
	err = register_pernet_subsys(&st_net_ops);
	if (err)
		goto proto;
	err = st_nl_init();
	if (err)
		goto pernet;
	err = register_netdevice_notifier(&st_port_notifier);
	if (err)
		goto netlink;
	err = register_netdevice_notifier(&st_llp_notifier);
	if (err)
		goto port;
	err = sock_register(&st_family);
	if (err)
		goto notifier;
	return 0;
notifier:
	unregister_netdevice_notifier(&st_llp_notifier);
port:
	unregister_netdevice_notifier(&st_port_notifier);
netlink:
	st_nl_exit();
pernet:
	unregister_pernet_subsys(&st_net_ops);
proto:
	proto_unregister(&st_proto);
links:
	st_links_exit();
buf:
	st_buf_exit();
	return err;
}

static void __exit st_exit(void)
{
	sock_unregister(PF_ST);
	unregister_netdevice_notifier(&st_llp_notifier);
	unregister_netdevice_notifier(&st_port_notifier);
	st_nl_exit();
	st_buf_exit();
	unregister_pernet_subsys(&st_net_ops);
	proto_unregister(&st_proto);
	st_links_exit();
	rcu_barrier();
	/* The task that released the last buffer may have been preempted in the module's code */
	synchronize_rcu_tasks();
}

module_init(st_init);
module_exit(st_exit);

MODULE_DESCRIPTION("Scheduled Transfer sockets");
MODULE_LICENSE("GPL");
MODULE_ALIAS_NETPROTO(PF_ST);
