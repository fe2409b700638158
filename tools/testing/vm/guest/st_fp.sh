# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of ST over HIPPI-FP: the ports hfp0, on veth0 in a, and hfp1, on veth1 in b.
# DEV_A and DEV_B are those that carry a file.

PORT=6400
LIMIT=120	# seconds for one program
DEV_A=hfp0
DEV_B=hfp1

# fp_port NETNS PORT CARRIER - a port that is up
fp_port()
{
	ip -n "$1" link add "$2" link "$3" type hippi_fp && ip -n "$1" link set "$2" up
}

# fp_devices MTU - the carriers and ports
fp_devices()
{
	ip link add veth0 mtu "$1" netns a type veth peer name veth1 mtu "$1" netns b &&
		ip -n a link set veth0 up && ip -n b link set veth1 up &&
		fp_port a hfp0 veth0 && fp_port b hfp1 veth1
}

fp_linked()
{
	in_a ststat link add $DEV_A hippi_fp && in_b ststat link add $DEV_B hippi_fp
}

# link_column NETNS DEVICE NUMBER - a column of the link in ststat
link_column()
{
	ip netns exec "$1" ststat link |
		awk -v dev="$2" -v n="$3" '$1 == dev && $2 == "hippi_fp" { print $n }'
}

# max_stu NETNS DEVICE - with the Data Channels
max_stu()
{
	link_column "$1" "$2" 5
}

# link_address NETNS DEVICE - what peers use
link_address()
{
	link_column "$1" "$2" 4
}

# passes FILE [ADDRESS] - it is sent from a to b, completely
passes()
{
	rm -f /tmp/in /tmp/receiver
	/usr/sbin/ip netns exec b timeout $LIMIT stcat -l -v -i $DEV_B -p $PORT >/tmp/in \
		2>/tmp/receiver &
	_receiver=$!
	wait_for 20 listening /tmp/receiver || return
	in_a timeout $LIMIT stcat -i $DEV_A -f "$1" "${2:-$(link_address b $DEV_B)}" $PORT &&
		wait "$_receiver" && cmp "$1" /tmp/in
}

# fp_netem SETTING... - on the carriers of both
fp_netem()
{
	tc -n a qdisc add dev veth0 root netem limit 10000 "$@" &&
		tc -n b qdisc add dev veth1 root netem limit 10000 "$@"
}

fp_no_netem()
{
	tc -n a qdisc del dev veth0 root && tc -n b qdisc del dev veth1 root
}

# round_trips [COUNT [INTERVAL]] - with stping, from a to b
round_trips()
{
	/usr/sbin/ip netns exec b stping -l -p "$PORT" -I $DEV_B 2>/tmp/listener &
	_listener=$!
	wait_for 10 listening /tmp/listener &&
		in_a stping -q -c "${1:-20}" -i "${2:-0}" -W 5 -I $DEV_A \
			"$(link_address b $DEV_B)" "$PORT"
	_status=$?
	kill $_listener
	wait $_listener 2>/dev/null
	return $_status
}
