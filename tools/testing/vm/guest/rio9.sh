# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of tests of RapidIO: an emulated fabric whose devices rio0 and rio1 are in
# the network namespaces a and b.

EMU9=/sys/kernel/debug/rio9_emu
STREAM=0x1234
FROM=

# rio_up PARAMETER... - loads the fabric
rio_up()
{
	load rio9_emu "$@" && ip link set rio0 netns a && ip link set rio1 netns b &&
		ip -n a link set rio0 up && ip -n b link set rio1 up &&
		wait_for 10 carrier a rio0 && wait_for 10 carrier b rio1
}

# rio9_over NETNS DEVICE NAME ADDRESS - an endpoint of rio9_eth on a device
rio9_over()
{
	ip -n "$1" link add link "$2" name "$3" address "$4" type rio9_eth &&
		ip -n "$1" link set "$3" up
}

rio_down()
{
	unload rio9_emu rio9
}

# rio_receive NETNS DEVICE TIMES LENGTH... - the last line of its output is the result
rio_receive()
{
	_ns=$1 _dev=$2
	shift 2
	ip netns exec "$_ns" ./rio9_pdu receive "$_dev" $STREAM 3 "$@"
}

# transfer COS PAUSE TIMES LENGTH... - from a to b; /tmp/received has the result.  FROM=/1
# leaves out the PDUs of others than the endpoint 1.
transfer()
{
	_cos=$1 _pause=$2
	shift 2
	rm -f /tmp/received	# which says that another one listens
	/usr/sbin/ip netns exec b ./rio9_pdu receive rio1 "$STREAM$FROM" 3 "$@" >/tmp/received 2>&1 &
	_receiver=$!
	wait_for 20 listening /tmp/received || return
	in_a ./rio9_pdu send rio0 2 $STREAM "$_cos" "$_pause" "$@" || return
	wait $_receiver
	_status=$?
	cat /tmp/received
	return $_status
}

# received WORD - a figure of the last transfer
received()
{
	sed -n "s/.*$1 \([0-9]*\).*/\1/p" /tmp/received
}

# way_stat LINK WAY NAME - a counter of one direction of a link
way_stat()
{
	awk -v way="$2" -v name="$3" 'NR == 1 {
		for (i = 1; i <= NF; i++) column[$i] = i
	}
	$1 == way { print $column[name] }' "$EMU9/links/$1/stats"
}
