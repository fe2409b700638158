# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of ST over the emulated RapidIO fabric of rio9.sh.  Source it after that.

PORT=6400
LIMIT=120	# seconds for one program
ID_B=2

rio9_linked()
{
	in_a ststat link add rio0 rio9 && in_b ststat link add rio1 rio9
}

# rio9_mtu BYTES - of both ends
rio9_mtu()
{
	ip -n a link set rio0 mtu "$1" && ip -n b link set rio1 mtu "$1"
}

# rio9_fault FAULT RATE - on both links, in packets of a million
rio9_fault()
{
	echo "$2" >"$EMU9/links/e1-s0/$1" && echo "$2" >"$EMU9/links/e2-s0/$1"
}

# rio9_stat NAME - a counter of both links
rio9_stat()
{
	echo $(($(way_stat e1-s0 'e1>s0' "$1") + $(way_stat e1-s0 's0>e1' "$1") +
		$(way_stat e2-s0 'e2>s0' "$1") + $(way_stat e2-s0 's0>e2' "$1")))
}

# passes FILE [OPTION...] - a file is sent from a to b, completely
passes()
{
	_file=$1
	shift
	rm -f /tmp/in /tmp/receiver
	ip netns exec b timeout $LIMIT stcat -l -v -i rio1 -p $PORT >/tmp/in 2>/tmp/receiver &
	_receiver=$!
	wait_for 20 listening /tmp/receiver || return
	in_a timeout $LIMIT stcat -i rio0 -f "$_file" "$@" "$ID_B" $PORT && wait "$_receiver" &&
		cmp "$_file" /tmp/in
}
