# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of ST over FC-LE between the ports of fc.sh.  Source it after that.

PORT=6400
LIMIT=120	# seconds for one program

# ula NETNS DEVICE - the low 48 bits of the Port_Name, which are the MAC address of the device
ula()
{
	ip netns exec "$1" cat "/sys/class/net/$2/address"
}

# link_column NETNS DEVICE NUMBER - a column of the link in ststat
link_column()
{
	ip netns exec "$1" ststat link | awk -v dev="$2" -v n="$3" '$1 == dev { print $n }'
}

# max_stu NETNS DEVICE - with the Data Channels
max_stu()
{
	link_column "$1" "$2" 5
}

# fcle_linked - both ends
fcle_linked()
{
	in_a ststat link add veth0 fcle && in_b ststat link add veth1 fcle
}

fcle_unlinked()
{
	in_a ststat link del veth0 fcle && in_b ststat link del veth1 fcle
}

# passes FILE - it is sent from a to b, completely
passes()
{
	rm -f /tmp/in /tmp/receiver
	/usr/sbin/ip netns exec b timeout $LIMIT stcat -l -v -i veth1 -p $PORT >/tmp/in \
		2>/tmp/receiver &
	_receiver=$!
	wait_for 20 listening /tmp/receiver || return
	in_a timeout $LIMIT stcat -i veth0 -f "$1" "$(ula b veth1)" $PORT && wait "$_receiver" &&
		cmp "$1" /tmp/in
}
