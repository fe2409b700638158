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

# _rio9ctl_words WORD... - what may come behind these words, the command first
_rio9ctl_words()
{
	case $#:$1:${2-}:${!#} in
	0:*)			echo port peer context queue tm stats message monitor ;;
	*:map)			echo A B C D E F ;;
	*:port:set:[A-F])	echo A B C D E F mtu tm-mode obey-any queue-max queues-max ;;
	*:tm-mode)		echo disabled basic rate credit credit-rate ;;
	*:obey-any)		echo on off ;;
	1:port:*)		echo show set; _rio9ctl_devices ;;
	1:peer:*)		echo show add del; _rio9ctl_devices ;;
	1:context:*|1:queue:*|1:tm:*|1:stats:*)
				echo show; _rio9ctl_devices ;;
	1:message:*)		echo send ;;
	2:*:show:*|2:*:set:*|2:*:add:*|2:*:del:*|2:*:send:*)
				_rio9ctl_devices ;;
	*:port:set:mtu|*:port:set:queue*-max)	;;
	*:port:set:*)		echo mtu tm-mode obey-any map queue-max queues-max ;;
	*:message:send:*)	[ $(($# % 2)) = 1 ] ||
					echo stream cos op wildcard mask param1 param2 ;;
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
