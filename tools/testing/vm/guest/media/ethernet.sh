# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
#
# The demonstration over Ethernet: two veth devices, and queues that lose, duplicate
# and delay their frames.

# shellcheck source=ethernet.sh
. /ethernet.sh

MEDIUM="ST over Ethernet, without cards"
KERNEL_MODULES="veth sch_netem"
MODULES="af_st st_ethernet"
DEV_A=e0
DEV_B=e1
CLEAN="clean Ethernet"
BAD="1% lost, 5% held back"
COLUMNS="frames|received
frames|lost
Blocks|asked again
operations|repeated"

# watch SIDE - records the ends of its connections in /tmp/events.SIDE; ip is no function
# here, so that ststat can be killed
watch()
{
	rm -f "/tmp/watch.$1"
	/usr/sbin/ip netns exec "$1" ststat -v -j monitor >"/tmp/events.$1" 2>"/tmp/watch.$1" &
	watchers="$watchers $!"
	wait_for 10 grep -q 'from now on' "/tmp/watch.$1"
}

medium_up()
{
	watchers=
	say "a pair of veth devices, $DEV_A in network namespace a, $DEV_B in b, both up"
	ip netns add a && ip netns add b && veth || return
	say "ststat link add $DEV_A ethernet, ststat link add $DEV_B ethernet"
	both_linked && in_a ststat link && in_b ststat link | tail -n +2 && watch a && watch b
}

medium_ping()
{
	say "stping, with operations of ST"
	/usr/sbin/ip netns exec b stping -l -p "$PORT" -I $DEV_B 2>/tmp/listener &
	_listener=$!
	wait_for 10 listening /tmp/listener &&
		in_a stping -q -c 5 -i 0.2 -W 5 -I $DEV_A "$MAC_B" "$PORT"
	_status=$?
	kill $_listener
	wait $_listener 2>/dev/null
	return $_status
}

medium_address()
{
	echo "$MAC_B"
}

# all_ended - of the connections of both sides, from the events
all_ended()
{
	for _side in a b; do
		[ "$(grep -c '"event":"vc-established"' /tmp/events.$_side)" = \
			"$(grep -c '"event":"vc-end"' /tmp/events.$_side)" ] || return
	done
}

# frames_of SIDE DEVICE - that it has received
frames_of()
{
	ip netns exec "$1" cat "/sys/class/net/$2/statistics/rx_packets"
}

# lost SIDE DEVICE - frames that its queue has lost
lost()
{
	ip netns exec "$1" tc -s qdisc show dev "$2" |
		sed -n 's/.*(dropped \([0-9]*\),.*/\1/p' | head -n 1
}

# of_connections NAME - a counter of all that have ended
of_connections()
{
	cat /tmp/events.a /tmp/events.b |
		sed -n "s/.*\"event\":\"vc-end\".*\"$1\":\([0-9]*\).*/\1/p" |
		awk '{ sum += $1 } END { print sum + 0 }'
}

medium_counters()
{
	wait_for 10 all_ended || return
	echo $(($(frames_of a $DEV_A) + $(frames_of b $DEV_B)))
	echo $(($(lost a $DEV_A) + $(lost b $DEV_B)))
	of_connections block_retries
	of_connections op_retries
}

medium_bad()
{
	say "now either end loses a frame in 100, doubles one and holds 5 back for 1 ms"
	netem "delay 1ms reorder 95% loss 1% duplicate 1%"
}

medium_good()
{
	# shellcheck disable=SC2086
	no_netem && kill $watchers
}
