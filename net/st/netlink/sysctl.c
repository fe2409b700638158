// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters of a network namespace, net.st.*.
 */
#include <linux/sysctl.h>

#include "link/link.h"
#include "mem/mem.h"
#include "netlink/netlink.h"

static unsigned int st_op_timeout_min = 10;
static unsigned int st_op_timeout_min_min = 1;
static unsigned int st_op_timeout_max = 600000;
static unsigned int st_max_retry_max = 255;
static unsigned int st_confirm_max = 3600000;
static unsigned int st_slots_min = 8;	/* ST 5.2.5; see st_slots_kept() */
static unsigned int st_slots_max = ST_DONE_IDS;
static unsigned long st_max_memory_min = BIT(ST_BLOCKSIZE);
static unsigned long st_max_transfer_min = PAGE_SIZE;
static unsigned long st_max_transfer_max = MAX_RW_COUNT;
static unsigned int st_conn_regions_max = ST_REGIONS;
static unsigned long st_region_bytes_max = ST_REGION_LEN_MAX;

/* Offset of a parameter in struct st_net, for st_table */
#define ST_PARAM(member)	((void *)offsetof(struct st_net, member))

/* Handle a parameter of one byte.  Return: 1 when a write has changed it, or a negative errno. */
static int st_sysctl_byte(const struct ctl_table *table, int write, void *buffer, size_t *lenp,
			  loff_t *ppos)
{
	u8 before = READ_ONCE(*(const u8 *)table->data);
	int err = proc_dou8vec_minmax(table, write, buffer, lenp, ppos);

	return err ?: write && READ_ONCE(*(const u8 *)table->data) != before;
}

static int st_sysctl_auto_links(const struct ctl_table *table, int write, void *buffer,
				size_t *lenp, loff_t *ppos)
{
	struct st_net *sn = container_of((u8 *)table->data, struct st_net, auto_links);
	int changed = st_sysctl_byte(table, write, buffer, lenp, ppos);

	if (changed > 0)
		st_llp_attach_all(sn->net);
	return min(changed, 0);
}

static int st_sysctl_ingress_hook(const struct ctl_table *table, int write, void *buffer,
				  size_t *lenp, loff_t *ppos)
{
	struct st_net *sn = container_of((u8 *)table->data, struct st_net, ingress_hook);
	int changed = st_sysctl_byte(table, write, buffer, lenp, ppos);

	if (changed > 0)
		st_links_ingress(sn->net);
	return min(changed, 0);
}

