# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Completion of the arguments of rio9ctl, for bash.

# _rio9ctl_devices - the devices of type ARPHRD_RIO9
_rio9ctl_devices()
{
	local type

	for type in /sys/class/net/*/type; do
		[ "$(cat "$type" 2>/dev/null)" != 21001 ] || basename "${type%/type}"
	done
}

# _rio9ctl_next NAMES WORD... - values of the last name, or the names that are not among the words
_rio9ctl_next()
{
	local left=" $1 " name values

	shift
	while [ $# -gt 0 ]; do
		name=$1 values=1
		[ "$name" != map ] || values=4
		if [ $# -le $values ]; then
			case $name in
			map)		echo A B C D E F ;;
			tm-mode)	echo disabled basic rate credit credit-rate ;;
			obey-any)	echo on off ;;
			esac
			return
		fi
		left=${left/ "$name" / }
		shift $((values + 1))
	done
	echo "$left"
}

# _rio9ctl_words WORD... - what may come behind these words, the command first
_rio9ctl_words()
{
	case $#:$1:${2-} in
	0:*)			echo port peer context queue tm stats message monitor ;;
	1:port:*)		echo show set; _rio9ctl_devices ;;
	1:peer:*)		echo show add del; _rio9ctl_devices ;;
	1:context:*|1:queue:*|1:tm:*|1:stats:*)
				echo show; _rio9ctl_devices ;;
	1:message:*)		echo send ;;
	2:*:show|2:*:set|2:*:add|2:*:del|2:*:send)
				_rio9ctl_devices ;;
	3:message:send)		;;
	*:port:set)		_rio9ctl_next "mtu tm-mode obey-any map queue-max queues-max" \
					"${@:4}" ;;
	*:message:send)		_rio9ctl_next "stream cos op wildcard mask param1 param2" \
					"${@:5}" ;;
	esac
}

_rio9ctl()
{
	local word words=() current=${COMP_WORDS[COMP_CWORD]}

	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == -* ]] || words+=("$word")
	done
	if [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W '--json --verbose --count= --help --version' \
			-- "$current")
	else
		mapfile -t COMPREPLY < <(compgen -W "$(_rio9ctl_words "${words[@]}")" -- "$current")
	fi
}

complete -F _rio9ctl rio9ctl
