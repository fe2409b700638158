/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One side of a test of /dev/fcvi: a file with the port of a network namespace, and memory.
 */
#ifndef FC_DEV_SIDE_H
#define FC_DEV_SIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>

#include <linux/fcvi.h>

#define SIDE_BYTES	(256 << 10)
/* Where Descriptors are, after the data */
#define SIDE_DESCS	(192 << 10)

/* fcvi_dev_vi.user of new_vi(), with the file */
#define SIDE_USER	0x1234567800000000ULL

/**
 * struct side - a side
 * @fd: /dev/fcvi
 * @tag: a protection tag
 * @mem: SIDE_BYTES of memory
 * @handle: its memory handle, for all uses
 */
struct side {
	int fd;
	uint32_t tag;
	uint8_t *mem;
	uint32_t handle;
};

/* Descriptors, VI-DG 4.3 */
struct segment {
	uint64_t addr;
	uint32_t handle;
	uint32_t len;
};

struct desc {
	uint64_t next;
	uint32_t next_handle;
	uint16_t count;
	uint16_t control;
	uint32_t reserved;
	uint32_t imm;
	uint32_t len;
	uint32_t status;
	struct segment seg[2];
};

#define OP_WRITE	1
#define OP_READ		2
#define IMMEDIATE	4

#define DONE		0x1
#define FORMAT_ERROR	0x2
#define PROT_ERROR	0x4
#define LENGTH_ERROR	0x8
#define FLUSHED		0x20
#define OP_RECEIVED	0x10000
#define HAS_IMM		0x80000

/* fcvi_dev_open.life of the last file */
extern uint64_t fcvi_life;

int call(int fd, unsigned long cmd, void *arg);
int fcvi_file(const char *netns, const char *dev);
bool side_open(struct side *s, const char *netns, const char *dev);
void side_close(struct side *s);
int pin(int fd, uint32_t tag, void *addr, uint64_t len, uint32_t flags, uint32_t *handle);
uint32_t make_tag(int fd);
int make_vi(struct side *s, struct fcvi_dev_vi *vi, uint8_t level);
uint32_t new_vi(struct side *s, uint8_t level);
struct fcvi_dev_addr make_addr(const char *host, const char *name);
int begin_connect(struct side *s, uint32_t vi, const char *from, const char *to, const char *name,
		  uint32_t flags, uint32_t ms);
int outcome(struct side *s, uint32_t vi);
int disconnect(struct side *s, uint32_t vi);
int wait_request(struct side *s, const char *host, const char *name, uint32_t ms,
		 uint32_t *request);
int answer(struct side *s, unsigned long cmd, uint32_t request, uint32_t vi);
bool join_vis(struct side *a, uint32_t vi_a, struct side *b, uint32_t vi_b, const char *name);
struct desc *post(struct side *s, uint32_t vi, uint32_t queue, unsigned int slot,
		  const struct desc *d, int *err);
int wait_done(struct side *s, uint32_t vi, uint32_t queue, uint32_t seen, uint32_t ms);
bool next_event(struct side *s, struct fcvi_dev_event *event, int ms);

#endif
