// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of a machine that a user-mode kernel lacks for the emulated cards.
 *
 * Built only into the kernels of the tests.  memmap=SIZE$ADDRESS gives the
 * machine memory at an address that is not RAM, as it does on x86; ioremap()
 * reaches it through logic_iomem.  RAM is listed in /proc/iomem.  irq_work is
 * run at once, not by the next tick.
 */
#define pr_fmt(fmt) "machine: " fmt

#include <linux/hardirq.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/ioport.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/logic_iomem.h>
#include <linux/pci.h>
#include <linux/pfn.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include <as-layout.h>
#include <irq_kern.h>
#include <os.h>

static void *machine_memory;

static struct resource machine_memory_res = {
	.name = "Reserved",
	.flags = IORESOURCE_MEM,
	.desc = IORES_DESC_RESERVED,
};

static struct resource machine_ram_res = {
	.name = "System RAM",
	.flags = IORESOURCE_SYSTEM_RAM,
};

static unsigned long machine_read(void *priv, unsigned int offset, int size)
{
	void *at = priv + offset;

	switch (size) {
	case 1:
		return READ_ONCE(*(u8 *)at);
	case 2:
		return READ_ONCE(*(u16 *)at);
	case 4:
		return READ_ONCE(*(u32 *)at);
	default:
		return READ_ONCE(*(u64 *)at);
	}
}

static void machine_write(void *priv, unsigned int offset, int size, unsigned long val)
{
	void *at = priv + offset;

	switch (size) {
	case 1:
		WRITE_ONCE(*(u8 *)at, val);
		break;
	case 2:
		WRITE_ONCE(*(u16 *)at, val);
		break;
	case 4:
		WRITE_ONCE(*(u32 *)at, val);
		break;
	default:
		WRITE_ONCE(*(u64 *)at, val);
	}
}

static const struct logic_iomem_ops machine_iomem_ops = {
	.read = machine_read,
	.write = machine_write,
};

static long machine_map(unsigned long offset, size_t size, const struct logic_iomem_ops **ops,
			void **priv)
{
	*ops = &machine_iomem_ops;
	*priv = machine_memory + offset;
	return 0;
}

static const struct logic_iomem_region_ops machine_region_ops = {
	.map = machine_map,
};

static int __init machine_memmap(char *arg)
{
	u64 size = memparse(arg, &arg);

	if (*arg != '$' || !size)
		return -EINVAL;
	machine_memory_res.start = memparse(arg + 1, NULL);
	machine_memory_res.end = machine_memory_res.start + size - 1;
	return 0;
}
early_param("memmap", machine_memmap);

static int __init machine_init(void)
{
	int err;

	machine_ram_res.end = PFN_PHYS(max_mapnr) - 1;
	err = request_resource(&iomem_resource, &machine_ram_res);
	if (err || !machine_memory_res.end)
		return err;

	machine_memory = vzalloc(resource_size(&machine_memory_res));
	if (!machine_memory)
		return -ENOMEM;
	err = logic_iomem_add_region(&machine_memory_res, &machine_region_ops);
	if (err) {
		pr_err("no memory at %pR: %d\n", &machine_memory_res, err);
		vfree(machine_memory);
	}
	return err;
}
subsys_initcall(machine_init);

#ifdef CONFIG_SMP
/* Each CPU is a thread of the host, which can be interrupted: see ../../kernel/smp.c */
static bool machine_has_interrupt;

static void machine_interrupt(void)
{
	if (machine_has_interrupt)
		arch_send_call_function_single_ipi(smp_processor_id());
}

static int __init machine_irq_work_init(void)
{
	machine_has_interrupt = true;
	return 0;
}
#else
/* A pipe, for which the host sends SIGIO: the reader's end first */
static int machine_irq_work_pipe[2] = { -1, -1 };

static irqreturn_t machine_irq_work(int irq, void *arg)
{
	char raised[64];

	while (os_read_file(machine_irq_work_pipe[0], raised, sizeof(raised)) == sizeof(raised))
		;
	irq_work_run();
	return IRQ_HANDLED;
}

static void machine_interrupt(void)
{
	if (machine_irq_work_pipe[1] >= 0)
		os_write_file(machine_irq_work_pipe[1], "", 1);
}

static int __init machine_irq_work_init(void)
{
	int fds[2];
	int err;

	err = os_pipe(fds, 0, 1);
	if (err)
		return err;
	err = os_set_fd_block(fds[0], 0);
	if (!err)
		err = os_set_fd_block(fds[1], 0);
	if (!err)
		err = um_request_irq(UM_IRQ_ALLOC, fds[0], IRQ_READ, machine_irq_work, 0,
				     "irq_work", NULL);
	if (err < 0) {
		os_close_file(fds[0]);
		os_close_file(fds[1]);
		return err;
	}
	memcpy(machine_irq_work_pipe, fds, sizeof(fds));
	return 0;
}
#endif
subsys_initcall(machine_irq_work_init);

/*
 * A machine that interrupts itself is interrupted at once.  So is this one, without the
 * host, whose signals take longer than the work of the emulated cards.  If interrupts are
 * disabled, the host signals when they are enabled.  Before the pipe is ready, the tick
 * does so.
 */
void arch_irq_work_raise(void)
{
	if (!irqs_disabled()) {
		local_irq_disable();
		irq_enter();
		irq_work_run();
		irq_exit();
		local_irq_enable();
	} else {
		machine_interrupt();
	}
}

/* No host bridge of the machine's own */
void *pci_root_bus_fwnode(struct pci_bus *bus)
{
	return NULL;
}
