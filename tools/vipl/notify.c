// SPDX-License-Identifier: GPL-2.0
/*
 * Threads of the library, and those that call handlers: one for each queue, VI-DG 3.5.12.
 */
#include <signal.h>
#include <stdlib.h>

#include "lib.h"

/**
 * thread_start - starts a thread, which leaves all signals to those of the program
 * @thread: it
 * @run: what it does
 * @arg: for @run
 *
 * Return: 0, or an error number.
 */
int thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
	sigset_t all, old;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret;
}

/**
 * thread_end - waits for the end of a thread that is about to end
 * @thread: it; the caller itself, in a handler, is not waited for
 */
void thread_end(pthread_t thread)
{
	if (pthread_equal(thread, pthread_self()))
		pthread_detach(thread);
	else
		pthread_join(thread, NULL);
}

static void *call_handlers(void *arg)
{
	struct notifier *notifier = arg;
	struct object *obj = notifier->obj;
	struct notify *n;

	pthread_mutex_lock(&notifier->lock);
	while (!notifier->stop) {
		n = notifier->first;
		if (!n) {
			pthread_cond_wait(&notifier->cond, &notifier->lock);
			continue;
		}
		notifier->first = n->next;
		if (!n->next)
			notifier->last = &notifier->first;
		pthread_mutex_unlock(&notifier->lock);
		notifier->serve(notifier, n);
		free(n);
		pthread_mutex_lock(&notifier->lock);
	}
	pthread_mutex_unlock(&notifier->lock);
	handle_put(obj);
	return NULL;
}

/**
 * notifier_init - of a new queue
 * @notifier: it
 * @obj: endpoint or completion queue that has the queue
 * @serve: as in struct notifier
 */
void notifier_init(struct notifier *notifier, struct object *obj,
		   void (*serve)(struct notifier *notifier, struct notify *n))
{
	notifier->obj = obj;
	notifier->serve = serve;
	pthread_mutex_init(&notifier->lock, NULL);
	pthread_cond_init(&notifier->cond, NULL);
	notifier->last = &notifier->first;
}

/**
 * notifier_add - another handler
 * @notifier: calls it once
 * @n: the handler, which is copied
 */
VIP_RETURN notifier_add(struct notifier *notifier, const struct notify *n)
{
	struct notify *copy = malloc(sizeof(*copy));
	VIP_RETURN ret = VIP_SUCCESS;

	if (!copy)
		return VIP_ERROR_RESOURCE;
	*copy = *n;
	copy->next = NULL;
	pthread_mutex_lock(&notifier->lock);
	if (notifier->stop) {
		ret = VIP_INVALID_PARAMETER;
	} else if (!notifier->started) {
		handle_hold(notifier->obj);
		if (thread_start(&notifier->thread, call_handlers, notifier)) {
			handle_put(notifier->obj);
			ret = VIP_ERROR_RESOURCE;
		} else {
			notifier->started = true;
		}
	}
	if (!ret) {
		*notifier->last = copy;
		notifier->last = &copy->next;
		pthread_cond_signal(&notifier->cond);
	}
	pthread_mutex_unlock(&notifier->lock);
	if (ret)
		free(copy);
	return ret;
}

/**
 * notifier_stop - ends the thread; handlers that were not called never are
 * @notifier: of a queue that the kernel has no more
 */
void notifier_stop(struct notifier *notifier)
{
	struct notify *n;

	pthread_mutex_lock(&notifier->lock);
	notifier->stop = true;
	while (notifier->first) {
		n = notifier->first;
		notifier->first = n->next;
		free(n);
	}
	notifier->last = &notifier->first;
	pthread_cond_signal(&notifier->cond);
	pthread_mutex_unlock(&notifier->lock);
	if (notifier->started)
		thread_end(notifier->thread);
}
