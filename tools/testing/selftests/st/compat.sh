# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Programs of 32 bits, which no user-mode kernel runs: calls, structures and messages are
# the same for them.

# shellcheck source=lib.sh
. /lib.sh

# programs "NAME OPTION..."... - those of 32 bits, each in namespaces of its own
programs()
{
	grep -q ' /sys/fs/cgroup cgroup2 ' /proc/mounts ||
		mount -t cgroup2 none /sys/fs/cgroup || bail "no cgroups"
	for _program; do
		load_cards || bail "no hip0 and hip1"
		load af_st || bail "cannot load af_st"
		load st_hippi6400 || bail "cannot load st_hippi6400"
		set_up_nets || bail "no link"
		_name=${_program%% *}
		# shellcheck disable=SC2086
		result "$_name of 32 bits" "./st_${_name}32" ${_program#"$_name"}
		tear_down || bail "modules stay"
	done
	finish
}
