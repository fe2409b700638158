# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Common functions of the scripts that run on the host.  Source it from bash.

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
BUILD=$ROOT/build
# shellcheck disable=SC2034
VM=$ROOT/tools/testing/vm
JOBS=${JOBS:-$(nproc)}
START=${START:-$EPOCHSECONDS}
export BUILD JOBS START

# Modules in the order in which they are loaded
# shellcheck disable=SC2034
MODULES="hippi6400_link hippi6400_emu hippi6400 rio9 rio9_emu rio9_eth rio9_mport fc2 fcvi hippi_fp af_st st_hippi6400
	st_ethernet st_rio9 st_fcle st_fcvi st_fp st_sample"

# Packages by purpose
PKG_BUILD="gcc libc6-dev libmnl-dev make binutils libelf1 libssl3 rsync"
PKG_VM="$PKG_BUILD bsdutils busybox-static cpio ethtool iperf3 iproute2 iputils-ping libpciaccess0
	nftables python3-minimal qemu-system-x86 tcpdump xz-utils"
PKG_KERNEL="bc bison flex libelf-dev libssl-dev linux-source-6.12 perl python3 xz-utils"
# shellcheck disable=SC2034
PKG_CHECK="$PKG_VM $PKG_KERNEL lib32gcc-12-dev libc6-dev-i386 libevent-dev liburing-dev
	python3-yaml tshark universal-ctags"
# shellcheck disable=SC2034
PKG_LINT="$PKG_BUILD $PKG_KERNEL codespell libibverbs-dev python3-jsonschema python3-sphinx
	python3-yaml shellcheck sparse universal-ctags"

say()
{
	printf '[%4ds] %s\n' $((EPOCHSECONDS - START)) "$*"
}

die()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# as_root COMMAND... - for the package manager only
as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		return 1
	fi
}

# need_packages PACKAGE... - installs what is missing
need_packages()
{
	local p missing=()

	command -v dpkg-query apt-get >/dev/null ||
		die "this needs Debian 12 and its package manager"
	for p; do
		case $(dpkg-query -W -f '${db:Status-Abbrev}' "$p" 2>/dev/null || :) in
		?i*) ;;
		*) missing+=("$p") ;;
		esac
	done
	say "Debian packages needed: $(printf '%s\n' "$@" | sort -u | tr '\n' ' ')"
	if [ ${#missing[@]} = 0 ]; then
		return
	fi
	say "installing those that are missing: ${missing[*]}"
	if ! as_root apt-get -qq update ||
			! as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
				--no-install-recommends install "${missing[@]}" \
				>"$BUILD/apt.log" 2>&1; then
		[ ! -s "$BUILD/apt.log" ] || tail -n 20 "$BUILD/apt.log" >&2
		die "cannot install them: be root, or have sudo, or have root run" \
			"'apt-get install --no-install-recommends ${missing[*]}' first"
	fi
}

# logged LOG COMMAND... - runs it with its output in LOG, and shows the end of LOG on failure
logged()
{
	local log=$1

	shift
	if ! "$@" >"$log" 2>&1; then
		tail -n 40 "$log" >&2
		die "failed: $* (all messages: $log)"
	fi
}

# kernel_arch KERNEL - ARCH for make
kernel_arch()
{
	case $1 in
	uml*)	echo um ;;
	*)	echo x86 ;;
	esac
}

# source_version KERNEL - the version of Linux from which a kernel is built
source_version()
{
	case $1 in
	uml|uml-smp|*-7.3)	echo 7.3 ;;
	*)	echo 6.12 ;;
	esac
}

# source_folder VERSION - folder of that source
source_folder()
{
	case $1 in
	6.12)	echo "$BUILD/linux" ;;
	*)	echo "$BUILD/linux-$1" ;;
	esac
}

# other_suite FOLDER - sets the options in APT so that apt-get uses package lists of trixie and
# its backports in FOLDER, from the mirror of this machine, and does not change the machine's
APT=(-o "APT::Sandbox::User=$(id -un)")
other_suite()
{
	local apt=$1 mirror keys=/usr/share/keyrings/debian-archive-keyring.gpg suite

	# shellcheck disable=SC2016
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
		'Component: main' | head -n 1)
	[ -n "$mirror" ] || die "apt-get has no mirror of Debian: look at /etc/apt/sources.list"
	mkdir -p "$apt"/lists/partial "$apt"/archives/partial
	: >"$apt/status"
	for suite in trixie trixie-backports; do
		echo "deb [signed-by=$keys] $mirror $suite main"
	done >"$apt/sources.list"
	APT+=(-o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
		-o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt")
}

