# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of ST over Fibre Channel between the ports of fc.sh.  Source it after that, with
# the LLP in LLP.

PORT=6400
LIMIT=120	# seconds for one program

# link_column NETNS DEVICE NUMBER - a column of the link in ststat
link_column()
{
	ip netns exec "$1" ststat link |
		awk -v dev="$2" -v llp="$LLP" -v n="$3" '$1 == dev && $2 == llp { print $n }'
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

# fc_addresses - of FC-VI, which FARP resolves; they stay while the device is down
fc_addresses()
{
	for _end in "a veth0 1" "b veth1 2"; do
		# shellcheck disable=SC2086
		set -- $_end
		ip netns exec "$1" sh -c "echo 1 >/proc/sys/net/ipv6/conf/$2/keep_addr_on_down" &&
			ip -n "$1" addr add "fd00::$3/64" dev "$2" nodad &&
			ip -n "$1" addr add "192.0.2.$3/24" dev "$2" || return
	done
}

# fc_linked [SETTING]... - both ends
fc_linked()
{
	in_a ststat link add veth0 "$LLP" "$@" && in_b ststat link add veth1 "$LLP" "$@"
}

fc_unlinked()
{
	in_a ststat link del veth0 "$LLP" && in_b ststat link del veth1 "$LLP"
}

# passes FILE [ADDRESS] - it is sent from a to b, completely
passes()
{
	rm -f /tmp/in /tmp/receiver
	/usr/sbin/ip netns exec b timeout $LIMIT stcat -l -v -i veth1 -p $PORT >/tmp/in \
		2>/tmp/receiver &
	_receiver=$!
	wait_for 20 listening /tmp/receiver || return
	in_a timeout $LIMIT stcat -i veth0 -f "$1" "${2:-$(link_address b veth1)}" $PORT &&
		wait "$_receiver" && cmp "$1" /tmp/in
}

# stu BYTES TEXT - a link with an STU of several frames
stu()
{
	fc_unlinked && fc_linked stu "$1" && [ "$(max_stu a veth0)" = "1:$2,2:$2,3:$2" ] &&
		passes /tmp/file
}

# netem SETTING... - on the way from a to b and back, and a file passes
netem()
{
	tc -n a qdisc add dev veth0 root netem limit 10000 "$@" &&
		tc -n b qdisc add dev veth1 root netem limit 10000 "$@" || return
	passes /tmp/file
	_status=$?
	tc -n a qdisc del dev veth0 root && tc -n b qdisc del dev veth1 root || return
	return $_status
}

# round_trips [COUNT [INTERVAL]] - with stping, from a to b
round_trips()
{
	/usr/sbin/ip netns exec b stping -l -p "$PORT" -I veth1 2>/tmp/listener &
	_listener=$!
	wait_for 10 listening /tmp/listener &&
		in_a stping -q -c "${1:-20}" -i "${2:-0}" -W 5 -I veth0 \
			"$(link_address b veth1)" "$PORT"
	_status=$?
	kill $_listener
	wait $_listener 2>/dev/null
	return $_status
}

# put_and_got - a file through lent memory
put_and_got()
{
	rm -f /tmp/lender /tmp/got
	/usr/sbin/ip netns exec b stmem expose -i veth1 -p $PORT -v -s 2M 2>/tmp/lender &
	_lender=$!
	_addr=$(link_address b veth1)
	wait_for 20 listening /tmp/lender &&
		in_a timeout $LIMIT stmem put -i veth0 -O 1000 -f /tmp/file "$_addr" $PORT &&
		in_a timeout $LIMIT stmem get -i veth0 -O 1000 -s "$(wc -c </tmp/file)" \
			-o /tmp/got "$_addr" $PORT && cmp /tmp/file /tmp/got
	_status=$?
	kill $_lender
	wait $_lender
	return $_status
}

# down_and_up - a sender that goes away and comes back
state()
{
	[ "$(link_column a veth0 3)" = "$1" ]
}

down_and_up()
{
	ip -n a link set veth0 down && wait_for 10 state down && ip -n a link set veth0 up &&
		wait_for 20 state up && fc_logged_in b veth1 && fc_logged_in a veth0 &&
		passes /tmp/short
}

# sent - bytes that the sender's device has sent
sent()
{
	in_a cat /sys/class/net/veth0/statistics/tx_bytes
}

# has_sent BYTES - so many at least
has_sent()
{
	[ "$(sent)" -ge "$1" ]
}

# under_way ADDRESS COMMAND... - data goes from a to b when the command runs, and after that, however
# slow the machine is; all of it arrives
under_way()
{
	_to=$1
	shift
	rm -f /tmp/changed /tmp/in /tmp/receiver
	tc -n a qdisc add dev veth0 root netem limit 10000 rate 50mbit || return
	/usr/sbin/ip netns exec b timeout $LIMIT stcat -l -v -i veth1 -p $PORT >/tmp/in \
		2>/tmp/receiver &
	_receiver=$!
	wait_for 20 listening /tmp/receiver || return
	_before=$(sent)
	{
		until [ -e /tmp/changed ]; do
			cat /tmp/short || exit
		done
		cat /tmp/file
	} | tee /tmp/out |
		/usr/sbin/ip netns exec a timeout $LIMIT stcat -b 64K -i veth0 "$_to" $PORT &
	_sender=$!
	wait_for 20 has_sent $((_before + 200000)) && "$@"
	_changed=$?
	touch /tmp/changed
	wait $_sender
	_status=$?
	wait $_receiver
	tc -n a qdisc del dev veth0 root
	echo "sender: exit status $_status; $(wc -c </tmp/out) bytes, $(wc -c </tmp/in) came"
	[ $_changed = 0 ] && [ $_status = 0 ] && cmp /tmp/out /tmp/in
}

# readdressed NETNS DEVICE - the MAC address of the device changes meanwhile; the ports log in again,
# with the same names
readdressed()
{
	_mac=$(ip netns exec "$1" cat "/sys/class/net/$2/address")
	under_way "$(link_address b veth1)" ip -n "$1" link set "$2" address 02:00:00:00:01:01 &&
		ip -n "$1" link set "$2" address "$_mac" && fc_logged_in "$1" "$2"
}

# port_deleted - and the link with it
port_deleted()
{
	in_a fcport delete veth0 && [ -z "$(link_column a veth0 2)" ] &&
		fc_create a veth0 && fc_logged_in a veth0 && fc_logged_in b veth1 &&
		in_a ststat link add veth0 "$LLP" && passes /tmp/short
}
