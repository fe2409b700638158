// SPDX-License-Identifier: GPL-2.0
/* Types of addresses of LLPs: MAC addresses, numbers, IP addresses. */
#include <linux/ctype.h>
#include <linux/etherdevice.h>
#include <linux/export.h>
#include <linux/hex.h>
#include <linux/inet.h>
#include <net/ipv6.h>
#include <net/st_llp.h>

#include "link/neigh.h"

#define ST_ADDR_ID_MAX	4	/* bytes of a number */

static bool st_addr_mac_valid(const u8 *addr, unsigned int len)
{
	return len == ETH_ALEN && is_valid_ether_addr(addr);
}

static int st_addr_mac_print(const u8 *addr, unsigned int len, char *text, size_t size)
{
	return scnprintf(text, size, "%*phC", (int)len, addr);
}

static int st_addr_mac_parse(const char *text, u8 *addr, unsigned int len)
{
	unsigned int i;
	int low;

	for (i = 0; i < len; i++) {
		if (i && *text != ':' && *text != '-')
			return -EINVAL;
		text += !!i;
		if (!isxdigit(*text))
			return -EINVAL;
		addr[i] = hex_to_bin(*text++);
		low = hex_to_bin(*text);
		if (low >= 0) {
			addr[i] = addr[i] << 4 | low;
			text++;
		}
	}
	return *text ? -EINVAL : 0;
}

/*
 * A MAC address or ULA, 6 bytes, as 02:64:00:00:00:01.  Hyphens, and bytes without a leading zero,
 * are accepted, too.  Invalid as a peer: group addresses (lowest bit of the first byte set) and all
 * zeros.  ARP and neighbour discovery resolve IP addresses to it.
 */
const struct st_addr_type st_addr_mac = {
	.name	= "mac",
	.valid	= st_addr_mac_valid,
	.print	= st_addr_mac_print,
	.parse	= st_addr_mac_parse,
	.resolve = st_neigh_resolve,
};
EXPORT_SYMBOL_GPL(st_addr_mac);

static u32 st_addr_number(const u8 *addr, unsigned int len)
{
	u32 n = 0;

	while (len--)
		n = n << 8 | *addr++;
	return n;
}

static u32 st_addr_ones(unsigned int len)
{
	return U32_MAX >> (32 - 8 * len);
}

static bool st_addr_id_valid(const u8 *addr, unsigned int len)
{
	return len && len <= ST_ADDR_ID_MAX && st_addr_number(addr, len) != st_addr_ones(len);
}

static int st_addr_id_print(const u8 *addr, unsigned int len, char *text, size_t size)
{
	return scnprintf(text, size, "%u", st_addr_number(addr, len));
}

static int st_addr_id_parse(const char *text, u8 *addr, unsigned int len)
{
	u32 n;

	if (!len || len > ST_ADDR_ID_MAX || kstrtou32(text, 0, &n) || n > st_addr_ones(len))
		return -EINVAL;
	for (; len--; n >>= 8)
		addr[len] = n;
	return 0;
}

/*
 * A number of 1 to 4 bytes, big-endian, as 258 or 0x102.  All ones is invalid as a peer: x'FF' and
 * x'FFFF' address all destinations of RapidIO.
 */
const struct st_addr_type st_addr_id = {
	.name	= "id",
	.valid	= st_addr_id_valid,
	.print	= st_addr_id_print,
	.parse	= st_addr_id_parse,
};
EXPORT_SYMBOL_GPL(st_addr_id);

static bool st_addr_ip_valid(const u8 *addr, unsigned int len)
{
	struct in6_addr ip;

	if (len != sizeof(ip))
		return false;
	memcpy(&ip, addr, sizeof(ip));
	if (ipv6_addr_v4mapped(&ip))
		return !ipv4_is_multicast(ip.s6_addr32[3]) && !ipv4_is_lbcast(ip.s6_addr32[3]) &&
		       !ipv4_is_zeronet(ip.s6_addr32[3]);
	return !ipv6_addr_is_multicast(&ip) && !ipv6_addr_any(&ip);
}

static int st_addr_ip_print(const u8 *addr, unsigned int len, char *text, size_t size)
{
	struct in6_addr ip;

	memcpy(&ip, addr, sizeof(ip));
	return ipv6_addr_v4mapped(&ip) ? scnprintf(text, size, "%pI4", &ip.s6_addr32[3]) :
					 scnprintf(text, size, "%pI6c", &ip);
}

/* The kernel reads 010 as ten; inet_aton() would read eight, and inet_pton() refuses it. */
static bool st_addr_ip_ambiguous(const char *text, const struct in6_addr *ip)
{
	const char *colon = strrchr(text, ':'), *dotted = colon ? colon + 1 : text;
	char plain[sizeof("255.255.255.255")];

	if (!strchr(dotted, '.'))
		return false;
	scnprintf(plain, sizeof(plain), "%pI4", &ip->s6_addr32[3]);
	return strcmp(plain, dotted);
}

static int st_addr_ip_parse(const char *text, u8 *addr, unsigned int len)
{
	struct in6_addr ip = {};
	const char *end;

	if (len != sizeof(ip))
		return -EINVAL;
	if (in4_pton(text, -1, (u8 *)&ip.s6_addr32[3], -1, &end) && !*end)
		ip.s6_addr32[2] = htonl(0xffff);
	else if (!in6_pton(text, -1, ip.s6_addr, -1, &end) || *end)
		return -EINVAL;
	if (st_addr_ip_ambiguous(text, &ip))
		return -EINVAL;
	memcpy(addr, &ip, sizeof(ip));
	return 0;
}

/*
 * An IP address, 16 bytes, IPv6 or IPv4-mapped.  Group, broadcast and unspecified addresses are
 * invalid as a peer.
 */
const struct st_addr_type st_addr_ip = {
	.name	= "ip",
	.valid	= st_addr_ip_valid,
	.print	= st_addr_ip_print,
	.parse	= st_addr_ip_parse,
};
EXPORT_SYMBOL_GPL(st_addr_ip);
