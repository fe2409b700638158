// SPDX-License-Identifier: GPL-2.0
/*
 * Emulated HIPPI-6400 cards: module, parameters, and the thread that runs
 * all cards.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/st_compat.h>

#include "emu/card/card.h"
#include "emu/card/pci.h"
#include "emu/debugfs.h"
#include "emu/fabric/fabric.h"

/* Idle time after which the thread stops polling and sleeps */
#define EMU_SPIN_USECS		20
/* Length of its sleeps: a fraction of the idle time so far, within limits */
#define EMU_SLEEP_PART		4
#define EMU_SLEEP_MIN_USECS	10
#define EMU_SLEEP_MAX_USECS	1000

#define EMU_PORTS_DEFAULT	2

static unsigned int ports = EMU_PORTS_DEFAULT;
module_param(ports, uint, 0444);
MODULE_PARM_DESC(ports, "number of cards, 1 to 16 (default 2)");

static char *topology;
module_param(topology, charp, 0444);
MODULE_PARM_DESC(topology, "cabling of the ports, such as cable:0,1/loopback:2/switch:3-6 (default: 0 with 1, 2 with 3 and so on)");

static unsigned long long seed;
module_param(seed, ullong, 0444);
MODULE_PARM_DESC(seed, "seed of all random faults (default 0: chosen at load)");

static char *mem_start;
module_param(mem_start, charp, 0444);
MODULE_PARM_DESC(mem_start, "address of memory reserved with memmap=SIZE$ADDRESS, such as 1G (default: taken from the kernel command line)");

static char *mem_size;
module_param(mem_size, charp, 0444);
MODULE_PARM_DESC(mem_size, "size of that memory, such as 1M (default: as much as needed, 64K a card)");

static struct emu *the_emu;

/* One round over all cards.  Returns true if there was work. */
static bool emu_round(struct emu *emu, ktime_t *deadline)
{
	unsigned int port;
	bool busy = false;

	mutex_lock(&emu->lock);
	emu_cable_begin(emu);
	for (port = 0; port < emu->ports; port++)
		busy |= emu_poll_card(&emu->cards[port],
				      emu_cable_signal(emu, port));
	busy |= emu_cable_move(emu);
	*deadline = emu_cable_next(emu);
	mutex_unlock(&emu->lock);

	for (port = 0; port < emu->ports; port++)
		*deadline = min(*deadline,
				emu_poll_interrupts(&emu->cards[port]));
	return busy;
}

/*
 * Sleeps in proportion to the idle time: an event is delayed by at most a
 * fraction of the gap before it, and idle cards cost next to nothing.
 */
static void emu_idle(ktime_t since, ktime_t deadline)
{
	ktime_t now = ktime_get();
	s64 idle = ktime_us_delta(now, since);
	s64 usecs;

	if (idle < EMU_SPIN_USECS) {
		cpu_relax();
		cond_resched();
		return;
	}

	usecs = clamp(idle / EMU_SLEEP_PART, (s64)EMU_SLEEP_MIN_USECS,
		      (s64)EMU_SLEEP_MAX_USECS);
	if (deadline != EMU_NO_DEADLINE)
		usecs = clamp(ktime_us_delta(deadline, now), 1, usecs);
	usleep_range_idle(usecs, usecs + usecs / 4);
}

static int emu_thread(void *arg)
{
	struct emu *emu = arg;
	ktime_t since = 0, deadline;

	while (!kthread_should_stop()) {
		if (emu_round(emu, &deadline)) {
			since = 0;
			cond_resched();
			continue;
		}
		if (!since)
			since = ktime_get();
		emu_idle(since, deadline);
	}
	return 0;
}

static int __init emu_start(struct emu *emu)
{
	unsigned int port;
	int err;

	for (port = 0; port < emu->ports; port++) {
		struct emu_card *card = &emu->cards[port];
		size_t offset = (size_t)port * H64_BAR_SIZE;

		card->emu = emu;
		card->port = port;
		card->regs = emu->mem + offset;
		card->bar = emu->mem_start + offset;
		emu_pci_card_init(card);
		emu_card_init(card);
	}

	err = emu_irq_register(emu);
	if (err)
		return err;

	emu->thread = kthread_run(emu_thread, emu, "hippi6400_emu");
	if (IS_ERR(emu->thread)) {
		err = PTR_ERR(emu->thread);
		pr_err("cannot start the thread that runs the cards: %d\n", err);
		goto out_irq;
	}

	err = emu_pci_register(emu);
	if (err)
		goto out_thread;
	return 0;

out_thread:
	kthread_stop(emu->thread);
out_irq:
	emu_irq_unregister(emu);
	return err;
}

static int __init emu_init(void)
{
	struct emu *emu;
	int err;

	if (ports < EMU_PORTS_MIN || ports > EMU_PORTS_MAX) {
		pr_err("ports=%u: expected a number from %u to %u\n",
		       ports, EMU_PORTS_MIN, EMU_PORTS_MAX);
		return -EINVAL;
	}

	emu = kvzalloc(sizeof(*emu), GFP_KERNEL);
	if (!emu)
		return -ENOMEM;
	emu->ports = ports;
	emu_connect_init(emu);
	err = emu_connect_topology(emu, topology);
	if (err)
		goto out_free;

	err = emu_mem_claim(emu, mem_start, mem_size);
	if (err)
		goto out_free;

	emu_seed_set(&emu->seed, seed ? seed : get_random_u64());
	pr_info("%u cards at %pa, seed %llu\n", emu->ports, &emu->mem_start,
		emu->seed.value);

	err = emu_start(emu);
	if (err)
		goto out_mem;

	emu_debugfs_register(emu);
	the_emu = emu;
	return 0;

out_mem:
	emu_mem_release(emu);
out_free:
	emu_connect_release(emu);
	kvfree(emu);
	return err;
}
module_init(emu_init);

static void __exit emu_exit(void)
{
	struct emu *emu = the_emu;

	emu_debugfs_unregister(emu);
	/* The cards keep running until no driver is bound: drivers wait for resets */
	emu_pci_unregister(emu);
	kthread_stop(emu->thread);
	emu_irq_unregister(emu);
	emu_mem_release(emu);
	emu_connect_release(emu);
	kvfree(emu);
}
module_exit(emu_exit);

MODULE_DESCRIPTION("Emulated HIPPI-6400 cards");
MODULE_LICENSE("GPL");
