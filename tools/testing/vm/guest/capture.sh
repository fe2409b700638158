# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Captures during a command, and how they leave the virtual machine.  Source it after lib.sh.

LARGEST=1000000	# bytes of a capture, as it is handed over

# tapped FILE COMMAND... - runs it during a capture into the file
tapped()
{
	_file=$1
	shift
	rm -f "$_file" "$_file.out"
	"$@" >"$_file.out" 2>&1 &
	echo $! >"$_file.pid"
	wait_for 20 listening "$_file.out"
}

# tcpdump_in NETNS DEVICE FILE - a capture of all that passes the device
tcpdump_in()
{
	tapped "$3" /usr/sbin/ip netns exec "$1" tcpdump -Z root -U --immediate-mode -B 16384 \
		-i "$2" -w "$3"
}

# untapped FILE - ends the capture, and shows what its command has said
untapped()
{
	_tap=$(cat "$1.pid")
	kill -TERM "$_tap"
	wait "$_tap"
	cat "$1.out"
}

# all_captured FILE - tcpdump has lost nothing
all_captured()
{
	untapped "$1" && grep '^0 packets dropped by kernel' "$1.out"
}

# hand_over FILE NAME - prints a capture
hand_over()
{
	gzip -c "$1" | base64 >"$1.b64"
	if [ "$(wc -c <"$1.b64")" -gt $LARGEST ]; then
		not_ok "$2 is too long: $(wc -c <"$1.b64")"
		return
	fi
	sed "s/^/# capture $2 /" "$1.b64"
}
