# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of tests with more than two ports: device hipN in a network namespace
# nN with the address 10.64.1.N+1.  Source it after lib.sh.

addr_of()
{
	echo 10.64.1.$(($1 + 1))
}

in_net()
{
	_net=n$1
	shift
	ip netns exec "$_net" "$@"
}

# one_net PORT - its device, up, and without IPv6, which sends packets of its own
one_net()
{
	ip netns add n"$1" &&
		echo 1 | in_net "$1" tee /proc/sys/net/ipv6/conf/all/disable_ipv6 &&
		ip link set hip"$1" netns n"$1" &&
		ip -n n"$1" addr add "$(addr_of "$1")"/24 dev hip"$1" &&
		ip -n n"$1" link set hip"$1" up
}

# up PORT..., down PORT... - carriers
up()
{
	for _port; do
		carrier n"$_port" hip"$_port" || return
	done
}

down()
{
	for _port; do
		no_carrier n"$_port" hip"$_port" || return
	done
}

# changes PORT - of its carrier
changes()
{
	in_net "$1" cat /sys/class/net/hip"$1"/carrier_changes
}

# pings PORT OTHER COUNT [OPTION...] - one at a time, because a host answers few large
# ones at once; all are answered
pings()
{
	_from=$1 _to=$2 _count=$3
	shift 3
	# shellcheck disable=SC2016
	in_net "$_from" sh -c 'n=$1; shift
		while [ $n -gt 0 ]; do
			/usr/sbin/ping -q -c 1 -W 30 "$@" >/tmp/ping.$$ && rm /tmp/ping.$$ || {
				cat /tmp/ping.$$
				exit 1
			}
			n=$((n - 1))
		done' sh "$_count" "$@" "$(addr_of "$_to")"
}

# reaches PORT OTHER [OPTION...]
reaches()
{
	_from=$1 _to=$2
	shift 2
	pings "$_from" "$_to" 1 "$@"
}

# fault_of FOLDER NAME - a counter of the stats of a direction
fault_of()
{
	awk -v name="$2" '$1 == name { print $2 }' "$EMU/$1/stats"
}

# switch_stat SWITCH WHO NAME - a counter of one port, such as port3, or all
switch_stat()
{
	awk -v who="$2" -v name="$3" '$1 == who && $2 == name { print $3 }' "$EMU/switch$1/stats"
}

# topology_is TEXT
topology_is()
{
	echo "topology: found $(cat "$EMU/topology"), expected $1"
	[ "$(cat "$EMU/topology")" = "$1" ]
}

set_topology()
{
	echo "$1" >"$EMU/topology" && topology_is "$1"
}

# links_of PORT... - which are up, for rewired
links_of()
{
	_were=
	for _p; do
		_were="$_were $_p:$(changes "$_p")"
	done
}

# rewire TEXT PORT... - sets another topology; the links of these ports go down and come
# up again
rewire()
{
	_topology=$1
	shift
	links_of "$@"
	set_topology "$_topology" && wait_for 30 rewired
}

# rewired - since links_of
rewired()
{
	for _was in $_were; do
		[ "$(changes "${_was%:*}")" -ge $((${_was#*:} + 2)) ] && up "${_was%:*}" || return
	done
}

tear_down_nets()
{
	ip -all netns del
	unload_all
}
