# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Common functions of scripts in the virtual machine: TAP, modules, the two emulated
# cards hip0 and hip1 in the network namespaces a and b.

EMU=/sys/kernel/debug/hippi6400_emu
ADDR_A=10.64.0.1
ADDR_B=10.64.0.2
TRAFFIC_BYTES=30000
TRAFFIC_INTERVAL=0.01
TESTS=0

# The shell would prefer the applets of busybox.
ip() { /usr/sbin/ip "$@"; }
tc() { /usr/sbin/tc "$@"; }
ping() { /usr/sbin/ping "$@"; }
ethtool() { /usr/sbin/ethtool "$@"; }

ok()
{
	TESTS=$((TESTS + 1))
	echo "ok $TESTS - $*"
}

not_ok()
{
	TESTS=$((TESTS + 1))
	echo "not ok $TESTS - $*"
}

skip()
{
	TESTS=$((TESTS + 1))
	echo "ok $TESTS - $1 # SKIP $2"
}

# result DESCRIPTION COMMAND... - one test, its output shown if it fails
result()
{
	_desc=$1
	shift
	if _out=$("$@" 2>&1); then
		ok "$_desc"
	else
		echo "$_out" | sed 's/^/#   /'
		not_ok "$_desc"
		return 1
	fi
}

# fails_with TEXT COMMAND... - the command fails with this message
fails_with()
{
	_text=$1
	shift
	! "$@" 2>/tmp/why || return
	cat /tmp/why
	grep -q "$_text" /tmp/why
}

finish()
{
	echo "1..$TESTS"
}

bail()
{
	echo "Bail out! $*"
	exit 1
}

# wait_for SECONDS COMMAND... - until the command succeeds, which may use this function, too
wait_for()
{
	# shellcheck disable=SC3043
	local end=$(($(cut -d. -f1 /proc/uptime) + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(cut -d. -f1 /proc/uptime)" -lt "$end" ] || return 1
		sleep 0.05
	done
}

# listening FILE - stcat or another program has printed this there
listening()
{
	grep -q listening "$1"
}

loaded()
{
	[ -d "/sys/module/$1" ]
}

load()
{
	_mod=$1
	shift
	case $_mod in
	hippi6400|hippi6400_emu)
		loaded hippi6400_link || insmod /modules/hippi6400_link.ko || return ;;
	psnap)
		loaded llc || insmod /modules/llc.ko || return ;;
	rio9_emu|rio9_eth|rio9_mport|st_rio9)
		loaded rio9 || insmod /modules/rio9.ko || return ;;
	hippi_fp)
		load hippi6400 || return
		_mod=hippi_fp ;;
	fcvi|st_fcle)
		loaded fc2 || insmod /modules/fc2.ko || return ;;
	st_fcvi)
		loaded fcvi || load fcvi || return
		_mod=st_fcvi ;;
	st_fp)
		loaded hippi_fp || load hippi_fp || return
		_mod=st_fp ;;
	st_ethernet)
		loaded psnap || load psnap || return
		_mod=st_ethernet ;;
	esac
	loaded "$_mod" || insmod "/modules/$_mod.ko" "$@"
}

# load_those MODULE... - loads those that are modules in this kernel
load_those()
{
	for _m; do
		[ ! -e "/modules/$_m.ko" ] || load "$_m" || return
	done
}

unload()
{
	for _mod; do
		! loaded "$_mod" || rmmod "$_mod" || return
	done
}

has_devices()
{
	[ -e /sys/class/net/hip0 ] && [ -e /sys/class/net/hip1 ]
}

# load_cards - loads emulator and driver, and waits for both devices.  A test that needs
# parameters loads the emulator first.
load_cards()
{
	load hippi6400_emu && load hippi6400 || return
	wait_for 10 has_devices
}

# detach_links - and end the connections that hold the modules of their LLPs
detach_links()
{
	for _ns in $(ip netns list | cut -d ' ' -f 1); do
		ip netns exec "$_ns" ststat link 2>/dev/null | tail -n +2 |
			while read -r _dev _llp _; do
				ip netns exec "$_ns" ststat link del "$_dev" "$_llp"
			done
	done
}

unload_all()
{
	detach_links
	unload st_sample st_fp st_fcvi st_fcle st_rio9 st_ethernet st_hippi6400 af_st hippi_fp \
		rio9_mport rio9_eth rio9_emu rio9 fcvi fc2 hippi6400 hippi6400_emu hippi6400_link
}

