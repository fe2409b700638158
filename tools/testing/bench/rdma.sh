# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# RDMA in software, by Debian's perftest, over siw and rxe.  The script guest sources this file.
#
# siw uses TCP, and has its devices on those of veth in the network namespaces a and b.
# rxe has its sockets in the first network namespace only, so both of its ends are
# there, on a pair of devices of their own.  Each sends through its device, and
# accept_local admits packets from an address of the same namespace.

RXE_A=10.65.0.1
RXE_B=10.65.0.2
RDMA_PORT=18515
RDMA_LISTENS=:4853	# the same, as /proc/net/tcp has it
RDMA_SECONDS=120	# of a run
RDMA_COUNT_MIN=5	# of perftest

# perftest expects the frequency of the CPU's clock, which a user-mode kernel does not give,
# but uses its own measurement if that differs.
tell_mhz()
{
	! grep -q '^cpu MHz' /proc/cpuinfo || return 0
	{ cat /proc/cpuinfo && echo "cpu MHz : 1.000"; } >/tmp/cpuinfo &&
		mount -o bind /tmp/cpuinfo /proc/cpuinfo
}

# gid_index DEVICE ADDRESS - index of the GID of this IPv4 address
gid_index()
{
	# shellcheck disable=SC2046,SC2183
	_gid=$(printf 'ffff:%02x%02x:%02x%02x' $(echo "$2" | tr . ' '))
	grep -l "$_gid" /sys/class/infiniband/"$1"/ports/1/gids/* | sed 's,.*/,,'
}

has_gid()
{
	[ "$(gid_index "$@")" ]
}

# one_rxe NUMBER ADDRESS
one_rxe()
{
	echo 1 >/proc/sys/net/ipv4/conf/"r$1"/accept_local
	must ip addr add "$2/24" dev "r$1"
	must ip link set "r$1" up
	must rdma link add "rxe$1" type rxe netdev "r$1"
	wait_for 20 has_gid "rxe$1" "$2" || fail "rxe$1 has no GID for $2"
}

rdma_set_up()
{
	must tell_mhz
	must in_a rdma link add siw0 type siw netdev e0
	must in_b rdma link add siw1 type siw netdev e1
	must ip link add r0 type veth peer name r1
	one_rxe 0 $RXE_A
	one_rxe 1 $RXE_B
}

# rdma_mtu MTU - of the devices of rxe; those of siw are veth's
rdma_mtu()
{
	must ip link set r0 mtu "$1"
	must ip link set r1 mtu "$1"
}

# rdma_net a|b siw|rxe COMMAND... - in the network namespace of the device of that end
rdma_net()
{
	_net=$1 _type=$2
	shift 2
	case $_type in
	siw)	ip netns exec "$_net" "$@" ;;
	rxe)	"$@" ;;
	esac
}

# rdma_listens TYPE - the server listens; that of siw has a socket for each of the two devices
rdma_listens()
{
	case $1 in
	siw)	_sockets=2 ;;
	rxe)	_sockets=1 ;;
	esac
	[ "$(rdma_net b "$1" cat /proc/net/tcp /proc/net/tcp6 |
		grep -c "$RDMA_LISTENS .* 0A ")" = "$_sockets" ]
}

# rdma_end a|b siw|rxe COMMAND... - the server, which sleeps during the measurement, has
# priority before it: siw makes a second connection, and the client does not wait
# until the server listens
rdma_end()
{
	_net=$1 _type=$2 _nice=0
	shift 2
	[ "$_net" = a ] || _nice=-20
	rdma_net "$_net" "$_type" nice -n $_nice env LD_PRELOAD=/data/polite.so \
		timeout $RDMA_SECONDS "$@"
}

# log_crashes 0|1 - whether the kernel logs crashes of programs: perftest may crash when
# it hangs and is killed
log_crashes()
{
	[ ! -e /proc/sys/debug/exception-trace ] || echo "$1" >/proc/sys/debug/exception-trace
}

# rdma_run siw|rxe PROGRAM OPTION... - until both ends have ended; the ends of rxe exchange
# their parameters over 127.0.0.1 before they start
rdma_run()
{
	_type=$1
	shift
	case $_type in
	siw)	_of_a="-d siw0 -R $ADDR_B" _of_b="-d siw1 -R" ;;
	rxe)	_of_a="-d rxe0 -x $(gid_index rxe0 $RXE_A) 127.0.0.1"
		_of_b="-d rxe1 -x $(gid_index rxe1 $RXE_B)" ;;
	esac
	rm -f /tmp/rdma.*
	log_crashes 0
	# shellcheck disable=SC2086
	rdma_end b "$_type" "$@" $_of_b >/tmp/rdma.b 2>&1 &
	# shellcheck disable=SC2086
	if ! wait_for 20 rdma_listens "$_type" ||
			! rdma_end a "$_type" "$@" $_of_a >/tmp/rdma.a 2>&1; then
		killall "$1" 2>/dev/null
	fi
	wait $!
	log_crashes 1
}

# rdma_figure SIZE COLUMN SCALE - a figure from the only line of figures
rdma_figure()
{
	awk -v size="$1" -v column="$2" -v scale="$3" '
		$1 == size && $column ~ /^[0-9.]+$/ && $column > 0 {
			printf "%.0f\n", $column * scale
			n++
		}
		END { exit n != 1 }' /tmp/rdma.a
}

# rdma_ask bulk|send|turn|read|write siw|rxe SIZE COUNT - prints bytes per second, or the nanoseconds
# of a round trip, half of which ib_write_lat and ib_send_lat report.
#
# A successful run has a line of figures.  An end may still fail after that: with
# siw, an end that has read the other's goodbye closes the connection, perhaps before the
# other end knows that it is sent.  perftest has no figures, and is run again, if the machine
# paused while it compared its clocks, or if the server was late in spite of its priority.
rdma_ask()
{
	_rdma=$1 _type=$2 _size=$3 _count=$4
	case $_rdma in
	bulk)	set -- 4 1048576 ib_write_bw ;;
	send)	set -- 4 1048576 ib_send_bw ;;
	turn)	set -- 5 2000 ib_send_lat ;;
	read)	set -- 5 1000 ib_read_lat -e ;;
	write)	set -- 5 2000 ib_write_lat ;;
	esac
	_column=$1 _scale=$2
	shift 2
	[ "$_count" -ge $RDMA_COUNT_MIN ] || _count=$RDMA_COUNT_MIN
	for _try in 1 2 3; do
		rdma_run "$_type" "$@" -F -p $RDMA_PORT -s "$_size" -n "$_count"
		rdma_figure "$_size" "$_column" "$_scale" && return
	done
	cat /tmp/rdma.a /tmp/rdma.b >&2
	return 1
}
