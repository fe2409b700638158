# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# A port of HIPPI-FP, hfp0, over veth1.  The peer in user space is on veth0, and has no address
# there that the kernel would use.  Their MTU is for Fill of 2047 bytes.

PEER_MAC=02:64:00:00:00:02

port_up()
{
	ip -o link show hfp0 | grep -q LOWER_UP
}

make_port()
{
	load veth && load hippi6400 && load hippi_fp &&
		ip link add veth0 mtu 4000 type veth peer name veth1 mtu 4000 &&
		ip link set veth0 up && ip link set veth1 up &&
		ip link add hfp0 link veth1 type hippi_fp &&
		ip addr add 10.80.0.1/24 dev hfp0 && ip link set hfp0 up &&
		ip addr add fd80::1/64 dev hfp0 nodad && wait_for 10 port_up
}

know_peer()
{
	ip neigh replace 10.80.0.2 lladdr $PEER_MAC dev hfp0 nud permanent &&
		ip neigh replace fd80::2 lladdr $PEER_MAC dev hfp0 nud permanent
}

remove_port()
{
	ip link del hfp0 && ip link del veth0 && unload hippi_fp hippi6400 hippi6400_link
}

silent_log()
{
	! dmesg | grep .
}
