// SPDX-License-Identifier: GPL-2.0
/*
 * fcport: questions to remote ports.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "args.h"
#include "fcport.h"

#define INTERVAL	1000		/* milliseconds between two of ping */
#define RESOLVE_MS	7000		/* longer than the Name Server and FARP take */
#define RESOLVE_STEP	50

static int stopped;	/* set in a signal handler */

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* What was measured; times in microseconds */
static struct {
	unsigned long sent, received;
	unsigned long long sum, min, max;
} total;

static __u32 wait_ms = INTERVAL;

static void put_size(struct nlmsghdr *nlh, const char *value)
{
	mnl_attr_put_u32(nlh, FC2_A_ASK_SIZE, number_from("size", value));
}

static void put_timeout(struct nlmsghdr *nlh, const char *value)
{
	mnl_attr_put_u32(nlh, FC2_A_ASK_TIMEOUT, number_from("timeout", value));
}

static void take_interval(struct nlmsghdr *nlh, const char *value)
{
	(void)nlh;
	wait_ms = number_from("interval", value);
}

static const struct setting ping_settings[] = {
	{ "size", put_size, false },
	{ "interval", take_interval, false },
	{ "timeout", put_timeout, false },
	{ 0 }
};

static void sleep_ms(__u32 ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	nanosleep(&time, NULL);
}

static void count_answer(unsigned long long usec)
{
	total.min = total.received && total.min < usec ? total.min : usec;
	total.max = total.max > usec ? total.max : usec;
	total.sum += usec;
	total.received++;
}

static void show_answer(const struct nlmsghdr *nlh, bool json)
{
	unsigned long long usec;
	struct attrs a;
	char id[16];

	parse(&a, nlh);
	usec = number_of(a.tb[FC2_A_ASK_TIME]);
	port_id_of(a.tb[FC2_A_ASK_ID], id, sizeof(id));
	count_answer(usec);
	if (json)
		printf("{\"seq\":%lu,\"id\":\"%s\",\"size\":%llu,\"time\":%llu}\n", total.sent, id,
		       number_of(a.tb[FC2_A_ASK_SIZE]), usec);
	else
		printf("%llu bytes from %s: seq=%lu time=%llu.%03llu ms\n",
		       number_of(a.tb[FC2_A_ASK_SIZE]), id, total.sent, usec / 1000, usec % 1000);
}

static void show_total(bool json)
{
	unsigned long long average = total.received ? total.sum / total.received : 0;

	if (json) {
		printf("{\"transmitted\":%lu,\"received\":%lu", total.sent, total.received);
		if (total.received)
			printf(",\"min\":%llu,\"avg\":%llu,\"max\":%llu", total.min, average,
			       total.max);
		puts("}");
		return;
	}
	printf("%lu transmitted, %lu received, %lu%% lost\n", total.sent, total.received,
	       total.sent ? 100 * (total.sent - total.received) / total.sent : 0);
	if (total.received)
		printf("min/avg/max = %llu.%03llu/%llu.%03llu/%llu.%03llu ms\n", total.min / 1000,
		       total.min % 1000, average / 1000, average % 1000, total.max / 1000,
		       total.max % 1000);
}

/* One ECHO.  What is not a matter of its answer ends the program. */
static void echo(const struct request *req, bool json)
{
	struct request again = *req;
	struct msgs msgs;

	again.nlh = (struct nlmsghdr *)again.room;
	total.sent++;
	if (nl_try(&again, &msgs) && msgs.n)
		show_answer(msgs.msg[0], json);
	else if (msgs.error != ETIMEDOUT && msgs.error != EBADMSG && msgs.error != EINTR)
		errx(EXIT_KERNEL, "%s", msgs.why);
	else if (json)
		printf("{\"seq\":%lu,\"error\":\"%s\"}\n", total.sent, msgs.why);
	else
		printf("seq=%lu %s\n", total.sent, msgs.why);
	nl_free(&msgs);
	flush_output();
}

/* Sends ECHO: PORT REMOTE [SETTING VALUE]...  Returns the exit status. */
int send_echo(char **args, unsigned long count, bool json)
{
	const struct sigaction action = { .sa_handler = stop };
	struct request req;

	if (!args[0] || !args[1])
		misused("ping takes a port, and the N_Port ID or Port_Name of a remote port");
	sigaction(SIGINT, &action, NULL);
	ask_remote(&req, FC2_CMD_ECHO, args);
	put_settings(req.nlh, args + 2, ping_settings, false);
	while (!stopped) {
		echo(&req, json);
		if (count && total.sent >= count)
			break;
		sleep_ms(wait_ms);
	}
	show_total(json);
	return total.received ? 0 : EXIT_KERNEL;
}

/* Parses an IP address; behind that of IPv6 may be % and the device of the port. */
static void put_ip(struct nlmsghdr *nlh, const char *port, const char *text)
{
	struct in6_addr ip = { .s6_addr = { [10] = 0xff, [11] = 0xff } };
	size_t len = strcspn(text, "%"), dev = strcspn(port, "/");
	char addr[INET6_ADDRSTRLEN];

	snprintf(addr, sizeof(addr), "%.*s", (int)len, text);
	if (len >= sizeof(addr) || (inet_pton(AF_INET6, addr, &ip) != 1 &&
				    (text[len] || inet_pton(AF_INET, addr, &ip.s6_addr[12]) != 1)))
		misused("'%s' is no IP address", text);
	if (text[len] && (strlen(text + len + 1) != dev || strncmp(text + len + 1, port, dev)))
		misused("'%s': its device is not that of the port", text);
	mnl_attr_put(nlh, FC2_A_FARP_IP, sizeof(ip), &ip);
}

/* Finds the port that has an IP address: PORT IP.  Ends the program if there is none. */
void find_ip(char **args, struct msgs *msgs)
{
	struct request req;
	unsigned int ms;

	if (!args[0] || !args[1] || args[2])
		misused("resolve takes a port and an IP address");
	open_fc2();
	nl_request(&req, FC2_CMD_RESOLVE, false);
	put_port(req.nlh, args[0]);
	put_ip(req.nlh, args[0], args[1]);
	for (ms = 0; !nl_try(&req, msgs); ms += RESOLVE_STEP) {
		if (msgs->error == EHOSTUNREACH || ms >= RESOLVE_MS)
			errx(EXIT_KERNEL, "nobody answers for %s", args[1]);
		if (msgs->error != EAGAIN)
			errx(EXIT_KERNEL, "%s", msgs->why);
		nl_free(msgs);
		sleep_ms(RESOLVE_STEP);
	}
}
