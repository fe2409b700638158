# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# A TCP stream from namespace a to namespace b that runs during a test, and is checked
# byte by byte: copies of a chunk of random bytes.  Source it after lib.sh.

TCP_PORT=5001
TCP_CHUNK=262144

tcp_source()
{
	while ! [ -e /tmp/tcp_stop ]; do
		cat /tmp/tcp_chunk || break
		echo >>/tmp/tcp_sent
	done
}

tcp_sink()
{
	while dd bs=$TCP_CHUNK count=1 iflag=fullblock of=/tmp/tcp_piece 2>/dev/null &&
			[ -s /tmp/tcp_piece ]; do
		cmp /tmp/tcp_piece /tmp/tcp_chunk || break
		echo >>/tmp/tcp_received
	done
}

tcp_listens()
{
	in_b netstat -ltn | grep -q ":$TCP_PORT "
}

tcp_count()
{
	wc -l <"/tmp/tcp_$1"
}

tcp_received()
{
	[ "$(tcp_count received)" -ge "$1" ]
}

# tcp_goes_on - more data arrives, within the time that TCP may wait for a retransmission
tcp_goes_on()
{
	wait_for 60 tcp_received $(($(tcp_count received) + 3))
}

tcp_ended()
{
	while read -r _pid; do
		! kill -0 "$_pid" 2>/dev/null || return
	done </tmp/tcp_pids
}

# tcp_start - waits until the stream flows.  A caller that waits for the end of the output
# does not wait for the end of the stream.
tcp_start()
{
	# A failed test may have left a stream.
	if [ -e /tmp/tcp_pids ] && ! tcp_ended; then
		killall nc 2>/dev/null
		wait_for 20 tcp_ended || return
	fi
	rm -f /tmp/tcp_*
	: >/tmp/tcp_sent
	: >/tmp/tcp_received
	dd if=/dev/urandom of=/tmp/tcp_chunk bs=$TCP_CHUNK count=1 2>/dev/null
	# nc would close the connection at the end of its input, so the input has no end.
	mkfifo /tmp/tcp_open
	(in_b nc -l -p $TCP_PORT <>/tmp/tcp_open | tcp_sink) >/tmp/tcp_sink 2>&1 &
	echo $! >/tmp/tcp_pids
	wait_for 20 tcp_listens || return
	(tcp_source | in_a nc "$ADDR_B" $TCP_PORT) >/tmp/tcp_source 2>&1 &
	echo $! >>/tmp/tcp_pids
	tcp_goes_on
}

# tcp_stop - the stream ends, and all that was sent has arrived
tcp_stop()
{
	touch /tmp/tcp_stop
	wait_for 120 tcp_ended
	echo "$(tcp_count sent) chunks sent, $(tcp_count received) received"
	cat /tmp/tcp_sink /tmp/tcp_source
	tcp_ended && [ "$(tcp_count sent)" = "$(tcp_count received)" ]
}

# in_a_stream COMMAND... - during a stream, of which nothing is lost
in_a_stream()
{
	tcp_start && "$@" && wait_for 20 both_carriers && tcp_goes_on && tcp_stop
}
