/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The upper side of a port: its netdev, counters, and packet sockets on it.
 */
#ifndef SELFTESTS_HIPPI6400_PORT_H
#define SELFTESTS_HIPPI6400_PORT_H

#include <stdbool.h>
#include <sys/types.h>

#include <linux/types.h>

#define SOON_MS		20000	/* for expected events, with a margin for slow machines */
#define BRIEF_MS	300	/* for events that must not occur */
#define COUNTERS_MAX	256
#define SOCKET_MEMORY	(64 << 20)
#define TEST_ETHERTYPE	0x88b5	/* IEEE 802 local experimental 1 */

/* Sets a frame's priority like hippi6400_skb_set_vc() */
#define PRIO_OF_VC(vc)	(8 + (vc))

/**
 * struct counters - the counters of ethtool -S
 * @count: their number
 * @value: the values, in the order of the names
 */
struct counters {
	unsigned int	count;
	__u64		value[COUNTERS_MAX];
};

/**
 * struct port - the port under test
 * @dev: its netdev
 * @ifindex: of the netdev
 * @ula: its address
 * @pci: the card's name on its bus
 * @control: socket for ioctls
 * @names: names of the counters, 32 bytes each
 * @count: their number
 */
struct port {
	const char	*dev;
	int		ifindex;
	__u8		ula[6];
	char		pci[32];
	int		control;
	char		(*names)[32];
	unsigned int	count;
};

long long now_ms(void);

/* Prints the reason if it returns false. */
bool port_open(struct port *port, const char *dev);
void port_close(struct port *port);
bool port_set_up(struct port *port, bool up);
bool port_has_carrier(struct port *port);
bool port_wait_carrier(struct port *port, bool carrier);
/* A timer, in milliseconds, or a limit of the link, as devlink sets it */
bool param_set(struct port *port, const char *name, unsigned int value);

bool counters_get(struct port *port, struct counters *counters);
__u64 counter_of(struct port *port, const char *name);
/* A value from /sys/class/net/DEV/statistics */
__u64 statistic(struct port *port, const char *name);

/**
 * struct moved - a change of a counter
 * @name: its name
 * @by: its change
 */
struct moved {
	const char	*name;
	__u64		by;
};

/*
 * Checks that exactly these counters changed since @before, by these amounts.
 * Counters of normal traffic (micropackets, those of a VC, those of the card)
 * count only if they are in @list, which ends with a name of NULL.
 */
bool only_moved(struct port *port, const struct counters *before, const struct moved *list);

/*
 * A socket for received frames, or -1; frames sent on the socket leave on the
 * VC.  They bypass queueing disciplines, which might delay or drop them.
 */
int frames_open(struct port *port, unsigned int vc);
/* The EtherType of the tests, to exclude the kernel's own traffic */
bool frame_is_test(const void *frame, size_t len);
bool frame_send(int fd, const void *frame, size_t len);
/* Receives the next frame of the tests' EtherType; -1 if none arrives in time. */
ssize_t frame_recv(int fd, void *buf, size_t size, int ms);

#endif
