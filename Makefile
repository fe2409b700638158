# SPDX-License-Identifier: GPL-2.0

KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
TESTING := tools/testing
OLDEST := 6.12
LLPS := $(notdir $(basename $(wildcard $(TESTING)/vm/guest/media/*.sh)))

export PREFIX

all: modules tools

help:
	@echo 'Build:'
	@echo '  all          - modules and tools (default)'
	@echo '  modules      - hippi6400_link, hippi6400, hippi6400_emu, rio9, rio9_emu,'
	@echo '                 rio9_eth, fc2, fcvi, hippi_fp, af_st, st_hippi6400, st_ethernet, st_rio9, st_fcle,'
	@echo '                 st_fcvi, st_fp;'
	@echo "                 rio9_mport, for a kernel that has Linux's RapidIO core"
	@echo '  tools        - stcat, stmem, stping, ststat, fcport, hippictl, rio9ctl (need libmnl),'
	@echo '                 libvipl'
	@echo '  install      - modules into /lib/modules, tools and man pages into PREFIX'
	@echo '  clean        - remove what the targets above build'
	@echo '  distclean    - clean, and remove build/ (kernels, virtual machines)'
	@echo ''
	@echo 'Show and test, in virtual machines (Debian 12):'
	@echo '  demo         - send a file between two emulated cards, or over another LLP'
	@echo '  check        - Wireshark dissectors, KUnit suites, system tests on a user-mode kernel,'
	@echo "                 some of them on Debian's Linux 6.12 and 7.3"
	@echo "  check-all    - the same, and all system tests on Debian's kernel of version KERNEL"
	@echo '  check-debug  - KUnit suites and system tests with KASAN, lockdep, kmemleak'
	@echo '  check-smp    - KUnit suites, fuzzers and tests in which CPUs race, on a user-mode'
	@echo '                 kernel 7.3 with two CPUs and lockdep'
	@echo '  soak         - random traffic between four ports under all kinds of faults'
	@echo '  bench        - speed of codec, sockets and lent memory, compared with TCP and others'
	@echo '  bench-compare - changes since the figures that are in the tree'
	@echo '  bench-profile - where the time goes in some of the benchmarks'
	@echo '  lint         - static checks'
	@echo ''
	@echo 'Variables:'
	@echo '  KDIR         - kernel build folder [$(KDIR)]'
	@echo '  PREFIX       - installation folder of the tools [$(PREFIX)]'
	@echo '  DESTDIR      - prepended to every installed path'
	@echo '  SAMPLES      - 1 to build samples/st_llp, a lower-layer protocol to start from, too'
	@echo '  DURATION     - seconds of soak [600]'
	@echo '  SEED         - seed of its random choices [another each time]'
	@echo '  KERNEL       - kernel of soak: stock, debug or uml-debug [uml-debug]; version that'
	@echo '                 check-all tests, 6.12 or 7.3 [6.12]'
	@echo '  REPEAT       - number of times that bench measures each figure [5]'
	@echo '  TEST         - test that soak runs [hippi6400/soak.test], fc/fcvi_fuzz.test,'
	@echo '                 hippi_fp/fuzz.test, rio9/fuzz.test, st/fuzz.test or st/abuse.test'
	@echo '  LLP          - LLP of demo, one of $(LLPS) [hippi6400]'
	@echo '  JOBS         - compilers at a time for demo, check and lint [number of CPUs]'

# kbuild takes the folder from M=; it reads Kbuild, not this file.
modules:
	@test -e $(KDIR)/Makefile || { \
		echo 'No kernel to build for in $(KDIR): install the headers of the' \
		     'running kernel or name a build folder with KDIR=.' >&2; exit 1; }
	@v=$$($(MAKE) -s --no-print-directory -C $(KDIR) kernelversion) && \
	printf '%s\n' $(OLDEST) "$$v" | sort -V -C || { \
		echo "Linux $(OLDEST) or newer is needed: $(KDIR) is of Linux $$v." >&2; exit 1; }
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

tools:
	$(MAKE) -C tools/st
	$(MAKE) -C tools/vipl

install: modules_install tools_install

# Distributors' kernels ask for signatures with a key that they keep.
modules_install:
	$(MAKE) -C $(KDIR) M=$(CURDIR) CONFIG_MODULE_SIG_ALL= $(if $(DESTDIR),INSTALL_MOD_PATH=$(DESTDIR)) modules_install
	depmod $(if $(DESTDIR),-b $(DESTDIR)) \
		$$($(MAKE) -s --no-print-directory -C $(KDIR) kernelrelease)

tools_install:
	$(MAKE) -C tools/st install
	$(MAKE) -C tools/vipl install

# Without KDIR, which may be gone.
clean:
	$(MAKE) -C tools/st clean
	$(MAKE) -C tools/vipl clean
	rm -f samples/vipl/vipl_sample
	$(MAKE) -C $(TESTING)/selftests/fc clean
	$(MAKE) -C $(TESTING)/selftests/hippi6400 clean
	$(MAKE) -C $(TESTING)/selftests/hippi_fp clean
	$(MAKE) -C $(TESTING)/selftests/rio9 clean
	$(MAKE) -C $(TESTING)/selftests/st clean
	find . -path ./build -prune -o -path ./.git -prune -o -type f \( -name '*.o' -o \
		-name '*.a' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' -o \
		-name '.*.cmd' -o -name '.*.d' -o -name modules.order -o -name Module.symvers -o \
		-name .module-common.c \) -exec rm -f {} +

distclean: clean
	rm -rf build

demo:
	LLP='$(LLP)' $(TESTING)/vm/demo

check:
	$(TESTING)/check reports dissector uml stock stock-7.3

check-all:
	$(TESTING)/check reports dissector kunit uml all-$(or $(KERNEL),6.12)

check-debug:
	$(TESTING)/check uml-debug debug

check-smp:
	$(TESTING)/check smp

soak:
	KERNEL='$(KERNEL)' DURATION='$(DURATION)' SEED='$(SEED)' TEST='$(TEST)' \
		$(TESTING)/soak

bench:
	REPEAT='$(REPEAT)' $(TESTING)/bench/bench

bench-compare:
	$(TESTING)/bench/bench compare

bench-profile:
	$(TESTING)/bench/bench profile

lint:
	$(TESTING)/lint

.PHONY: all help modules tools install modules_install tools_install clean distclean \
	demo check check-all check-debug check-smp soak bench bench-compare bench-profile lint