# in_root ROOT FOLDER COMMAND... - with ROOT as the root of the file system, which also
# contains FOLDER of this machine
in_root()
{
	local root=$1 user=--map-root-user

	shift
	[ "$(id -u)" != 0 ] || user=
	# shellcheck disable=SC2016
	unshare ${user:+"$user"} --mount bash -c '
		mkdir -p "$0$1" && mount --bind "$1" "$0$1" && mount --rbind /dev "$0/dev" &&
			mount --rbind /proc "$0/proc" || exit
		cd "$1" && shift && exec /usr/sbin/chroot "$0" "$@"' "$root" "$@"
}

# make_folder KERNEL FOLDER ARGUMENT... - makes the modules in FOLDER.  No headers package contains
# a tool that can make BTF.
make_folder()
{
	local kernel=$1 folder=$2 headers

	shift 2
	set -- -j "$JOBS" CONFIG_DEBUG_INFO_BTF_MODULES= "$@" modules
	case $kernel in
	stock)
		make -C "$BUILD/stock/headers" M="$folder" "$@" ;;
	stock-*)
		headers=/usr/src/linux-headers-$(cat "$BUILD/$kernel/release")
		in_root "$BUILD/$kernel/root" "$folder" make -C "$headers" M="$folder" "$@" ;;
	*)
		make -C "$BUILD/$kernel" M="$folder" ARCH="$(kernel_arch "$kernel")" "$@" ;;
	esac
}

# rapidio_core KERNEL FOLDER - makes Linux's own rapidio core, which the kernels lack, in FOLDER
# from their source, as it is there
rapidio_core()
{
	local version f

	version=$(source_version "$1")
	"$VM/source-tree" "$version"
	mkdir -p "$2"
	for f in rio rio-access rio-driver rio-scan rio-sysfs; do
		cp -p "$(source_folder "$version")/drivers/rapidio/$f.c" "$2/"
	done
	cp -p "$(source_folder "$version")/drivers/rapidio/rio.h" "$2/"
	cat >"$2/Kbuild" <<-'END'
		obj-m := rapidio.o rio-scan.o
		rapidio-y := rio.o rio-access.o rio-driver.o rio-sysfs.o
		ccflags-y := -DCONFIG_RAPIDIO_DISC_TIMEOUT=30 -DCONFIG_RAPIDIO_ENABLE_RX_TX_PORTS=1
	END
	# A kernel that is only prepared has no symbols yet
	make_folder "$1" "$2" KBUILD_MODPOST_WARN=1
}

# make_modules KERNEL FOLDER ARGUMENT... - makes the modules in FOLDER, with all warnings, so
# that lint and the tests share a build.  Samples are built, so that they stay right.
make_modules()
{
	local kernel=$1 folder=$2 core=$2/build/rapidio

	shift 2
	rapidio_core "$kernel" "$core" &&
		make_folder "$kernel" "$folder" W=1 SAMPLES=1 RAPIDIO="$core" \
			KBUILD_EXTRA_SYMBOLS="$core/Module.symvers" "$@"
}

# cards_memory KERNEL - the parameter that reserves memory for the emulated cards, beyond the
# RAM of a user-mode kernel
cards_memory()
{
	# shellcheck disable=SC2016
	case $1 in
	uml*)	echo 'memmap=16M$64G' ;;
	*)	echo 'memmap=16M$1G' ;;
	esac
}

# demo_file KERNEL - the file that the demo sends: the image of Debian's kernel, and modules
# until it is large enough
demo_file()
{
	local f file=$BUILD/$1-data/file

	mkdir -p "${file%/*}"
	cp -L "$BUILD/stock/vmlinuz" "$file"
	find "$BUILD/stock/kernel/" -name '*.ko.xz' | sort | while read -r f; do
		[ "$(stat -c %s "$file")" -lt 10000000 ] || break
		cat "$f" >>"$file"
	done
	echo "$file"
}

# demo_llps - what the demo can run over
demo_llps()
{
	basename -s .sh "$VM"/guest/media/*.sh
}

# copy_sources FOLDER - copies this tree without build products.  Unchanged files keep their
# times, so that make rebuilds little; others are new, including those that were edited during
# the last build
copy_sources()
{
	mkdir -p "$1"
	rsync -rlp --checksum --delete --exclude=/.git --exclude-from="$ROOT/.gitignore" \
		"$ROOT/" "$1/"
}

case $ROOT in
*[[:space:]:]*) die "kernel builds need a path without blanks and colons: $ROOT" ;;
esac
mkdir -p "$BUILD" 2>/dev/null || :
[ -w "$BUILD" ] || die "cannot write to $BUILD: it belongs to $(stat -c %U "$BUILD" 2>/dev/null || echo another user)"
