# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
#
# The demonstration over RapidIO Type 9: two emulated endpoints with a switch between them.

# shellcheck source=rio9.sh
. /rio9.sh
# shellcheck source=st_rio9.sh
. /st_rio9.sh

RATE=300	# packets of a million, on each link
# Three segments at most: Type 9 notices each swap in such a PDU
BAD_MTU=768

MEDIUM="ST over RapidIO Type 9, without cards"
KERNEL_MODULES=
MODULES="rio9 rio9_emu af_st st_rio9"
DEV_A=rio0
DEV_B=rio1
CLEAN="clean fabric"
BAD="faulty fabric"
COLUMNS="packets|sent
packets|lost
packets|doubled
packets|swapped
PDUs|sent
PDUs|good
without|end
wrong|length
timed|out
without|start
TM mes-|sages"

medium_up()
{
	say "rio0 into network namespace a, rio1 into b, with the switch s0 between them"
	ip netns add a && ip netns add b && rio_up && in_a ip -br link show rio0 || return
	say "ststat link add rio0 rio9, ststat link add rio1 rio9"
	rio9_linked && in_a ststat link && in_b ststat link | tail -n +2
}

medium_ping()
{
	say "stping, with operations of ST"
	/usr/sbin/ip netns exec b stping -l -p $PORT -I rio1 2>/tmp/listener &
	_listener=$!
	wait_for 10 listening /tmp/listener &&
		in_a stping -q -c 5 -i 0.2 -W 5 -I rio0 $ID_B $PORT
	_status=$?
	kill $_listener
	wait $_listener 2>/dev/null
	return $_status
}

medium_address()
{
	echo $ID_B
}

# pdus_of SIDE DEVICE tx|rx
pdus_of()
{
	ip netns exec "$1" cat "/sys/class/net/$2/statistics/$3_packets"
}

medium_counters()
{
	for _counter in packets lost duplicated swapped; do
		rio9_stat $_counter
	done
	for _way in tx rx; do
		echo $(($(pdus_of a rio0 $_way) + $(pdus_of b rio1 $_way)))
	done
	# PDUs that are defective, by cause; segments of PDUs whose start was lost; messages
	for _counter in no_end length timeout no_start tm; do
		echo $(($(stat_of a rio0 rx_$_counter) + $(stat_of b rio1 rx_$_counter)))
	done
}

medium_bad()
{
	say "now each link loses $RATE packets of a million, doubles $RATE and swaps $RATE;"
	say "PDUs have three segments at most, so that Type 9 notices what is swapped"
	rio9_mtu $BAD_MTU || return
	for _fault in lose duplicate swap; do
		rio9_fault $_fault $RATE || return
	done
	in_a ststat link
}

medium_good()
{
	for _fault in lose duplicate swap; do
		rio9_fault $_fault 0 || return
	done
}
