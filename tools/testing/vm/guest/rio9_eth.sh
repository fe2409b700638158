# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of tests of RapidIO over Ethernet: endpoints with the devices rio0 and rio1
# in the network namespaces a and b.  Source it after lib.sh and rio9.sh.

# count NETNS NAME - a counter of its endpoint
count()
{
	ip netns exec "$1" cat "/sys/class/net/$(port_of "$1")/rio9_eth/$2"
}

port_of()
{
	case $1 in
	a) echo rio0 ;;
	b) echo rio1 ;;
	esac
}

# at_least NETNS NAME FIGURE
at_least()
{
	[ "$(count "$1" "$2")" -ge "$3" ]
}

all_counts()
{
	ip netns exec "$1" sh -c "cd /sys/class/net/$(port_of "$1")/rio9_eth && grep . *"
}

# cable - veth0 in a, veth1 in b
cable()
{
	ip link add veth0 netns a type veth peer name veth1 netns b &&
		ip -n a link set veth0 up && ip -n b link set veth1 up
}

# endpoint NETNS DEVICE ADDRESS - on this device
endpoint()
{
	rio9_over "$1" "$2" "$(port_of "$1")" "$3"
}

# both_endpoints DEVICE DEVICE - with the IDs 1 and 2
both_endpoints()
{
	endpoint a "$1" 00:01 && endpoint b "$2" 00:02 &&
		wait_for 10 carrier a rio0 && wait_for 10 carrier b rio1
}

found()
{
	wait_for 10 at_least a peer_new 1 && wait_for 10 at_least b peer_new 1
}
