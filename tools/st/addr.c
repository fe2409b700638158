// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <errno.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <linux/if.h>
#include <linux/st_netlink.h>

#include "addr.h"
#include "args.h"
#include "device.h"
#include "nl.h"

#define TEXT_MAX	47	/* limit of the kernel */
#define RESOLVE_MAX	30	/* seconds, limit of the kernel for a request */

void open_st(void)
{
	nl_open(ST_FAMILY_NAME, "af_st");
}

static int take_attr(const struct nlattr *attr, void *to)
{
	struct sockaddr_st *a = to;
	size_t len = mnl_attr_get_payload_len(attr);

	switch (mnl_attr_get_type(attr)) {
	case ST_A_ADDRESS_IFINDEX:
		a->sst_ifindex = mnl_attr_get_u32(attr);
		break;
	case ST_A_ADDRESS_LLP_TYPE:
		a->sst_llp = mnl_attr_get_u32(attr);
		break;
	case ST_A_ADDRESS_ADDRESS:
		if (len > sizeof(a->sst_addr))
			return MNL_CB_ERROR;
		a->sst_alen = len;
		memcpy(a->sst_addr, mnl_attr_get_payload(attr), len);
		break;
	}
	return MNL_CB_OK;
}

/* Lets the kernel parse a text.  Returns 0 or an errno, with the reason in @answer. */
static int kernel_reads(const char *text, const struct search *where, struct sockaddr_st *to,
			struct msgs *answer)
{
	unsigned int seconds = where->timeout < RESOLVE_MAX ? where->timeout : RESOLVE_MAX;
	struct request req;

	open_st();
	nl_request(&req, ST_CMD_ADDRESS_GET, false);
	mnl_attr_put_strz(req.nlh, ST_A_ADDRESS_TEXT, text);
	if (where->ifindex)
		mnl_attr_put_u32(req.nlh, ST_A_ADDRESS_IFINDEX, where->ifindex);
	if (where->llp)
		mnl_attr_put_strz_check(req.nlh, sizeof(req.room), ST_A_ADDRESS_LLP, where->llp);
	if (seconds)
		mnl_attr_put_u32(req.nlh, ST_A_ADDRESS_TIMEOUT, seconds * 1000);
	if (!nl_try(&req, answer))
		return answer->error;
	*to = (struct sockaddr_st) { .sst_family = AF_ST };
	if (answer->n != 1 || mnl_attr_parse(answer->msg[0], sizeof(struct genlmsghdr), take_attr,
					     to) < 0 || !to->sst_alen)
		errx(EXIT_NETWORK, "the kernel's answer has no address");
	nl_free(answer);
	return 0;
}

/* Lets the kernel resolve one of the IP addresses of a name.  Returns as kernel_reads(). */
static int kernel_finds(const struct addrinfo *ai, struct search where, struct sockaddr_st *to,
			struct msgs *answer)
{
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)ai->ai_addr;
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)ai->ai_addr;
	bool is_v6 = ai->ai_family == AF_INET6;
	char text[INET6_ADDRSTRLEN];

	inet_ntop(ai->ai_family, is_v6 ? (const void *)&v6->sin6_addr : &v4->sin_addr, text,
		  sizeof(text));
	if (is_v6 && v6->sin6_scope_id) {
		if (where.ifindex && where.ifindex != v6->sin6_scope_id)
			errx(EXIT_USAGE, "%s: its device is not the one that is to be used", text);
		where.ifindex = v6->sin6_scope_id;
	}
	return kernel_reads(text, &where, to, answer);
}

/* Tries all IP addresses of a name; @answer: why the name itself is not an address. */
static void find_name(const char *name, const struct search *where, struct sockaddr_st *to,
		      struct msgs *answer)
{
	/* A host name has no colon: no DNS query for a misspelt address */
	const struct addrinfo hints = {
		.ai_socktype	= SOCK_STREAM,
		.ai_flags	= strchr(name, ':') ? AI_NUMERICHOST : 0,
	};
	struct addrinfo *all, *ai;
	struct in_addr number;
	int error;

