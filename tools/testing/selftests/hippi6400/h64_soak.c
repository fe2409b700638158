// SPDX-License-Identifier: GPL-2.0
/*
 * Random traffic between all ports under faults: phases of bit error rates, of
 * all faults from which a link recovers, and of links that break.  No frame may
 * be lost, damaged, duplicated or reordered, except frames in flight when a
 * link breaks, which the ports have to count.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "fault.h"
#include "traffic.h"

#define CHANGE_MS	250	/* time between two changes of the faults */
#define PHASES		7
#define NAME_LEN	28

/**
 * struct phase - a part of the run
 * @name: name in the output
 * @percent: share of the time
 * @ber: bit error rate of all cables, or NULL to leave the faults alone
 * @faults: faults of all kinds from which a link recovers come and go
 * @breaks: links break
 */
struct phase {
	const char	*name;
	unsigned int	percent;
	const char	*ber;
	bool		faults;
	bool		breaks;
};

static const struct phase phases[PHASES] = {
	{ "clean", 10, "0", false, false },
	{ "bit error rate 1e-6", 10, "1e-6", false, false },
	{ "bit error rate 1e-5", 10, "1e-5", false, false },
	{ "bit error rate 1e-4", 15, "1e-4", false, false },
	{ "all kinds of faults", 30, "0", true, false },
	{ "links that break", 20, "0", true, true },
	{ "clean again", 5, "0", false, false },
};

/**
 * struct counts - sums of the counters of all ports
 * @upkts: micropackets sent
 * @rexmit: micropackets sent again
 * @inits: times a link came up
 * @lost: frames that a port took and certainly did not deliver
 * @maybe: frames that a port took and may not have delivered
 * @stalls: times the switch gave up a stalled port
 * @drops: Messages that it therefore did not send to the port
 * @starved: Messages that it gave up as they stopped arriving
 * @vc: frames sent on each VC
 */
struct counts {
	__u64	upkts;
	__u64	rexmit;
	__u64	inits;
	__u64	lost;
	__u64	maybe;
	__u64	stalls;
	__u64	drops;
	__u64	starved;
	__u64	vc[VCS];
};

/**
 * enum damage - ways in which a link is broken
 * @UNPLUG: the cable is pulled and put back
 * @DOWN: the port is set down and up
 * @STUCK: nothing passes in one direction, until the link gives up
 * @NOISE: only noise passes in one direction, until the link gives up
 * @DAMAGES: number of ways
 */
enum damage {
	UNPLUG,
	DOWN,
	STUCK,
	NOISE,
	DAMAGES,
};

/**
 * struct wreck - the link that is broken at present
 * @active: there is one
 * @damage: the way in which it is broken
 * @node: its port
 * @rx: the direction
 * @until: latest time of its repair, or time of the next break
 */
struct wreck {
	bool		active;
	enum damage	damage;
	unsigned int	node;
	bool		rx;
	long long	until;
};

/**
 * struct soak - the run
 * @t: traffic
 * @rnd: state of the choices of faults
 * @wreck: the link that is broken
 * @tests: results so far
 * @failed: number of failures
 */
struct soak {
	struct traffic	t;
	__u64		rnd;
	struct wreck	wreck;
	unsigned int	tests;
	unsigned int	failed;
};

