// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "../../st/args.h"
#include "memory.h"
#include "records.h"
#include "serve.h"

#define EVENTS	64
#define BACKLOG	16384	/* the kernel's somaxconn applies if it is less */

/* False if there is none */
static bool serve_wish(int fd)
{
	struct wish wish;

	if (!get(fd, (char *)&wish, sizeof(wish)) || !wish.size || wish.size > SIZE_MAX_BYTES ||
	    wish.count > COUNT_MAX)
		return false;
	if (wish.what == BULK || wish.what == TURN)
		records_serve(fd, &wish);
	else
		memory_serve(fd, &wish);
	return true;
}

/* One request after the other uses the only socket */
static void serve_datagrams(int fd)
{
	const struct sockaddr nobody = { .sa_family = AF_UNSPEC };
	union address from;
	socklen_t len;
	char byte;

	for (;;) {
		len = sizeof(from);
		if (recvfrom(fd, &byte, 1, MSG_PEEK, &from.any, &len) < 0 ||
		    connect(fd, &from.any, len))
			err(EXIT_BROKEN, "cannot receive from a client");
		serve_wish(fd);
		connect(fd, &nobody, sizeof(nobody));
	}
}

static void *serve_thread(void *arg)
{
	int fd = (intptr_t)arg;

	while (serve_wish(fd))
		;
	close(fd);
	return NULL;
}

static void attend(int poller, int fd)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP, .data.fd = fd };

	if (fd < 0 || epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event))
		err(EXIT_BROKEN, "cannot poll a connection");
}

/* A connection with a request, or with its end */
static void woken(int poller, const struct epoll_event *event)
{
	pthread_t thread;
	int fd = event->data.fd;

	if (event->events & (EPOLLHUP | EPOLLRDHUP)) {
		close(fd);
		return;
	}
	if (epoll_ctl(poller, EPOLL_CTL_DEL, fd, NULL) ||
	    pthread_create(&thread, NULL, serve_thread, (void *)(intptr_t)fd) ||
	    pthread_detach(thread))
		err(EXIT_BROKEN, "cannot serve a connection");
}

/* Idle connections are only polled; a thread serves each other one. */
static void serve_connections(int listener)
{
	struct epoll_event events[EVENTS];
	int poller = epoll_create1(0), n, i;

	attend(poller, listener);
	for (;;) {
		n = epoll_wait(poller, events, EVENTS, -1);
		for (i = 0; i < n; i++) {
			if (events[i].data.fd == listener)
				attend(poller, accept(listener, NULL, NULL));
			else
				woken(poller, &events[i]);
		}
	}
}

void serve(const struct protocol *p, const char *port, const char *host)
{
	bool needs_host = p->family == AF_RDS;
	int fd = new_socket(p);
	union address me;

	if (needs_host != !!host)
		misused("rds must be told its own address, and only rds");
	raise_files();
	address_of(p, host, port, NULL, &me);
	if (bind(fd, &me.any, p->len) || (!p->datagrams && listen(fd, BACKLOG)))
		err(EXIT_BROKEN, "cannot listen at port %s", port);
	printf("listening\n");
	fflush(stdout);
	if (p->datagrams)
		serve_datagrams(fd);
	serve_connections(fd);
}