	/* getaddrinfo() would take 300 for 0.0.1.44 */
	if (inet_aton(name, &number))
		errx(EXIT_USAGE, "%s", answer->why);
	error = getaddrinfo(name, NULL, &hints, &all);
	if (error)
		errx(error == EAI_AGAIN || error == EAI_SYSTEM ? EXIT_NETWORK : EXIT_USAGE,
		     "%s; as the name of a host: %s", answer->why, gai_strerror(error));
	for (ai = all; ai; ai = ai->ai_next) {
		error = kernel_finds(ai, *where, to, answer);
		if (!error)
			break;
	}
	freeaddrinfo(all);
	if (error)
		errx(EXIT_NETWORK, "%s: %s", name, answer->why);
}

void find_address(const char *text, const struct search *where, struct sockaddr_st *to)
{
	struct msgs answer = { .error = EINVAL };

	if (!*text)
		misused("an address is empty");
	if (strlen(text) <= TEXT_MAX)
		answer.error = kernel_reads(text, where, to, &answer);
	else
		snprintf(answer.why, sizeof(answer.why), "'%.24s...' is too long for an address",
			 text);
	if (answer.error == EINVAL)
		find_name(text, where, to, &answer);
	else if (answer.error)
		errx(EXIT_NETWORK, "%s", answer.why);
}

void find_path(const char *text, unsigned int timeout, struct sockaddr_st *to)
{
	/* An address has no comma; the name of a device may have commas */
	const char *comma = strrchr(text, ',');
	struct search where = { .timeout = timeout };
	char dev[ALTIFNAMSIZ];

	if (!comma || comma - text >= ALTIFNAMSIZ)
		errx(EXIT_USAGE, "'%s' must look like eth1,02:00:5e:00:00:01", text);
	snprintf(dev, sizeof(dev), "%.*s", (int)(comma - text), text);
	where.ifindex = device_index(dev);
	if (!where.ifindex)
		errx(EXIT_USAGE, "%s: %s", dev, strerror(errno));
	find_address(comma + 1, &where, to);
}

/* Used when the kernel cannot format it, as the link may be gone. */
static void print_bytes(const struct sockaddr_st *a, char text[ADDRESS_TEXT])
{
	struct in6_addr ip;
	size_t at = 0;
	int i;

	/* No other kind is as long */
	if (a->sst_alen == sizeof(ip)) {
		memcpy(&ip, a->sst_addr, sizeof(ip));
		if (IN6_IS_ADDR_V4MAPPED(&ip))
			inet_ntop(AF_INET, ip.s6_addr + 12, text, ADDRESS_TEXT);
		else
			inet_ntop(AF_INET6, &ip, text, ADDRESS_TEXT);
		return;
	}
	for (i = 0; i < a->sst_alen && i < ST_ADDR_MAX; i++)
		at += snprintf(text + at, ADDRESS_TEXT - at, "%s%02x", i ? ":" : "",
			       a->sst_addr[i]);
}

static int take_text(const struct nlattr *attr, void *text)
{
	if (mnl_attr_get_type(attr) == ST_A_ADDRESS_TEXT)
		snprintf(text, ADDRESS_TEXT, "%s", mnl_attr_get_str(attr));
	return MNL_CB_OK;
}

const char *address_text(const struct sockaddr_st *a, char text[ADDRESS_TEXT])
{
	struct request req;
	struct msgs answer;

	*text = '\0';
	open_st();
	nl_request(&req, ST_CMD_ADDRESS_GET, false);
	mnl_attr_put(req.nlh, ST_A_ADDRESS_ADDRESS, a->sst_alen, a->sst_addr);
	if (a->sst_ifindex)
		mnl_attr_put_u32(req.nlh, ST_A_ADDRESS_IFINDEX, a->sst_ifindex);
	if (a->sst_llp)
		mnl_attr_put_u32(req.nlh, ST_A_ADDRESS_LLP_TYPE, a->sst_llp);
	if (nl_try(&req, &answer) && answer.n == 1)
		mnl_attr_parse(answer.msg[0], sizeof(struct genlmsghdr), take_text, text);
	if (!*text)
		print_bytes(a, text);
	nl_free(&answer);
	return text;
}
