# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
#
# The demonstration over HIPPI-FP: two ports on veth devices, whose queues lose, duplicate and delay
# frames.

# shellcheck source=st_fp.sh
. /st_fp.sh

MEDIUM="ST over HIPPI-FP, on Ethernet devices"
KERNEL_MODULES="veth sch_netem"
MODULES="hippi_fp af_st st_fp"
CLEAN="clean Ethernet"
BAD="1% lost, 5% held back"
COLUMNS="packets|sent
packets|received
frames|lost"

medium_up()
{
	say "a pair of veth devices, MTU 9000: veth0 in network namespace a, veth1 in b"
	say "ip link add $DEV_A link veth0 type hippi_fp, ip link add $DEV_B link veth1 type hippi_fp"
	ip netns add a && ip netns add b && fp_devices 9000 &&
		ip -n a addr add 192.0.2.1/24 dev $DEV_A && ip -n b addr add 192.0.2.2/24 dev $DEV_B &&
		in_a ip -br link show $DEV_A && in_b ip -br link show $DEV_B || return
	say "ststat link add $DEV_A hippi_fp, ststat link add $DEV_B hippi_fp"
	fp_linked && in_a ststat link && in_b ststat link | tail -n +2
}

medium_ping()
{
	say "ping, with IP by HIPPI-LE"
	in_a ping -q -c 5 -i 0.2 -W 5 192.0.2.2 || return
	say "stping, with operations of ST"
	round_trips 5 0.2
}

medium_address()
{
	link_address b $DEV_B
}

# packets tx|rx - of both ports
packets()
{
	echo $(($(in_a cat "/sys/class/net/$DEV_A/statistics/$1_packets") +
		$(in_b cat "/sys/class/net/$DEV_B/statistics/$1_packets")))
}

# lost SIDE DEVICE - frames that its queue has lost
lost()
{
	_lost=$(tc -n "$1" -s qdisc show dev "$2" | sed -n 's/.*(dropped \([0-9]*\),.*/\1/p' |
		head -n 1)
	echo "${_lost:-0}"
}

medium_counters()
{
	packets tx
	packets rx
	echo $(($(lost a veth0) + $(lost b veth1)))
}

medium_bad()
{
	say "now either end loses a frame in 100, doubles one and holds 5 back for 1 ms"
	fp_netem delay 1ms reorder 95% loss 1% duplicate 1%
}

medium_good()
{
	fp_no_netem
}
