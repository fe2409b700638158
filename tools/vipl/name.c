// SPDX-License-Identifier: GPL-2.0
/*
 * Name service, VI-DG 3.9: /etc/hosts and DNS, or a file of the form of /etc/hosts.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib.h"

#define BLANK	" \t\r\n\v\f"

/* Writes the form that a Host Address has: IPv6, IPv4 as ::ffff:a.b.c.d */
static bool host_address(int family, const void *ip, uint8_t *host)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	switch (family) {
	case AF_INET:
		memcpy(host, mapped, sizeof(mapped));
		memcpy(host + sizeof(mapped), ip, sizeof(struct in_addr));
		return true;
	case AF_INET6:
		memcpy(host, ip, sizeof(struct in6_addr));
		return true;
	}
	return false;
}

static bool parse_address(const char *text, uint8_t *host)
{
	struct in6_addr ip6;
	struct in_addr ip;

	if (inet_pton(AF_INET, text, &ip) == 1)
		return host_address(AF_INET, &ip, host);
	if (inet_pton(AF_INET6, text, &ip6) == 1)
		return host_address(AF_INET6, &ip6, host);
	return false;
}

/* Splits a line into an address and its names, of which the first is the official one */
static char *parse_line(char *line, uint8_t *host, char **save)
{
	char *word;

	line[strcspn(line, "#")] = '\0';
	word = strtok_r(line, BLANK, save);
	if (!word || !parse_address(word, host))
		return NULL;
	return strtok_r(NULL, BLANK, save);
}

/**
 * struct question - what is looked for
 * @name: a name, or NULL to look for @host
 * @index: which of the addresses of @name
 * @host: the address, found or looked for
 * @answer: the official name of @host, to be freed
 */
struct question {
	const char	*name;
	unsigned long	index;
	uint8_t		host[HOST_LEN];
	char		*answer;
};

static bool line_has_name(char *word, char **save, const char *name)
{
	for (; word; word = strtok_r(NULL, BLANK, save))
		if (!strcasecmp(word, name))
			return true;
	return false;
}

static VIP_RETURN ask_file(const char *path, struct question *q)
{
	VIP_RETURN ret = VIP_ERROR_NAMESERVICE;
	char *line = NULL, *word, *save;
	uint8_t host[HOST_LEN];
	size_t size = 0;
	FILE *f;

	f = fopen(path, "re");
	if (!f)
		return VIP_ERROR_NAMESERVICE;
	while (ret == VIP_ERROR_NAMESERVICE && getline(&line, &size, f) > 0) {
		word = parse_line(line, host, &save);
		if (!word)
			continue;
		if (q->name) {
			if (line_has_name(word, &save, q->name) && !q->index--) {
				memcpy(q->host, host, HOST_LEN);
				ret = VIP_SUCCESS;
			}
		} else if (!memcmp(host, q->host, HOST_LEN)) {
			q->answer = strdup(word);
			ret = q->answer ? VIP_SUCCESS : VIP_ERROR_RESOURCE;
		}
	}
	free(line);
	fclose(f);
	return ret;
}

static VIP_RETURN from_resolver(int error)
{
	return error == EAI_MEMORY || error == EAI_SYSTEM ? VIP_ERROR_RESOURCE :
							    VIP_ERROR_NAMESERVICE;
}

static VIP_RETURN resolve_name(struct question *q)
{
	/* One entry for an address, not one for each type of socket */
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *list, *ai;
	VIP_RETURN ret = VIP_ERROR_NAMESERVICE;
	const void *ip;
	int error;

	error = getaddrinfo(q->name, NULL, &hints, &list);
	if (error)
		return from_resolver(error);
	for (ai = list; ai && ret; ai = ai->ai_next) {
		if (ai->ai_family == AF_INET)
			ip = &((struct sockaddr_in *)ai->ai_addr)->sin_addr;
		else
			ip = &((struct sockaddr_in6 *)ai->ai_addr)->sin6_addr;
		if (host_address(ai->ai_family, ip, q->host) && !q->index--)
			ret = VIP_SUCCESS;
	}
	freeaddrinfo(list);
	return ret;
}

