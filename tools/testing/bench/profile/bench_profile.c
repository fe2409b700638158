// SPDX-License-Identifier: GPL-2.0
/*
 * Sampling profiler: about a thousand samples per second on each CPU.
 *
 * Writing 1 to /proc/bench_profile discards the samples and starts, 0 stops.  Reading
 * shows a line for each sample: the function, and those of its callers that are at the top
 * of the stack; or "user".  Some words on the stack may only look like callers.
 *
 *   memcpy st_rx_copy[af_st] st_rx_data[af_st]
 *
 * A timer interrupt takes the samples, so code that runs with interrupts off is seen where
 * it switches them on again.
 *
 * A user-mode kernel runs programs as processes of the host, and sleeps, in functions of
 * the host's C library.  These have no name here, so the line begins with their caller,
 * such as userspace() and os_idle_sleep().
 */
#include <linux/hrtimer.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/st_compat.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <asm/irq_regs.h>

#define PROFILE_NS	997000	/* a prime number of microseconds, to sample all phases of a tick */
#define PROFILE_SAMPLES	16384	/* of one CPU: 16 seconds */
#define PROFILE_WORDS	48	/* of the stack */
#define PROFILE_CALLERS	6	/* that are shown */

/**
 * struct profile_sample - a sample of a CPU
 * @user: the CPU ran a program
 * @ip: instruction pointer in the kernel, 0 if a user-mode kernel had interrupts off
 * @stack: words on top of the stack, 0 after its end
 */
struct profile_sample {
	bool user;
	unsigned long ip;
	unsigned long stack[PROFILE_WORDS];
};

/**
 * struct profile_cpu - the samples of a CPU
 * @timer: takes them
 * @samples: room for PROFILE_SAMPLES of them
 * @nr: number of samples
 */
struct profile_cpu {
	struct hrtimer timer;
	struct profile_sample *samples;
	unsigned int nr;
};

static DEFINE_PER_CPU(struct profile_cpu, profile_cpus);
static DEFINE_MUTEX(profile_mutex);	/* serialises start, stop and read */
static bool profile_running;

#ifdef CONFIG_UML
/*
 * These are never the registers of a program, though they may look like it.  If interrupts
 * were off, they are zero, and are on the stack of the code that enabled interrupts.
 */
static bool profile_user(struct pt_regs *regs)
{
	return false;
}

static unsigned long *profile_stack(struct pt_regs *regs)
{
	if (!PT_REGS_IP(regs))
		return (unsigned long *)(regs + 1);
	return (unsigned long *)PT_REGS_SP(regs);
}
#else
static bool profile_user(struct pt_regs *regs)
{
	return user_mode(regs);
}

static unsigned long *profile_stack(struct pt_regs *regs)
{
	return (unsigned long *)kernel_stack_pointer(regs);
}
#endif

/* The end of a task's stack, or of the page: stacks of interrupts are of whole pages, too */
static unsigned long *profile_stack_end(const unsigned long *from)
{
	unsigned long first = (unsigned long)task_stack_page(current), at = (unsigned long)from;

	return (unsigned long *)(at - first < THREAD_SIZE ? first + THREAD_SIZE :
							    round_up(at, PAGE_SIZE));
}

static void profile_look(struct profile_sample *s, struct pt_regs *regs)
{
	unsigned long *from, *end;
	unsigned int i;

	memset(s, 0, sizeof(*s));
	s->user = profile_user(regs);
	if (s->user)
		return;
	s->ip = instruction_pointer(regs);
	from = profile_stack(regs);
	end = profile_stack_end(from);
	for (i = 0; i < PROFILE_WORDS && from + i < end; i++)
		s->stack[i] = from[i];
}

static enum hrtimer_restart profile_timer(struct hrtimer *timer)
{
	struct profile_cpu *cpu = container_of(timer, struct profile_cpu, timer);
	struct pt_regs *regs = get_irq_regs();

	if (regs && cpu->nr < PROFILE_SAMPLES) {
		profile_look(&cpu->samples[cpu->nr], regs);
		cpu->nr++;
	}
	hrtimer_forward_now(timer, ns_to_ktime(PROFILE_NS));
	return HRTIMER_RESTART;
}

static void profile_start_cpu(void *unused)
{
	struct profile_cpu *cpu = this_cpu_ptr(&profile_cpus);

	cpu->nr = 0;
	hrtimer_start(&cpu->timer, ns_to_ktime(PROFILE_NS), HRTIMER_MODE_REL_PINNED_HARD);
}

