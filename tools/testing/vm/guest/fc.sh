# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of tests of Fibre Channel: veth0 and veth1 in the network namespaces a and b.

# fc_devices [MTU] - the module, and the devices, up
fc_devices()
{
	load_those veth && load fc2 &&
		ip link add veth0 mtu "${1:-2500}" netns a type veth peer name veth1 \
			mtu "${1:-2500}" netns b &&
		ip -n a link set veth0 up && ip -n b link set veth1 up &&
		wait_for 10 carrier a veth0 && wait_for 10 carrier b veth1
}

# fc_create NETNS DEVICE [SETTING]... - a port
fc_create()
{
	_ns=$1
	shift
	ip netns exec "$_ns" fcport create "$@"
}

# fc_port NETNS PORT NAME - a member of what fcport shows of a port as JSON, nothing when absent
fc_port()
{
	ip netns exec "$1" fcport -j show "$2" | sed -n "s/.*\"$3\":\"\{0,1\}\([^\",}]*\).*/\1/p"
}

# fc_counter NETNS PORT NAME - a counter of a port
fc_counter()
{
	ip netns exec "$1" fcport counters "$2" |
		awk -v name="$3" '$3 == name { print $4; n++ } END { exit !n }'
}

# fc_is_up NETNS PORT - it has its N_Port ID; fc_up waits for that
fc_is_up()
{
	[ "$(fc_port "$1" "$2" state)" = up ]
}

fc_up()
{
	wait_for 20 fc_is_up "$1" "$2"
}

# fc_has_logged_in NETNS PORT COUNT - so many remote ports, or more; fc_logged_in waits for that
fc_has_logged_in()
{
	[ "$(fc_port "$1" "$2" remote_ports)" -ge "$3" ]
}

fc_logged_in()
{
	wait_for 20 fc_has_logged_in "$1" "$2" "${3:-1}"
}

# fc_pair [MTU] - the devices, each with a port, logged in at each other
fc_pair()
{
	fc_devices "$@" && fc_create a veth0 && fc_create b veth1 &&
		fc_logged_in a veth0 && fc_logged_in b veth1
}

# fc_mtu MTU - of both devices; the ports log in again, with another receive size
fc_mtu()
{
	ip -n a link set veth0 mtu "$1" && ip -n b link set veth1 mtu "$1" &&
		fc_logged_in a veth0 && fc_logged_in b veth1
}
