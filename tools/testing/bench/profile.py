#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tables of where the time goes, from the samples of bench/guest.

usage: profile.py OUT...
"""

import collections
import re
import sys

LINE = re.compile(r'^profile: ([^|]+)\|([^|]+)\|([^|]+)\|(\d+) ?(.*?)\s*$')
FUNCTIONS = 10          # of each peer
APART = ('program, system call', 'idle')        # groups whose functions are not told
KIB = 1024
CARDS = ('card, micropackets', 'RapidIO')       # copies by these are not for a socket
UNITS = {'B/s': 'ns/KiB', 'ns': 'us/turn', 'PDUs/s': 'us/PDU'}

# Functions that switch interrupts on again, so that pending ones arrive: the time is
# that of the caller.
LATE = re.compile(r'unblock_signals$|um_set_signals$|_?_raw_spin_unlock_irq')
# Functions of general use: named with their caller
NAMED = re.compile(r'_*mem(cpy|set|move|cmp)|_*(raw_)?copy_|_copy_|rep_movs|csum_partial|'
                   r'k[vz]*free|kmem_cache_|_*kmalloc|_raw_|xas?_|rhashtable|rht_')
# Functions of no interest
NOT_NAMED = re.compile(r'_*rcu_read_|_*x86_return_thunk')

# Groups of functions, which are NAME or NAME[MODULE]: the first match counts.  If there is
# none, the callers decide.
GROUPS = [(name, re.compile(pattern)) for name, pattern in (
    ('card, micropackets', r'.*\[hippi6400|machine_|__raw_(read|write)[bwlq]'),
    ('ST', r'.*\[(af_st|st_ethernet|st_hippi6400|st_rio9|llc|psnap)'),
    ('RapidIO', r'.*\[rio9'),
    ('Fibre Channel', r'.*\[(fc2|fcvi|st_fc)'),
    ('copying', r'_*mem(cpy|move)|_*(raw_)?copy_(user|page|to|from|chunk|mc)|rep_movs|_copy_|'
     r'do_op_one_page|virt_to_pte|maybe_map|buffer_op|.*iov_iter|_*skb_datagram_iter|'
     r'simple_copy_to|skb_copy_|csum_and_copy|csum_partial_copy|.*get_user_pages|.*pin_user_page|'
     r'gup_|try_grab|follow_page|check_and_migrate_movable'),
    ('checksums', r'.*csum|.*checksum|.*crc'),
    ('TCP/IP', r'_*tcp|_*ip_|_*ipv?[46]|_*inet|_*raw_local_deliver|_*rt_|_*fib|_*neigh|_*dst_|'
     r'_*sk_|sock_[rwe]free|bictcp|cubictcp|nf_|release_sock|_*lock_sock|udp|minmax_|stream_'),
    ('devices', r'.*\[veth|_*dev_|_*netif|_*netdev|_*napi_(poll|gro|complete|schedule)|.*gro_|'
     r'process_backlog|net_rx_action|enqueue_to_backlog|eth_|_*skb_(gso|segment|mac_gso)|'
     r'validate_xmit|_*qdisc|pfifo|noqueue|deliver_skb|passthru|_*skb_defer|_*skb_scrub'),
    ('memory', r'xas?_|__xa|radix_tree|_*alloc_(skb|page|frozen)|_*kmem_cache|.*slab|'
     r'_*kmalloc|k[vz]*free|_*free_|_*skb|__?pskb|consume_skb|_*build_skb|_*folio|_*put_page|'
     r'napi_pp|_*page_(pool|frag)|.*memcg|.*mem_cgroup|_*memset|clear_page|get_page|_*rmqueue|'
     r'.*freelist|.*_partial|_*mod_(node|zone|lruvec|memcg|objcg)|.*obj_cgroup|sock_alloc_send'),
    ('program, system call', r'user$|userspace$|[gp][eu]t_fp_registers|wait_stub|.*ptrace|'
     r'syscall_|handle_syscall|_*sys_|_*(x64|se|do)_sys|sock_(send|recv|alloc)|____sys|sockfd|'
     r'_*f(dget|get|put)|import_|entry_|do_syscall|x64_sys|move_addr|interrupt_end|security_|'
     r'ret_from_fork|current_mm|um_tlb|.*exit_to_user|.*mm_fault|.*mmap|fpregs|'
     r'_*[gp][eu]t_user_|init_new_context'),
    ('locks', r'_*raw_(spin|read|write)|.*spin_|_*mutex|_*local_bh|_*preempt|up_|down_|.*rwsem|'
     r'_*srcu|_*rcu_read'),
    ('idle', r'.*default_idle|os_idle_sleep|um_idle|.*safe_halt|arch_cpu_idle|.*_idle_enter'),
    ('scheduling, waking up', r'_*schedule|preempt_schedule|try_to_wake|.*_wake|ttwu|pick_|'
     r'_*(en|de)queue_(task|entity)|update_(curr|load|rq|min|cfs|entity|se)|set_next|put_prev|'
     r'finish_task|_*switch_|prepare_to|finish_wait|.*wait|select_(task|idle)|_*sched_|avg_vrun|'
     r'entity_|place_entity|task_|.*resched|wakeup|do_idle|cpu_startup|flush_smp|_*smp_|.*_ipi|'
     r'.*send_IPI|x2apic|.*nohz|ct_|reweight|sock_def_|_*ep_|complete|load_new_mm|'
     r'.*_sysvec_(resched|call)|generic_smp_call|_*flush_smp|.*longjmp|.*setjmp'),
    ('timers, interrupts, RCU', r'.*timer|.*tick|os_nsecs|.*ktime|.*clock|.*_tsc|.*irq|do_IRQ|'
     r'_*(asm_)?sysvec|.*apic|_*rcu|call_rcu|.*work|.*jiffies|handle_|native_read|pvclock|'
     r'asm_common|.*timekeep|.*signals'),
)]


class Case:
    """The samples of a peer: how often each function was seen, and the speed."""

    def __init__(self):
        self.seen = collections.Counter()       # (group, function)
        self.unit = ''
        self.value = 0

    def total(self):
        return sum(self.seen.values())

    def groups(self):
        groups = collections.Counter()
        for (group, _), n in self.seen.items():
            groups[group] += n
        return groups

    def cost(self, n):
        """The time of n of all samples, in what UNITS says, for a round trip of all CPUs."""
        share = n / self.total()
        if self.unit == 'B/s':
            return share * 1e9 * KIB / self.value
        if self.unit == 'PDUs/s':
            return share * 1e6 / self.value
        return share * self.value / 1e3


def plain(function):
    """A function name without suffixes of the compiler."""
    return re.sub(r'\.(isra|constprop|part|cold|llvm)[.0-9]*', '', function)


def group_of(chain):
    """The group of the first function that has one."""
    for function in chain:
        for group, pattern in GROUPS:
            if pattern.match(function):
                if group == 'copying' and group_of(chain[1:2]) in CARDS:
                    return group_of(chain[1:2])
                return group
    return 'other'


def add(case, n, text):
    chain = [plain(f) for f in text.split()] or ['unknown']
    late = ''
    while len(chain) > 1 and LATE.match(chain[0]):
        chain.pop(0)
        late = ' (interrupts off)'
    name, *callers = chain
    callers = [c for c in callers if c != name and not LATE.match(c) and not NOT_NAMED.match(c)]
    chain = [name] + callers
    if callers and NAMED.match(name):
        name += f' < {callers[0]}'
    case.seen[group_of(chain), name + late] += n


def read(paths):
    """{case: {peer: Case}}"""
    cases = {}
    for path in paths:
        with open(path, encoding='utf-8', errors='replace') as out:
            for m in filter(None, map(LINE.match, out)):
                case = cases.setdefault(m[1], {}).setdefault(m[2], Case())
                if m[3] == 'at':
                    add(case, int(m[4]), m[5])
                else:
                    case.unit, case.value = m[3], int(m[4])
    return cases


def table(name, peers):
    """Groups of all peers side by side, then functions of each."""
    cpus = int(name.rpartition('CPUs: ')[2]) if 'CPUs: ' in name else 1
    for peer in peers.values():
        if peer.unit == 'ns':
            peer.value *= cpus
    unit = UNITS[next(iter(peers.values())).unit]
    print(f'\n{name}: share of the time, and {unit}')
    print(' ' * 27 + ''.join(f'{p:>21}' for p in peers))
    for group in [g for g, _ in GROUPS] + ['other']:
        counts = [peer.groups()[group] for peer in peers.values()]
        if any(counts):
            cells = [f'{n / p.total() * 100:10.1f} % {p.cost(n):8.2f}'
                     for n, p in zip(counts, peers.values())]
            print(f'  {group:25}' + ''.join(cells))
    print(f'  {"all":25}' + ''.join(f'{100:10.1f} % {p.cost(p.total()):8.2f}'
                                    for p in peers.values()))
    for p, peer in peers.items():
        print(f'  {p}: {peer.total()} samples')
        seen = [(f, n) for f, n in peer.seen.most_common() if f[0] not in APART]
        for (group, function), n in seen[:FUNCTIONS]:
            print(f'    {n / peer.total() * 100:5.1f} % {peer.cost(n):8.2f}  {function}  [{group}]')


def main():
    cases = read(sys.argv[1:])
    if not cases:
        sys.exit('no profiles')
    for name, peers in cases.items():
        table(name, peers)


if __name__ == '__main__':
    main()
