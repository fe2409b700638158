# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
#
# The demonstration over Fibre Channel: ports on two veth devices find each other and log in; queues
# lose, duplicate and delay their frames.  /media/LLP.sh sources it, with the LLP in LLP.

# shellcheck source=fc.sh
. /fc.sh
# shellcheck source=st_fc.sh
. /st_fc.sh

KERNEL_MODULES="veth sch_netem"
DEV_A=veth0
DEV_B=veth1
CLEAN="clean Ethernet"
BAD="1% lost, 5% held back"
COLUMNS="FC frames|sent
FC frames|received
wrong|CRC
without|Exchange"

medium_up()
{
	say "a pair of veth devices, MTU 2500: $DEV_A in network namespace a, $DEV_B in b"
	ip netns add a && ip netns add b && fc_devices || return
	if [ "$LLP" = fcvi ]; then
		say "Host Addresses of FC-VI are the IP addresses of the devices"
		fc_addresses || return
	fi
	say "fcport create $DEV_A, fcport create $DEV_B: FIP VN2VN, FLOGI, PLOGI"
	fc_create a $DEV_A && fc_create b $DEV_B && fc_logged_in a $DEV_A && fc_logged_in b $DEV_B &&
		in_a fcport show && in_b fcport show | tail -n +2 && in_a fcport remote || return
	say "ststat link add $DEV_A $LLP, ststat link add $DEV_B $LLP"
	fc_linked && in_a ststat link && in_b ststat link | tail -n +2
}

medium_ping()
{
	say "fcport ping, by ECHO"
	in_a fcport -c 3 ping $DEV_A "$(fc_port b $DEV_B id)" || return
	say "stping, with operations of ST"
	round_trips 5 0.2
}

medium_address()
{
	link_address b $DEV_B
}

medium_counters()
{
	for _counter in tx_frames rx_frames rx_crc rx_xid; do
		echo $(($(fc_counter a $DEV_A $_counter) + $(fc_counter b $DEV_B $_counter)))
	done
}

medium_bad()
{
	say "now either end loses a frame in 100, doubles one and holds 5 back for 1 ms"
	for _end in "a $DEV_A" "b $DEV_B"; do
		# shellcheck disable=SC2086
		set -- $_end
		tc -n "$1" qdisc add dev "$2" root netem limit 10000 delay 1ms reorder 95% loss 1% \
			duplicate 1% || return
	done
}

medium_good()
{
	tc -n a qdisc del dev $DEV_A root && tc -n b qdisc del dev $DEV_B root
}
