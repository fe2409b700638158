/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Handles of VIPL: numbers, not addresses, so that a bad or an old one is found out.
 */
#ifndef VIPL_HANDLE_H
#define VIPL_HANDLE_H

#include <stdint.h>

/* What a handle stands for, in its lowest bits */
enum kind {
	KIND_NIC = 1,
	KIND_VI,
	KIND_CQ,
	KIND_PTAG,
	KIND_CONN,
};

/**
 * struct object - what a handle stands for; the first member of other structures
 * @handle: it
 * @free: called when nobody uses the object any more
 */
struct object {
	void	*handle;
	void (*free)(struct object *obj);
};

int handle_new(struct object *obj, enum kind kind);
struct object *handle_get(const void *handle, enum kind kind);
void *handle_is_good(void *handle, enum kind kind);
void handle_hold(struct object *obj);
void handle_put(struct object *obj);
int handle_end(struct object *obj);
int handles_at_fork(void (*forget)(struct object *obj, enum kind kind));

#endif
