# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Completion of the arguments of hippictl, for bash.

# _hippictl_ports - devices that are ports
_hippictl_ports()
{
	hippictl show 2>/dev/null | awk 'NR > 1 { print $1 }'
}

# _hippictl_words WORD... - what may come behind these words, the command first
_hippictl_words()
{
	case $#:${1-} in
	0:*)			echo show counters monitor ;;
	1:show|1:counters)	_hippictl_ports ;;
	esac
}

_hippictl()
{
	local word words=() current=${COMP_WORDS[COMP_CWORD]}

	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == -* ]] || words+=("$word")
	done
	if [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W '--json --verbose --count= --help --version' \
			-- "$current")
	else
		mapfile -t COMPREPLY < <(compgen -W "$(_hippictl_words "${words[@]}")" -- "$current")
	fi
}

complete -F _hippictl hippictl
