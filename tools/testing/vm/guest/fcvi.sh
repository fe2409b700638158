# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of tests of FC-VI, with those of fc.sh.

# fcvi_pair - ports in the network namespaces a and b with IP addresses, which have found each
# other
fcvi_pair()
{
	ip netns add a && ip netns add b && load fcvi && fc_devices &&
		ip -n a addr add 10.9.0.1/24 dev veth0 && ip -n b addr add 10.9.0.2/24 dev veth1 &&
		ip -n a addr add fd09::1/64 dev veth0 nodad &&
		ip -n b addr add fd09::2/64 dev veth1 nodad &&
		fc_create a veth0 && fc_create b veth1 && fc_logged_in a veth0 && fc_logged_in b veth1 &&
		ip netns exec a fcport resolve veth0 10.9.0.2 >/dev/null
}