static VIP_RETURN resolve_address(struct question *q)
{
	const struct in6_addr *ip6 = (const struct in6_addr *)q->host;
	struct sockaddr_in6 sin6 = { .sin6_family = AF_INET6, .sin6_addr = *ip6 };
	struct sockaddr_in sin = { .sin_family = AF_INET };
	char name[NI_MAXHOST];
	int error;

	if (IN6_IS_ADDR_V4MAPPED(ip6)) {
		memcpy(&sin.sin_addr, q->host + 12, sizeof(sin.sin_addr));
		error = getnameinfo((struct sockaddr *)&sin, sizeof(sin), name, sizeof(name),
				    NULL, 0, NI_NAMEREQD);
	} else {
		error = getnameinfo((struct sockaddr *)&sin6, sizeof(sin6), name, sizeof(name),
				    NULL, 0, NI_NAMEREQD);
	}
	if (error)
		return from_resolver(error);
	q->answer = strdup(name);
	return q->answer ? VIP_SUCCESS : VIP_ERROR_RESOURCE;
}

/* Asks the name service of a port, which another thread may end meanwhile */
static VIP_RETURN ask(struct nic *nic, struct question *q)
{
	char *path = NULL;
	VIP_RETURN ret;
	bool begun;

	pthread_mutex_lock(&nic->lock);
	begun = nic->names_begun;
	if (begun && nic->names)
		path = strdup(nic->names);
	ret = begun && nic->names && !path ? VIP_ERROR_RESOURCE : VIP_SUCCESS;
	pthread_mutex_unlock(&nic->lock);
	if (!begun)
		return VIP_ERROR_NAMESERVICE;
	if (ret)
		return ret;
	if (path)
		ret = ask_file(path, q);
	else
		ret = q->name ? resolve_name(q) : resolve_address(q);
	free(path);
	return ret;
}

VIP_RETURN VipNSInit(VIP_NIC_HANDLE NicHandle, VIP_PVOID NSInitInfo)
{
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret = VIP_SUCCESS;
	char *path = NULL;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	pthread_mutex_lock(&nic->lock);
	if (nic->names_begun) {
		ret = VIP_ERROR_NAMESERVICE;
	} else if (NSInitInfo) {
		if (access(NSInitInfo, R_OK)) {
			ret = VIP_INVALID_PARAMETER;
		} else {
			path = strdup(NSInitInfo);
			if (!path)
				ret = VIP_ERROR_RESOURCE;
		}
	}
	if (!ret) {
		nic->names_begun = true;
		nic->names = path;
	}
	pthread_mutex_unlock(&nic->lock);
	put_nic(nic);
	return ret;
}

VIP_RETURN VipNSGetHostByName(VIP_NIC_HANDLE NicHandle, VIP_CHAR *Name, VIP_NET_ADDRESS *Address,
			      VIP_ULONG NameIndex)
{
	struct question q = { .name = Name, .index = NameIndex };
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	/* Many programs leave HostAddressLen 0, and set DiscriminatorLen before this call */
	if (!Name || !Address || (Address->HostAddressLen && Address->HostAddressLen < HOST_LEN))
		ret = VIP_INVALID_PARAMETER;
	else
		ret = ask(nic, &q);
	if (!ret) {
		Address->HostAddressLen = HOST_LEN;
		memcpy(Address->HostAddress, q.host, HOST_LEN);
	}
	put_nic(nic);
	return ret;
}

VIP_RETURN VipNSGetHostByAddr(VIP_NIC_HANDLE NicHandle, VIP_NET_ADDRESS *Address, VIP_CHAR *Name,
			      VIP_ULONG *NameLen)
{
	struct nic *nic = get_nic(NicHandle);
	struct question q = { 0 };
	VIP_RETURN ret;
	size_t len;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	if (!Address || !NameLen || (!Name && *NameLen) || Address->HostAddressLen != HOST_LEN) {
		ret = VIP_INVALID_PARAMETER;
	} else {
		memcpy(q.host, Address->HostAddress, HOST_LEN);
		ret = ask(nic, &q);
	}
	if (!ret) {
		len = strlen(q.answer);
		if (*NameLen > len) {
			memcpy(Name, q.answer, len + 1);
			*NameLen = len;
		} else {
			*NameLen = len + 1;
			ret = VIP_INVALID_PARAMETER;
		}
		free(q.answer);
	}
	put_nic(nic);
	return ret;
}

VIP_RETURN VipNSShutdown(VIP_NIC_HANDLE NicHandle)
{
	struct nic *nic = get_nic(NicHandle);
	VIP_RETURN ret = VIP_ERROR_NAMESERVICE;

	if (!nic)
		return VIP_INVALID_PARAMETER;
	pthread_mutex_lock(&nic->lock);
	if (nic->names_begun) {
		nic->names_begun = false;
		free(nic->names);
		nic->names = NULL;
		ret = VIP_SUCCESS;
	}
	pthread_mutex_unlock(&nic->lock);
	put_nic(nic);
	return ret;
}
