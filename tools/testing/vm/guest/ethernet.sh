# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of tests of ST over Ethernet: the veth pair e0 and e1 in the network
# namespaces a and b, files that cross it, captures of them.  Source it after lib.sh.

PORT=6400
LIMIT=120	# seconds for one program
MAC_A=02:00:00:00:00:0a
MAC_B=02:00:00:00:00:0b

# veth - a pair, e0 in a and e1 in b, that takes single frames
veth()
{
	ip link add e0 address $MAC_A netns a type veth peer name e1 address $MAC_B netns b &&
		as_hardware a e0 && as_hardware b e1 &&
		ip -n a link set e0 up && ip -n b link set e1 up
}

# linked SIDE DEVICE LLP - ststat shows the link
linked()
{
	ip netns exec "$1" ststat link | tee /tmp/links
	awk -v dev="$2" -v llp="$3" '$1 == dev && $2 == llp { n++ } END { exit n != 1 }' /tmp/links
}

both_linked()
{
	in_a ststat link add e0 ethernet && in_b ststat link add e1 ethernet
}

# passes FILE [DEVICE DEVICE ADDRESS] - a file is sent from a to b, completely
passes()
{
	rm -f /tmp/in /tmp/receiver
	ip netns exec b timeout $LIMIT stcat -l -v -i "${3:-e1}" -p $PORT >/tmp/in 2>/tmp/receiver &
	_receiver=$!
	wait_for 20 listening /tmp/receiver || return
	in_a timeout $LIMIT stcat -i "${2:-e0}" -f "$1" "${4:-$MAC_B}" $PORT && wait "$_receiver" &&
		cmp "$1" /tmp/in
}

# settled - the capture has not grown since the last call
settled()
{
	_before=$_size
	_size=$(wc -c </tmp/cap)
	[ "$_size" = "$_before" ]
}

# capture COMMAND... - with the frames at e1 in /tmp/cap; ip is not a function here, so that
# tcpdump can be killed
capture()
{
	rm -f /tmp/cap /tmp/tap
	_size=
	/usr/sbin/ip netns exec b tcpdump -Z root -U --immediate-mode -B 16384 -i e1 -s 96 -w /tmp/cap \
		>/dev/null 2>/tmp/tap &
	_tap=$!
	wait_for 20 listening /tmp/tap && "$@"
	_status=$?
	wait_for 20 settled
	kill $_tap
	wait $_tap
	cat /tmp/tap
	return $_status
}

# frames FILTER - of the capture, each as a line of its length and of its first bytes, in
# hexadecimal digits
frames()
{
	tcpdump -Z root -r /tmp/cap -w - "$1" 2>/dev/null | hexdump -v -e '1/1 "%02x\n"' | awk '
		function number(at, i, n) {
			for (i = at + 6; i >= at; i -= 2)
				n = n * 256 + (index(digits, substr(head, i, 1)) - 1) * 16 +
					index(digits, substr(head, i + 1, 1)) - 1
			return n
		}
		BEGIN { digits = "0123456789abcdef" }
		NR <= 24 { next }	# of the file; then 16 for each frame
		length(head) < 32 {
			head = head $0
			caught = number(17)
			next
		}
		{ frame = frame $0 }
		length(frame) == 2 * caught { print number(25), frame; head = frame = "" }'
}

# longest FILTER - length of the longest frame of the capture
longest()
{
	frames "$1" | awk '{ if ($1 > max) max = $1 } END { print max }'
}

# mtu BYTES - of both ends
mtu()
{
	ip -n a link set e0 mtu "$1" && ip -n b link set e1 mtu "$1"
}

# netem PARAMETERS - on what leaves either end
netem()
{
	# shellcheck disable=SC2086
	ip netns exec a tc qdisc replace dev e0 root netem limit 10000 $1 &&
		ip netns exec b tc qdisc replace dev e1 root netem limit 10000 $1
}

no_netem()
{
	ip netns exec a tc qdisc del dev e0 root && ip netns exec b tc qdisc del dev e1 root
}

# survives PARAMETERS BYTES - that many bytes arrive completely
survives()
{
	head -c "$2" /tmp/file >/tmp/short
	netem "$1" && passes /tmp/short
	_status=$?
	ip netns exec a tc -s qdisc show dev e0
	no_netem
	return $_status
}