carrier()
{
	ip -n "$1" -o link show "$2" | grep -q LOWER_UP
}

no_carrier()
{
	! carrier "$@"
}

both_carriers()
{
	carrier a hip0 && carrier b hip1
}

# set_up_nets - hip0 into a, hip1 into b, up, with addresses and carrier
set_up_nets()
{
	ip netns add a && ip netns add b &&
		ip link set hip0 netns a && ip link set hip1 netns b &&
		ip -n a link set lo up && ip -n b link set lo up &&
		ip -n a addr add $ADDR_A/24 dev hip0 &&
		ip -n b addr add $ADDR_B/24 dev hip1 &&
		ip -n a link set hip0 up && ip -n b link set hip1 up &&
		wait_for 20 both_carriers
}

# tear_down - also after a partial setup.  A closed socket holds its module until its
# connection has ended, and then for an RCU grace period.
tear_down()
{
	if ! wait_for 30 unload_all; then
		lsmod
		return 1
	fi
	ip netns del a 2>/dev/null
	ip netns del b 2>/dev/null
	return 0
}

# runs NETNS DEVICE on|off - whether the device takes runs of STUs as one
runs()
{
	ip netns exec "$1" /usr/sbin/ethtool -K "$2" tx-sctp-segmentation "$3"
}

# as_hardware NETNS DEVICE - takes single frames of ST
as_hardware()
{
	runs "$1" "$2" off
}

# veth_sides MTU [COMMAND] - the network namespaces a and b, each with a link, as test
# programs expect with ST_LLP=ethernet; COMMAND SIDE DEVICE runs before the device is up
veth_sides()
{
	ip netns add a && ip netns add b &&
		ip link add veth0 mtu "$1" netns a type veth peer name veth1 mtu "$1" netns b &&
		"${2:-:}" a veth0 && "${2:-:}" b veth1 &&
		ip -n a link set veth0 up && ip -n b link set veth1 up &&
		in_a ststat link add veth0 ethernet && in_b ststat link add veth1 ethernet
}

in_a() { ip netns exec a "$@"; }
in_b() { ip netns exec b "$@"; }

# ula NETNS DEVICE - its address, also that of a port of RapidIO
ula()
{
	ip -n "$1" -o link show "$2" | sed 's/.*link\/[^ ]* \([0-9a-f:]*\).*/\1/'
}

# stat_of NETNS DEVICE NAME - a counter of ethtool -S, or the sum of several
# when NAME is a regular expression
stat_of()
{
	ip netns exec "$1" /usr/sbin/ethtool -S "$2" |
		awk -v name="^$3:\$" '$1 ~ name { sum += $2; n++ } END { if (n) print sum }'
}

# unanswered - pings of namespace a, as its kernel counts them
unanswered()
{
	in_a cat /proc/net/snmp | awk '$1 == "Icmp:" && !n {
		for (n = 2; n <= NF; n++) name[n] = $n
		next
	}
	$1 == "Icmp:" {
		for (i = 2; i <= NF; i++) value[name[i]] = $i
		print value["OutEchos"] - value["InEchoReps"]
	}'
}

answered()
{
	[ "$(unanswered)" = "$_open" ]
}

# all_pings OPTION... - from a to b; fails unless all are answered.
# The pings are sent one after the other, because a host answers few large pings at once.
# ping derives its wait for the last answer from earlier ones, which is too short for
# go-backs: the kernel's counters decide.
all_pings()
{
	_open=$(unanswered)
	in_a ping -q -A "$@" $ADDR_B
	wait_for 20 answered && return
	echo "$(($(unanswered) - _open)) unanswered"
	return 1
}

# one_ping NETNS OPTION... - is answered, however slow the machine is; ping of iputils
# derives the wait for several from the times of the first
one_ping()
{
	_ns=$1
	shift
	ip netns exec "$_ns" /usr/sbin/ping -q -c 1 -W 20 "$@"
}

carrier_changes()
{
	echo $(($(in_a cat /sys/class/net/hip0/carrier_changes) +
		$(in_b cat /sys/class/net/hip1/carrier_changes)))
}

# Not go-backs: a slow machine may be later than the ACK timeout.
ERROR_COUNTERS='.*_errors|no_credit|credit_overflow|bad_rseq|retry_limits|.*no_room|.*lost|.*discarded'

# no_errors - on a clean cable; prints the counters that are not 0
no_errors()
{
	! { in_a ethtool -S hip0; in_b ethtool -S hip1; } |
		grep -E "^ *($ERROR_COUNTERS): *[1-9]"
}

