// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters of a network namespace, net.st.*.
 */
#include <linux/sysctl.h>

#include "mem.h"

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

static struct ctl_table st_table[] = {
	{
		.procname	= "op_timeout_ms",
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= &st_op_timeout_min,
		.extra2		= &st_op_timeout_max,
	},
	{
		.procname	= "max_retry",
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= &st_max_retry_max,
	},
	{
		.procname	= "max_transfer",
		.maxlen		= sizeof(unsigned long),
		.mode		= 0644,
		.proc_handler	= proc_doulongvec_minmax,
		.extra1		= &st_max_transfer_min,
		.extra2		= &st_max_transfer_max,
	},
	{
		.procname	= "checksum",
		.maxlen		= sizeof(u8),
		.mode		= 0644,
		.proc_handler	= proc_dou8vec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
	{
		.procname	= "op_timeout_min_ms",
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= &st_op_timeout_min_min,
		.extra2		= &st_op_timeout_max,
	},
	{
		.procname	= "max_connections",
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec,
	},
	{
		.procname	= "max_connections_peer",
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec,
	},
	{
		.procname	= "max_memory_peer",
		.maxlen		= sizeof(unsigned long),
		.mode		= 0644,
		.proc_handler	= proc_doulongvec_minmax,
		.extra1		= &st_max_memory_min,
	},
	{
		.procname	= "slots",
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= &st_slots_min,
		.extra2		= &st_slots_max,
	},
	{
		.procname	= "conn_regions",
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= &st_conn_regions_max,
	},
	{
		.procname	= "conn_region_bytes",
		.maxlen		= sizeof(unsigned long),
		.mode		= 0644,
		.proc_handler	= proc_doulongvec_minmax,
		.extra2		= &st_region_bytes_max,
	},
	{
		.procname	= "max_regions",
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_INT_MAX,
	},
	{
		.procname	= "max_region_bytes",
		.maxlen		= sizeof(unsigned long),
		.mode		= 0644,
		.proc_handler	= proc_doulongvec_minmax,
	},
	{
		.procname	= "auto_links",
		.maxlen		= sizeof(u8),
		.mode		= 0644,
		.proc_handler	= proc_dou8vec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
	{
		.procname	= "confirm_ms",
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= &st_confirm_max,
	},
	{
		.procname	= "max_memory",
		.maxlen		= sizeof(unsigned long),
		.mode		= 0644,
		.proc_handler	= proc_doulongvec_minmax,
		.extra1		= &st_max_memory_min,
	},
	{
		.procname	= "short_records",
		.maxlen		= sizeof(u8),
		.mode		= 0644,
		.proc_handler	= proc_dou8vec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
	{
		.procname	= "runs",
		.maxlen		= sizeof(u8),
		.mode		= 0644,
		.proc_handler	= proc_dou8vec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
	{
		.procname	= "ingress_hook",
		.maxlen		= sizeof(u8),
		.mode		= 0644,
		.proc_handler	= proc_dou8vec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	},
};

static u64 st_param_value(const struct ctl_table *table)
{
	if (table->maxlen == sizeof(u8))
		return READ_ONCE(*(const u8 *)table->data);
	if (table->maxlen == sizeof(unsigned int))
		return READ_ONCE(*(const unsigned int *)table->data);
	return READ_ONCE(*(const unsigned long *)table->data);
}

/* In the type that the handlers take them in.  @none: what holds without a limit. */
static u64 st_param_limit(const struct ctl_table *table, const void *limit, u64 none)
{
	if (!limit)
		return none;
	if (table->maxlen == sizeof(unsigned long))
		return *(const unsigned long *)limit;
	return *(const unsigned int *)limit;
}

/*
 * @table: of a namespace, where extra1 is the entry of st_table and extra2 the
 * namespace
 */
static void st_param_fill(const struct ctl_table *table, struct st_param *param)
{
	const struct ctl_table *entry = table->extra1;

	param->name = entry->procname;
	param->value = st_param_value(table);
	param->min = st_param_limit(entry, entry->extra1, 0);
	param->max = st_param_limit(entry, entry->extra2,
				    entry->maxlen == sizeof(unsigned long) ? ULONG_MAX : UINT_MAX);
}

/* A parameter has another value. */
static void st_param_changed(struct net *net, const struct ctl_table *table,
			     const struct st_param *param)
{
	st_nl_param_event(net, param);
	if (table->data == &st_pernet(net)->auto_links)
		st_llp_attach_all(net);
	if (table->data == &st_pernet(net)->ingress_hook)
		st_links_early(net);
}

/**
 * st_param_get - look at a parameter
 * @sn: the namespace
 * @i: number of the parameter
 * @param: filled in
 *
 * Context: any; the namespace stays.
 * Return: false when there are not so many.
 */
bool st_param_get(const struct st_net *sn, unsigned int i, struct st_param *param)
{
	if (i >= ARRAY_SIZE(st_table))
		return false;
	st_param_fill(&sn->sysctl->ctl_table_arg[i], param);
	return true;
}

/**
 * st_param_set - give a parameter another value
 * @net: the namespace
 * @i: number of the parameter
 * @value: the value, within the limits of the parameter
 *
 * Context: may sleep.
 */
void st_param_set(struct net *net, unsigned int i, u64 value)
{
	const struct ctl_table *table = &st_pernet(net)->sysctl->ctl_table_arg[i];
	struct st_param param;
	u64 before = st_param_value(table);

	if (table->maxlen == sizeof(u8))
		WRITE_ONCE(*(u8 *)table->data, value);
	else if (table->maxlen == sizeof(unsigned int))
		WRITE_ONCE(*(unsigned int *)table->data, value);
	else
		WRITE_ONCE(*(unsigned long *)table->data, value);
	if (value == before)
		return;
	st_param_fill(table, &param);
	st_param_changed(net, table, &param);
}

/* A write to a parameter, which is told if it changes anything. */
static int st_sysctl_handler(const struct ctl_table *table, int write, void *buffer,
			     size_t *lenp, loff_t *ppos)
{
	struct ctl_table entry = *(const struct ctl_table *)table->extra1;
	u64 before = st_param_value(table);
	struct st_param param;
	int err;

	entry.data = table->data;
	err = entry.proc_handler(&entry, write, buffer, lenp, ppos);
	if (err || !write)
		return err;
	st_param_fill(table, &param);
	if (param.value != before)
		st_param_changed(table->extra2, table, &param);
	return 0;
}

/**
 * st_sysctl_init - the parameters of a new namespace, with their defaults
 * @net: the namespace
 *
 * Return: 0 or -ENOMEM.
 */
int st_sysctl_init(struct net *net)
{
	struct st_net *sn = st_pernet(net);
	struct ctl_table *table;
	unsigned int i;

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
	sn->runs = 1;
	sn->ingress_hook = 1;

	table = kmemdup(st_table, sizeof(st_table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	table[0].data = &sn->op_timeout;
	table[1].data = &sn->max_retry;
	table[2].data = &sn->max_transfer;
	table[3].data = &sn->checksum;
	table[4].data = &sn->op_timeout_min;
	table[5].data = &sn->max_connections;
	table[6].data = &sn->max_connections_peer;
	table[7].data = &sn->max_memory_peer;
	table[8].data = &sn->slots;
	table[9].data = &sn->conn_regions;
	table[10].data = &sn->conn_region_bytes;
	table[11].data = &sn->max_regions;
	table[12].data = &sn->max_region_bytes;
	table[13].data = &sn->auto_links;
	table[14].data = &sn->confirm;
	table[15].data = &sn->max_memory;
	table[16].data = &sn->short_records;
	table[17].data = &sn->runs;
	table[18].data = &sn->ingress_hook;
	for (i = 0; i < ARRAY_SIZE(st_table); i++) {
		table[i].proc_handler = st_sysctl_handler;
		table[i].extra1 = &st_table[i];
		table[i].extra2 = net;
	}
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
