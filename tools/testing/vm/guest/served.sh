# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# A machine that tells another, which runs serve, what to do, over the virtio cable between
# them.  Source it after lib.sh.

CARD=eth0
# shellcheck disable=SC2034
CARD_ADDR=192.0.2.1
SERVE_ADDR=192.0.2.2
SERVE_PORT=7000
# shellcheck disable=SC2034
TOGETHER=300	# seconds that one machine may be behind the other

has_card()
{
	[ -e /sys/class/net/$CARD ]
}

card_is_up()
{
	ip -o link show $CARD | grep -q LOWER_UP
}

# served_card ADDR - sets up the card; nothing but what is told may cross it
served_card()
{
	load_those failover net_failover virtio_net && wait_for 20 has_card &&
		echo 1 >/proc/sys/net/ipv6/conf/$CARD/disable_ipv6 && ip addr add "$1/24" dev $CARD &&
		ip link set $CARD up && wait_for 20 card_is_up
}

# there COMMAND - the other machine's shell runs it, with lib.sh; its output and its status
there()
{
	{
		echo '. /lib.sh; exec 2>&1'
		echo "$*"
		# shellcheck disable=SC2016
		echo 'echo "status $?"'
	} | timeout 120 nc -w 5 $SERVE_ADDR $SERVE_PORT >/tmp/there
	sed '$d' /tmp/there
	[ "$(tail -n 1 /tmp/there)" = 'status 0' ]
}