# set_fault FILE VALUE - on the cables of both cards
set_fault()
{
	echo "$2" >"$EMU/port0/$1" && echo "$2" >"$EMU/port1/$1"
}

# slot_of PORT - the PCI address of its card
slot_of()
{
	grep -l 0x6400 /sys/bus/pci/devices/*:00:"$(printf %02x "$1")".0/device |
		sed 's,.*/\([^/]*\)/device$,\1,'
}

# link_says HANDLE NAME - state of the link of a card's port, and identity of the neighbour
link_says()
{
	devlink -j health diagnose "$1/0" reporter link | sed 's/[{},]/\n/g' |
		sed -n "s/^ *\"$2\": *\"\{0,1\}\([^\"]*\)\"\{0,1\} *\$/\1/p"
}

# bind PORT, unbind PORT - the driver and the card
bind()
{
	_slot=$(slot_of "$1")
	echo "$_slot" >/sys/bus/pci/drivers/hippi6400/bind
}

unbind()
{
	_slot=$(slot_of "$1")
	echo "$_slot" >/sys/bus/pci/drivers/hippi6400/unbind
}

# reset PORT - its card, by PCI
reset()
{
	_slot=$(slot_of "$1")
	echo 1 >"/sys/bus/pci/devices/$_slot/reset"
}

# pci_error PORT KIND - injects an error, which is handled when this returns
pci_error()
{
	echo "$2" >"$EMU/port$1/pci_error"
}

# has_netdev PORT - its card has a driver
has_netdev()
{
	[ -e "/sys/bus/pci/devices/$(slot_of "$1")/net" ]
}

# said PATTERN - the kernel has logged it since said_so_far
said_so_far()
{
	dmesg -c >/dev/null
}

said()
{
	dmesg | grep "$1"
}

# start_traffic - pings in both directions until stop_traffic, answered or not:
# of $TRAFFIC_BYTES from a, one every $TRAFFIC_INTERVAL seconds.
# Functions in the background would keep the output of result open.
start_traffic()
{
	/usr/sbin/ip netns exec a ping -q -i $TRAFFIC_INTERVAL -s $TRAFFIC_BYTES $ADDR_B >/dev/null 2>&1 &
	/usr/sbin/ip netns exec b ping -q -i $TRAFFIC_INTERVAL $ADDR_A >/dev/null 2>&1 &
}

stop_traffic()
{
	killall ping 2>/dev/null
	wait_for 30 no_process ping
}

# no_process NAME - none is running: zombies are ignored, since their shell may wait for the
# caller before it reaps them
no_process()
{
	for _pid in $(pidof "$1"); do
		! grep -qs '^State:.[^Z]' "/proc/$_pid/status" || return
	done
}

more_than()
{
	[ "$(stat_of a hip0 vc1_rx_messages)" -gt "$1" ] &&
		[ "$(stat_of b hip1 vc1_rx_messages)" -gt "$2" ]
}

# flowing - traffic arrives at both ends, from now on
flowing()
{
	wait_for 30 both_carriers &&
		wait_for 60 more_than $(($(stat_of a hip0 vc1_rx_messages) + 50)) \
			$(($(stat_of b hip1 vc1_rx_messages) + 50))
}

# sleep_and_wake - suspends the machine to memory until its clock wakes it
sleep_and_wake()
{
	for _try in 1 2 3 4 5; do
		echo 0 >/sys/class/rtc/rtc0/wakealarm
		echo +$((5 * _try)) >/sys/class/rtc/rtc0/wakealarm
		# An alarm that is too early ends the attempt, not the machine.
		_wakeups=$(cat /sys/power/wakeup_count)
		echo "$_wakeups" >/sys/power/wakeup_count && echo mem >/sys/power/state && return
	done
	return 1
}

# new_hip0 - moves a recreated device to a, with its address, and sets it up
new_hip0()
{
	wait_for 20 has_netdev 0 && ip link set hip0 netns a &&
		ip -n a addr add $ADDR_A/24 dev hip0 && ip -n a link set hip0 up
}

# no_slot PORT - PCI has no card there
no_slot()
{
	[ -z "$(slot_of "$1" 2>/dev/null)" ]
}

# no_such_device COMMAND... - fails with "No such device"
no_such_device()
{
	! "$@" 2>/tmp/error || return
	cat /tmp/error
	grep -q 'No such device' /tmp/error
}
