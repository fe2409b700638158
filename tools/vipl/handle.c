// SPDX-License-Identifier: GPL-2.0
/*
 * Handles of VIPL.
 *
 * A handle has the number of a slot, and which use of the slot it is.  A slot has one word, which
 * threads change without a lock: this use of it, the number of those who use the object, and
 * whether the handle is still good.  Slots are never given back, so any number is looked at safely.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "handle.h"

#define KIND_BITS	3
#define INDEX_BITS	20
#define CHUNK		1024
#define CHUNKS		((1u << INDEX_BITS) / CHUNK)

/* The word: 32 bits of use, 31 of users, 1 good */
#define GOOD		UINT64_C(1)
#define USER		UINT64_C(2)
#define USERS		UINT64_C(0xfffffffe)
#define USE_SHIFT	32
#define KINDS		((1u << KIND_BITS) - 1)

struct slot {
	_Atomic uint64_t word;
	struct object	*obj;
	unsigned int	next;	/* free one, behind this one */
};

static struct slot *_Atomic chunks[CHUNKS];

/* Slots that were used and are free: numbers from 1 on */
static pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int free_first, used;

static struct slot *slot_at(unsigned int index)
{
	struct slot *chunk = atomic_load_explicit(&chunks[index / CHUNK], memory_order_acquire);

	return chunk ? &chunk[index % CHUNK] : NULL;
}

static unsigned int index_of(const void *handle)
{
	return (uintptr_t)handle >> KIND_BITS & ((1u << INDEX_BITS) - 1);
}

/* As much of the use as a handle has room for */
static uintptr_t handle_of(enum kind kind, unsigned int index, uint64_t word)
{
	return (uintptr_t)(word >> USE_SHIFT) << (KIND_BITS + INDEX_BITS) |
		(uintptr_t)index << KIND_BITS | kind;
}

/* Number of a free slot, or 0 */
static unsigned int slot_take(void)
{
	unsigned int index;
	struct slot *chunk;

	pthread_mutex_lock(&free_lock);
	index = free_first;
	if (index) {
		free_first = slot_at(index)->next;
	} else if (used < (1u << INDEX_BITS) - 1) {
		index = used + 1;
		if (!slot_at(index)) {
			chunk = calloc(CHUNK, sizeof(*chunk));
			atomic_store_explicit(&chunks[index / CHUNK], chunk, memory_order_release);
			if (!chunk)
				index = 0;
		}
		if (index)
			used = index;
	}
	pthread_mutex_unlock(&free_lock);
	return index;
}

static void slot_give(unsigned int index)
{
	pthread_mutex_lock(&free_lock);
	slot_at(index)->next = free_first;
	free_first = index;
	pthread_mutex_unlock(&free_lock);
}

/**
 * handle_new - gives an object its handle, and the caller a use of it
 * @obj: the object
 * @kind: what it is
 *
 * Return: 0, or -1 when there is no memory.
 */
int handle_new(struct object *obj, enum kind kind)
{
	unsigned int index = slot_take();
	struct slot *s;
	uint64_t word;

	if (!index)
		return -1;
	s = slot_at(index);
	s->obj = obj;
	word = ((atomic_load(&s->word) >> USE_SHIFT) + 1) << USE_SHIFT | USER | GOOD;
	obj->handle = (void *)handle_of(kind, index, word);
	atomic_store_explicit(&s->word, word, memory_order_release);
	return 0;
}

/**
 * handle_get - finds what a handle stands for; handle_put() later
 * @handle: what the program says is a handle
 * @kind: what it has to be
 *
 * Return: the object, NULL for a bad handle.
 */
struct object *handle_get(const void *handle, enum kind kind)
{
	unsigned int index = index_of(handle);
	struct slot *s = slot_at(index);
	uint64_t word;

	if (!s)
		return NULL;
	word = atomic_load_explicit(&s->word, memory_order_acquire);
	do {
		if (!(word & GOOD) || handle_of(kind, index, word) != (uintptr_t)handle)
			return NULL;
	} while (!atomic_compare_exchange_weak_explicit(&s->word, &word, word + USER,
							memory_order_acq_rel,
							memory_order_acquire));
	return s->obj;
}

/**
 * handle_is_good - whether a handle stands for something
 * @handle: a number that was a handle, or 0
 * @kind: what it has to be
 *
 * Return: the handle, NULL for a bad one.
 */
void *handle_is_good(void *handle, enum kind kind)
{
	struct object *obj = handle_get(handle, kind);

	if (!obj)
		return NULL;
	handle_put(obj);
	return handle;
}

/**
 * handle_hold - another use of an object that the caller uses
 * @obj: the object
 */
void handle_hold(struct object *obj)
{
	atomic_fetch_add_explicit(&slot_at(index_of(obj->handle))->word, USER,
				  memory_order_relaxed);
}

/**
 * handle_put - a use is over; the last one frees the object
 * @obj: the object
 */
void handle_put(struct object *obj)
{
	unsigned int index = index_of(obj->handle);
	struct slot *s = slot_at(index);
	uint64_t word;

	word = atomic_fetch_sub_explicit(&s->word, USER, memory_order_acq_rel) - USER;
	if (word & (USERS | GOOD))
		return;
	obj->free(obj);
	slot_give(index);
}

/**
 * handle_end - nobody finds the object by its handle any more
 * @obj: the object
 *
 * The use that handle_new() gave is the caller's now.
 *
 * Return: 0, or -1 when another thread was first.
 */
int handle_end(struct object *obj)
{
	struct slot *s = slot_at(index_of(obj->handle));

	return atomic_fetch_and_explicit(&s->word, ~GOOD, memory_order_acq_rel) & GOOD ? 0 : -1;
}

static void (*forget_object)(struct object *obj, enum kind kind);

static void before_fork(void)
{
	pthread_mutex_lock(&free_lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&free_lock);
}

/*
 * The threads that use the objects are not there in a child, nor is what the kernel has mapped.
 * The objects keep their memory, as any lock in them may be held for ever.
 */
static void forget_all(void)
{
	unsigned int index;
	uint64_t word;
	struct slot *s;

	for (index = 1; index <= used; index++) {
		s = slot_at(index);
		word = atomic_fetch_and(&s->word, ~GOOD);
		if (word & GOOD)
			forget_object(s->obj, (uintptr_t)s->obj->handle & KINDS);
	}
	after_fork();
}

/**
 * handles_at_fork - a child of fork() has none of the handles of its parent
 * @forget: called there for each object that had a good one
 *
 * Return: 0, or an error number.
 */
int handles_at_fork(void (*forget)(struct object *obj, enum kind kind))
{
	forget_object = forget;
	return pthread_atfork(before_fork, after_fork, forget_all);
}