static void say(const char *format, ...)
{
	va_list args;

	printf("# soak: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
}

static void result(struct soak *s, bool ok, const char *name)
{
	s->failed += !ok;
	printf("%sok %u - %s\n", ok ? "" : "not ", ++s->tests, name);
	fflush(stdout);
}

static void get_counts(struct traffic *t, struct counts *c)
{
	static const char * const lost[] = {
		"tx_lost", "tx_discarded", "tx_refused", "tx_no_memory", "rx_no_memory",
	};
	char name[32];
	unsigned int i, vc;

	memset(c, 0, sizeof(*c));
	c->maybe = fault_switch_losses();
	c->stalls = fault_switch_stat("tx_stalls");
	c->drops = fault_switch_stat("tx_stall_drops");
	c->starved = fault_switch_stat("rx_starved");
	for (i = 0; i < t->nodes; i++) {
		struct port *port = &t->node[i].port;
		unsigned int n;

		c->upkts += counter_of(port, "tx_upkts");
		c->rexmit += counter_of(port, "rexmit_upkts");
		c->inits += counter_of(port, "inits");
		c->maybe += counter_of(port, "tx_unacked");
		for (n = 0; n < ARRAY_SIZE(lost); n++)
			c->lost += counter_of(port, lost[n]);
		for (vc = 0; vc < VCS; vc++) {
			snprintf(name, sizeof(name), "vc%u_tx_messages", vc);
			c->vc[vc] += counter_of(port, name);
		}
	}
}

static void mend(struct soak *s)
{
	struct wreck *w = &s->wreck;

	switch (w->damage) {
	case UNPLUG:
		fault_set(w->node, false, "unplug", "0");
		break;
	case DOWN:
		port_set_up(&s->t.node[w->node].port, true);
		break;
	case STUCK:
		fault_set(w->node, w->rx, "stuck", "0");
		break;
	case NOISE:
		fault_set(w->node, w->rx, "ber", "0");
		break;
	default:
		break;
	}
	w->active = false;
	w->until = now_ms() + 100 + random_below(&s->rnd, 1500);
}

static void break_link(struct soak *s)
{
	struct wreck *w = &s->wreck;

	w->damage = random_below(&s->rnd, DAMAGES);
	w->node = random_below(&s->rnd, s->t.nodes);
	w->rx = random_below(&s->rnd, 2);
	w->until = now_ms() + 20 + random_below(&s->rnd, 800);
	w->active = true;
	switch (w->damage) {
	case UNPLUG:
		fault_set(w->node, false, "unplug", "1");
		break;
	case DOWN:
		port_set_up(&s->t.node[w->node].port, false);
		break;
	case STUCK:
		fault_set(w->node, w->rx, "stuck", "1");
		w->until = now_ms() + SOON_MS;
		break;
	case NOISE:
		fault_set(w->node, w->rx, "hit_bits", "all");
		fault_set(w->node, w->rx, "ber", "0.3");
		w->until = now_ms() + SOON_MS;
		break;
	default:
		break;
	}
}

/* Until the time has come, or the link has given up */
static void break_and_mend(struct soak *s)
{
	struct wreck *w = &s->wreck;
	bool waits = w->active && (w->damage == STUCK || w->damage == NOISE);

	if (waits && !port_has_carrier(&s->t.node[w->node].port))
		mend(s);
	else if (now_ms() < w->until)
		return;
	else if (w->active)
		mend(s);
	else
		break_link(s);
}

/* Each flow has had its turn. */
static bool all_sent(const struct traffic *t, const __u64 *before)
{
	unsigned int i;

	for (i = 0; i < t->flows; i++)
		if (t->flow[i].sent == before[i])
			return false;
	return true;
}

/* On a slow machine it takes longer until all flows have had their turn. */
static void run_phase(struct soak *s, const struct phase *phase, long long ms,
		      const __u64 *sent)
{
	long long end = now_ms() + ms, change = 0;

	s->wreck.active = false;
	s->wreck.until = 0;
	while (now_ms() < end || (!all_sent(&s->t, sent) && now_ms() < end + SOON_MS)) {
		traffic_run(&s->t);
		if (phase->breaks)
			break_and_mend(s);
		if (phase->faults && now_ms() >= change) {
			fault_change(s->t.nodes, &s->rnd);
			change = now_ms() + CHANGE_MS;
		}
	}
	if (s->wreck.active)
		mend(s);
}

/* Every flow has delivered frames. */
static bool all_flow(struct traffic *t, const __u64 *before)
{
	unsigned int i;
	bool ok = true;

	for (i = 0; i < t->flows; i++) {
		const struct flow *f = &t->flow[i];

		if (f->expect > before[i])
			continue;
		say("nothing came from %s to %s on VC%u", t->node[f->from].port.dev,
		    t->node[f->to].port.dev, f->vc);
		ok = false;
	}
	return ok;
}

/* Frames left on the VC that they requested. */
static bool on_their_vc(struct traffic *t, const __u64 *before, const struct counts *moved)
{
	__u64 sent[VCS] = {};
	unsigned int i, vc;
	bool ok = true;

	for (i = 0; i < t->flows; i++)
		sent[t->flow[i].vc] += t->flow[i].sent - before[i];
	for (vc = 0; vc < VCS; vc++) {
		if (sent[vc] == moved->vc[vc])
			continue;
		say("VC%u: %llu frames sent, the ports counted %llu", vc, sent[vc],
		    moved->vc[vc]);
		ok = false;
	}
	return ok;
}

static struct counts counts_since(struct traffic *t, const struct counts *before)
{
	struct counts now;
	unsigned int vc;

	get_counts(t, &now);
	now.upkts -= before->upkts;
	now.rexmit -= before->rexmit;
	now.inits -= before->inits;
	now.lost -= before->lost;
	now.maybe -= before->maybe;
	now.stalls -= before->stalls;
	now.drops -= before->drops;
	now.starved -= before->starved;
	for (vc = 0; vc < VCS; vc++)
		now.vc[vc] -= before->vc[vc];
	return now;
}

static bool judge(const struct phase *phase, const struct tally *y, const struct counts *c)
{
	bool ok = !y->damaged && !y->doubled && !y->reordered;

	/* The switch must not give up a port: the links have to give up first. */
	ok &= !c->stalls && !c->drops && !c->starved;
	if (!phase->breaks)
		return ok && !y->lost && !c->inits;
	if (y->lost < c->lost || y->lost > c->lost + c->maybe) {
		say("%llu frames lost, expected %llu to %llu", y->lost, c->lost,
		    c->lost + c->maybe);
		return false;
	}
	return ok;
}

static void print_row(const struct phase *phase, const struct tally *y, const struct counts *c,
		      long long ms)
{
	char sw[64];

	snprintf(sw, sizeof(sw), "%6llu %5llu %7llu", c->stalls, c->drops, c->starved);
	say("%-20s %5lld.%lld %8llu %8llu %6llu %8llu %5llu %5llu %5llu %5llu %4llu.%02llu%% %s",
	    phase->name, ms / 1000, ms / 100 % 10, y->sent, y->received, c->inits,
	    y->bytes / ms * 1000 / 1024, y->lost, y->damaged, y->doubled, y->reordered,
	    c->upkts ? c->rexmit * 100 / c->upkts : 0,
	    c->upkts ? c->rexmit * 10000 / c->upkts % 100 : 0, sw);
}

static bool all_carriers(struct traffic *t)
{
	unsigned int i;

	for (i = 0; i < t->nodes; i++)
		if (!port_wait_carrier(&t->node[i].port, true))
			return false;
	return true;
}

static void run_and_judge(struct soak *s, const struct phase *phase, long long ms)
{
	static __u64 sent[ARRAY_SIZE(s->t.flow)];
	struct traffic *t = &s->t;
	struct counts before, moved;
	long long start;
	unsigned int i;
	bool ok;

	memset(&t->tally, 0, sizeof(t->tally));
	for (i = 0; i < t->flows; i++)
		sent[i] = t->flow[i].sent;
	get_counts(t, &before);
	start = now_ms();
	ok = !phase->ber || (fault_clear(t->nodes) && fault_ber(t->nodes, phase->ber));
	if (ok)
		run_phase(s, phase, ms, sent);
	ms = now_ms() - start;
	if (phase->ber)
		ok &= fault_clear(t->nodes);
	ok &= all_carriers(t) && traffic_settle(t) && all_flow(t, sent);
	moved = counts_since(t, &before);
	print_row(phase, &t->tally, &moved, ms ?: 1);
	ok &= judge(phase, &t->tally, &moved) && (phase->breaks || on_their_vc(t, sent, &moved));
	result(s, ok, phase->name);
}

static void print_head(void)
{
	say("%-20s %7s %8s %8s %6s %8s %5s %5s %5s %5s %8s %20s", "", "", "frames", "frames",
	    "link", "", "", "da-", "dou-", "reor-", "sent", "---- the switch ----");
	say("%-20s %7s %8s %8s %6s %8s %5s %5s %5s %5s %8s %6s %5s %7s", "phase", "seconds",
	    "sent", "received", "resets", "KiB/s", "lost", "maged", "bled", "dered", "again",
	    "stalls", "drops", "starved");
}

static void print_totals(struct soak *s, const struct counts *before, const __u64 *faults)
{
	struct counts moved = counts_since(&s->t, before);
	__u64 now[FAULT_STATS];
	unsigned int i;

	say("%llu micropackets sent by the ports, %llu of them again", moved.upkts,
	    moved.rexmit);
	if (!fault_stats(s->t.nodes, now))
		return;
	for (i = 0; i < FAULT_STATS; i++)
		say("%12llu %s", now[i] - faults[i], fault_names[i]);
}

static bool soak(struct soak *s, long long ms, const char *alone)
{
	__u64 faults[FAULT_STATS], drops;
	struct counts before;
	unsigned int i;

	if (!all_carriers(&s->t) || !fault_stats(s->t.nodes, faults))
		return false;
	get_counts(&s->t, &before);
	print_head();
	if (alone) {
		struct phase only = { .name = alone };

		run_and_judge(s, &only, ms);
	} else {
		for (i = 0; i < PHASES; i++)
			run_and_judge(s, &phases[i], ms * phases[i].percent / 100);
	}
	print_totals(s, &before, faults);
	drops = traffic_drops(&s->t);
	if (drops)
		say("the packet sockets had no room for %llu frames", drops);
	result(s, !drops, "the packet sockets dropped nothing");
	printf("1..%u\n", s->tests);
	return !s->failed;
}

static void explain(void)
{
	fprintf(stderr,
		"usage: h64_soak [-d SECONDS] [-s SEED] [-t NAME] NETNS:DEVICE NETNS:DEVICE...\n"
		"-t: a test of that name, without faults of its own\n");
	exit(2);
}

int main(int argc, char **argv)
{
	static struct soak s;
	const char *alone = NULL;
	long seconds = 600;
	__u64 seed = 0;
	bool ok;
	int c;

	while ((c = getopt(argc, argv, "d:s:t:")) != -1) {
		switch (c) {
		case 'd':
			seconds = strtol(optarg, NULL, 10);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 10);
			break;
		case 't':
			alone = optarg;
			break;
		default:
			explain();
		}
	}
	if (argc - optind < 2 || argc - optind > PORTS_MAX || seconds < 1)
		explain();
	if (!seed && getrandom(&seed, sizeof(seed), 0) != sizeof(seed)) {
		perror("getrandom");
		return 1;
	}
	say("seed %llu", seed);
	s.rnd = seed;
	ok = traffic_open(&s.t, argv + optind, argc - optind, ~seed) &&
	     (alone || fault_seed(seed)) && soak(&s, seconds * 1000LL, alone);
	traffic_close(&s.t);
	return !ok;
}