static const struct ctl_table st_table[] = {
	{
		.procname	= "op_timeout_ms",
		.data		= ST_PARAM(op_timeout),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= &st_op_timeout_min,
		.extra2		= &st_op_timeout_max,
	},
	{
		.procname	= "max_retry",
		.data		= ST_PARAM(max_retry),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= &st_max_retry_max,
	},
	{
		.procname	= "max_transfer",
		.data		= ST_PARAM(max_transfer),
		.maxlen		= sizeof(unsigned long),
		.mode		= 0644,
		.proc_handler	= proc_doulongvec_minmax,
		.extra1		= &st_max_transfer_min,
		.extra2		= &st_max_transfer_max,
	},
	{
		.procname	= "checksum",
		.data		= ST_PARAM(checksum),
		.maxlen		= sizeof(u8),
		.mode		= 0644,
		.proc_handler	= proc_dou8vec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
	{
		.procname	= "op_timeout_min_ms",
		.data		= ST_PARAM(op_timeout_min),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= &st_op_timeout_min_min,
		.extra2		= &st_op_timeout_max,
	},
	{
		.procname	= "max_connections",
		.data		= ST_PARAM(max_connections),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec,
	},
	{
		.procname	= "max_connections_peer",
		.data		= ST_PARAM(max_connections_peer),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec,
	},
	{
		.procname	= "max_memory_peer",
		.data		= ST_PARAM(max_memory_peer),
		.maxlen		= sizeof(unsigned long),
		.mode		= 0644,
		.proc_handler	= proc_doulongvec_minmax,
		.extra1		= &st_max_memory_min,
	},
	{
		.procname	= "slots",
		.data		= ST_PARAM(slots),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= &st_slots_min,
		.extra2		= &st_slots_max,
	},
	{
		.procname	= "conn_regions",
		.data		= ST_PARAM(conn_regions),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= &st_conn_regions_max,
	},
	{
		.procname	= "conn_region_bytes",
		.data		= ST_PARAM(conn_region_bytes),
		.maxlen		= sizeof(unsigned long),
		.mode		= 0644,
		.proc_handler	= proc_doulongvec_minmax,
		.extra2		= &st_region_bytes_max,
	},
	{
		.procname	= "max_regions",
		.data		= ST_PARAM(max_regions),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_INT_MAX,
	},
	{
		.procname	= "max_region_bytes",
		.data		= ST_PARAM(max_region_bytes),
		.maxlen		= sizeof(unsigned long),
		.mode		= 0644,
		.proc_handler	= proc_doulongvec_minmax,
	},
	{
		.procname	= "auto_links",
		.data		= ST_PARAM(auto_links),
		.maxlen		= sizeof(u8),
		.mode		= 0644,
		.proc_handler	= st_sysctl_auto_links,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
	{
		.procname	= "confirm_ms",
		.data		= ST_PARAM(confirm),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= &st_confirm_max,
	},
	{
		.procname	= "max_memory",
		.data		= ST_PARAM(max_memory),
		.maxlen		= sizeof(unsigned long),
		.mode		= 0644,
		.proc_handler	= proc_doulongvec_minmax,
		.extra1		= &st_max_memory_min,
	},
	{
		.procname	= "short_records",
		.data		= ST_PARAM(short_records),
		.maxlen		= sizeof(u8),
		.mode		= 0644,
		.proc_handler	= proc_dou8vec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
	{
		.procname	= "gso",
		.data		= ST_PARAM(gso),
		.maxlen		= sizeof(u8),
		.mode		= 0644,
		.proc_handler	= proc_dou8vec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
	{
		.procname	= "ingress_hook",
		.data		= ST_PARAM(ingress_hook),
		.maxlen		= sizeof(u8),
		.mode		= 0644,
		.proc_handler	= st_sysctl_ingress_hook,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
};

/**
 * st_sysctl_init - set the defaults of a new namespace and register its parameters
 * @net: the namespace
 *
 * Return: 0 or -ENOMEM.
 */
int st_sysctl_init(struct net *net)
{
	struct st_net *sn = st_pernet(net);
	struct ctl_table *table;
	unsigned int i;

	sn->net = net;
	sn->op_timeout = 1000;
	sn->op_timeout_min = 200;
	sn->max_connections = 65536;
	sn->max_connections_peer = 32768;
	sn->max_memory_peer = 64UL << 20;
	sn->max_memory = 256UL << 20;
	sn->slots = 64;
	sn->max_retry = 8;
	sn->max_transfer = 1UL << 30;
	sn->checksum = 1;
	sn->conn_regions = 16;
	sn->conn_region_bytes = 1UL << 30;
	sn->max_regions = 1024;
	sn->max_region_bytes = 1UL << 31;
	sn->confirm = 60000;
	sn->short_records = 1;
	sn->gso = 1;
	sn->ingress_hook = 1;

	table = kmemdup(st_table, sizeof(st_table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(st_table); i++)
		table[i].data = (void *)sn + (uintptr_t)st_table[i].data;
	sn->sysctl = register_net_sysctl_sz(net, "net/st", table, ARRAY_SIZE(st_table));
	if (!sn->sysctl) {
		kfree(table);
		return -ENOMEM;
	}
	return 0;
}

/**
 * st_sysctl_exit - undo st_sysctl_init()
 * @net: the namespace
 */
void st_sysctl_exit(struct net *net)
{
	struct st_net *sn = st_pernet(net);
	const struct ctl_table *table = sn->sysctl->ctl_table_arg;

	unregister_net_sysctl_table(sn->sysctl);
	kfree(table);
}
