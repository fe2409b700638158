# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
#
# The demonstration over HIPPI-6400: two emulated cards with a cable between them.

BAD_BER=1e-6

MEDIUM="memory of the cards: $(tr ' ' '\n' </proc/cmdline | grep memmap)"
KERNEL_MODULES=
MODULES="hippi6400_link hippi6400_emu hippi6400 af_st st_hippi6400"
DEV_A=hip0
DEV_B=hip1
CLEAN="clean cable"
BAD="bit error rate $BAD_BER"
COLUMNS="micro-|packets
credits|granted
discarded|bad LCRC
re-|sent"

medium_up()
{
	wait_for 10 has_devices || fail "no hip0 and hip1"
	say "hip0 into network namespace a, hip1 into b, both up"
	set_up_nets || fail "no carrier"
	in_a ethtool hip0 | grep -E 'Speed|Link detected'
}

ping_across()
{
	say "ping $1"
	shift
	in_a ping -q -c 5 -i 0.2 -W 5 "$@" "$ADDR_B" &&
		in_b ping -q -c 5 -i 0.2 -W 5 "$@" "$ADDR_A"
}

medium_ping()
{
	ping_across "with 56 bytes" && ping_across "with 65000 bytes" -s 65000
}

medium_address()
{
	ula b hip1
}

medium_counters()
{
	for _counter in tx_upkts vc._rx_credits_granted lcrc_errors rexmit_upkts; do
		echo $(($(stat_of a hip0 $_counter) + $(stat_of b hip1 $_counter)))
	done
}

medium_bad()
{
	say "now bit errors on the cable, one in 10^6 both ways"
	set_fault tx_ber $BAD_BER
}

medium_good()
{
	set_fault tx_ber 0
}