static void profile_stop(void)
{
	int i;

	for_each_possible_cpu(i)
		hrtimer_cancel(&per_cpu(profile_cpus, i).timer);
	profile_running = false;
}

static ssize_t profile_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	bool start;
	int err;

	err = kstrtobool_from_user(buf, len, &start);
	if (err)
		return err;
	mutex_lock(&profile_mutex);
	profile_stop();
	if (start) {
		profile_running = true;
		on_each_cpu(profile_start_cpu, NULL, 1);
	}
	mutex_unlock(&profile_mutex);
	return len;
}

static struct profile_sample *profile_nth(loff_t n)
{
	struct profile_cpu *cpu;
	int i;

	for_each_possible_cpu(i) {
		cpu = per_cpu_ptr(&profile_cpus, i);
		if (n < cpu->nr)
			return &cpu->samples[n];
		n -= cpu->nr;
	}
	return NULL;
}

static void *profile_seq_start(struct seq_file *seq, loff_t *pos)
{
	mutex_lock(&profile_mutex);
	return profile_running ? ERR_PTR(-EBUSY) : profile_nth(*pos);
}

static void *profile_seq_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return profile_nth(*pos);
}

static void profile_seq_stop(struct seq_file *seq, void *v)
{
	mutex_unlock(&profile_mutex);
}

/**
 * profile_name - the name of a function
 * @name: room of KSYM_SYMBOL_LEN for NAME or NAME[MODULE]
 * @addr: an address in it, or after its last call
 *
 * An address after the code of a module gets the name of the last function of the module.
 *
 * Return: true if there is a function.
 */
static bool profile_name(char *name, unsigned long addr)
{
	unsigned long offset, size;
	char *rest, *module;

	sprint_symbol(name, addr);
	rest = strchr(name, '+');
	if (!rest || sscanf(rest, "+%lx/%lx", &offset, &size) != 2 || offset > size)
		return false;
	module = strchr(rest, '[');
	*rest = 0;
	if (module)
		memmove(rest, module, strlen(module) + 1);
	return true;
}

static int profile_seq_show(struct seq_file *seq, void *v)
{
	static char names[2][KSYM_SYMBOL_LEN];	/* under profile_mutex; the last and this one */
	const struct profile_sample *s = v;
	unsigned int i, shown;

	if (s->user) {
		seq_puts(seq, "user\n");
		return 0;
	}
	*names[1] = 0;
	shown = profile_name(names[0], s->ip);
	seq_puts(seq, shown ? names[0] : "");
	for (i = 0; i < PROFILE_WORDS && shown <= PROFILE_CALLERS; i++) {
		char *name = names[shown % 2];

		/* A loop leaves the same return address many times */
		if (!profile_name(name, s->stack[i]) || !strcmp(names[0], names[1]))
			continue;
		seq_printf(seq, "%s%s", shown ? " " : "", name);
		shown++;
	}
	seq_putc(seq, '\n');
	return 0;
}

static const struct seq_operations profile_seq_ops = {
	.start	= profile_seq_start,
	.next	= profile_seq_next,
	.stop	= profile_seq_stop,
	.show	= profile_seq_show,
};

static int profile_open(struct inode *inode, struct file *file)
{
	return seq_open(file, &profile_seq_ops);
}

static const struct proc_ops profile_proc_ops = {
	.proc_open	= profile_open,
	.proc_read	= seq_read,
	.proc_write	= profile_write,
	.proc_lseek	= seq_lseek,
	.proc_release	= seq_release,
};

static void profile_free(void)
{
	int i;

	for_each_possible_cpu(i)
		vfree(per_cpu(profile_cpus, i).samples);
}

static int __init profile_init(void)
{
	struct profile_cpu *cpu;
	int i;

	for_each_possible_cpu(i) {
		cpu = per_cpu_ptr(&profile_cpus, i);
		hrtimer_setup(&cpu->timer, profile_timer, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
		cpu->samples = vcalloc(PROFILE_SAMPLES, sizeof(*cpu->samples));
		if (!cpu->samples)
			goto no_memory;
	}
	if (!proc_create("bench_profile", 0600, NULL, &profile_proc_ops))
		goto no_memory;
	return 0;

no_memory:
	profile_free();
	return -ENOMEM;
}
module_init(profile_init);

static void __exit profile_exit(void)
{
	remove_proc_entry("bench_profile", NULL);
	profile_stop();
	profile_free();
}
module_exit(profile_exit);

MODULE_DESCRIPTION("Sampling profiler of the kernel, for the benchmark");
MODULE_LICENSE("GPL");
