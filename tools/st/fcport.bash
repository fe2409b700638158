# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Completion of the arguments of fcport, for bash.

# _fcport_devices - the devices of type ARPHRD_ETHER
_fcport_devices()
{
	local type

	for type in /sys/class/net/*/type; do
		[ "$(cat "$type" 2>/dev/null)" != 1 ] || basename "${type%/type}"
	done
}

# _fcport_ports - devices that have ports
_fcport_ports()
{
	fcport show 2>/dev/null | awk 'NR > 1 { print $1 }' | sort -u
}

# _fcport_remote PORT - N_Port IDs of the remote ports that it knows
_fcport_remote()
{
	fcport remote "$1" 2>/dev/null | awk 'NR > 1 { print $2 }'
}

# _fcport_next NAMES WORD... - values of the last name, or the names that are not among the words
_fcport_next()
{
	local left=" $1 "

	shift
	while [ $# -gt 0 ]; do
		if [ $# = 1 ]; then
			case $1 in
			mode)	echo vn2vn fabric ;;
			order)	echo in out ;;
			esac
			return
		fi
		left=${left/ "$1" / }
		shift 2
	done
	echo "$left"
}

# _fcport_words WORD... - what may come behind these words, the command first
_fcport_words()
{
	case $#:${1-} in
	0:*)			echo create set delete show counters neighbours remote switches \
					login logout ping errors farp vis vi-counters resolve monitor ;;
	1:create)		_fcport_devices ;;
	1:set|1:delete|1:show|1:counters|1:neighbours|1:remote|1:switches|1:login|1:logout|1:ping|1:errors|1:farp|\
	1:vis|1:vi-counters|1:resolve)
				_fcport_ports ;;
	2:login|2:logout|2:ping|2:errors)
				_fcport_remote "$2" ;;
	*:create)		_fcport_next "wwpn wwnn mode r-a-tov e-d-tov order" "${@:3}" ;;
	*:set)			_fcport_next "r-a-tov e-d-tov order" "${@:3}" ;;
	*:ping)			_fcport_next "size interval timeout" "${@:4}" ;;
	esac
}

_fcport()
{
	local word words=() current=${COMP_WORDS[COMP_CWORD]}

	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == -* ]] || words+=("$word")
	done
	if [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W '--json --verbose --count= --help --version' \
			-- "$current")
	else
		mapfile -t COMPREPLY < <(compgen -W "$(_fcport_words "${words[@]}")" -- "$current")
	fi
}

complete -F _fcport fcport
