#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tables, JSON and plots of what bench/guest measured.

usage: report.py OUT FOLDER    figures of OUT into FOLDER: bench.json, *.svg
       report.py --compare OLD NEW
"""

import json
import re
import statistics
import sys

LINE = re.compile(r'^bench: ([^|]+)\|([^|]+)\|([^|]+)\|([^|]+)\|(\d+)\s*$')
LINE_RATE = 800e6       # HIPPI-6400: payload bytes a second
UNITS = {               # of the figures: what to show, and how many make one of it
    'B/s': ('MB/s', 1e6, 0),
    'ns': ('us', 1e3, 1),
    'PDUs/s': ('PDUs/s', 1, 0),
    'segments/s': ('M segments/s', 1e6, 2),
    'B': ('bytes', 1, 0),
    'share': ('equal', 1e6, 3),
    'c/kB': ('cycles/byte', 1e3, 2),
}
OTHER_LINE = ('RapidIO', 'rio9', 'Fibre Channel')    # in the names of groups that have another line rate
ONE_ROW = ('fetchop',)  # whose size can't be chosen
OURS = ('st', 'encode', 'decode', 'encode-clmul', 'decode-clmul', 'put-polled', 'put-event', 'get',
        'fetchop', 'segment', 'reassemble', 'receive', 'all', 'mtu-32', 'mtu-64', 'mtu-256',
        'st-emu', 'st-eth', 'st-fcle', 'st-fcle-64k', 'st-fcvi', 'st-fcvi-64k', 'vipl', 'vipl-rr')


def read(path):
    """{group: {'unit': unit, 'rows': {row: {peer: [values]}}}}, in the order of the lines."""
    groups = {}
    with open(path, encoding='utf-8', errors='replace') as out:
        for text in out:
            m = LINE.match(text)
            if m:
                group = groups.setdefault(m[1], {'unit': m[4], 'rows': {}})
                group['rows'].setdefault(m[2], {}).setdefault(m[3], []).append(int(m[5]))
            elif text.startswith('bench: ') and '|' in text:
                raise ValueError(f'{path}: no figure: {text.strip()}')
    if not groups:
        raise ValueError(f'{path}: no figures')
    check_complete(path, groups)
    return groups


def check_complete(path, groups):
    """Checks that each row has each peer, and that all were measured equally often."""
    for name, group in groups.items():
        for row, by_peer in group['rows'].items():
            for peer in peers_of(group):
                if peer not in by_peer and peer not in ONE_ROW:
                    raise ValueError(f'{path}: {name}, {row}: no figures of {peer}')
    cells = [(f'{name}, {row}, {peer}', len(values)) for name, group in groups.items()
             for row, by_peer in group['rows'].items() for peer, values in by_peer.items()]
    most = max(count for _, count in cells)
    for where, count in cells:
        if count != most:
            raise ValueError(f'{path}: {where}: found {count} values, expected {most}')


def shown(unit, value):
    label, scale, digits = UNITS[unit]
    if value < scale:
        digits = 3
    return f'{value / scale:.{digits}f} {label}'


def spread(values):
    return (max(values) - min(values)) / statistics.median(values) * 100


def peers_of(group):
    return list(dict.fromkeys(p for row in group['rows'].values() for p in row))


def table(name, group):
    """Our rates are also shown as multiples of the line rate, and the others by ours."""
    unit, peers = group['unit'], peers_of(group)
    print(f'\n{name}: median, (spread)')
    for row, by_peer in group['rows'].items():
        cells = []
        first = statistics.median(by_peer[peers[0]])
        for peer, values in by_peer.items():
            median = statistics.median(values)
            cell = f'{peer} {shown(unit, median)} ({spread(values):.0f} %)'
            if peer not in OURS:
                cell += f' {peers[0]} x{first / median:.2f}'
            elif unit == 'B/s' and not any(word in name for word in OTHER_LINE):
                cell += f' {median / LINE_RATE:.2f} line'
            cells.append(cell)
        print(f'  {row:>16}  ' + '   '.join(cells))


def first_to_last(group):
    """The ratio of the last row of a peer to the first, in the same repetition."""
    first, *_, last = group['rows'].items()
    cells = [f'{peer} x{statistics.median(b / a for a, b in zip(first[1][peer], values)):.2f}'
             for peer, values in last[1].items()]
    print(f'  {last[0]} over {first[0]}: ' + '   '.join(cells))


def plot(name, group, folder):
    import matplotlib
    matplotlib.use('svg')
    from matplotlib import pyplot
    rows, peers = list(group['rows']), peers_of(group)
    label, scale, _ = UNITS[group['unit']]
    fig, ax = pyplot.subplots(figsize=(8, 4))
    for peer in peers:
        here = [r for r in rows if peer in group['rows'][r]]
        values = [group['rows'][r][peer] for r in here]
        mid = [statistics.median(v) / scale for v in values]
        low = [m - min(v) / scale for m, v in zip(mid, values)]
        high = [max(v) / scale - m for m, v in zip(mid, values)]
        ax.errorbar(here, mid, yerr=[low, high], marker='o', capsize=3, label=peer)
    ax.set_ylim(bottom=0)
    ax.set_ylabel(label)
    ax.set_title(name)
    ax.legend()
    fig.savefig(f"{folder}/{re.sub('[^a-z0-9]+', '-', name.lower())}.svg")
    pyplot.close(fig)


def compare(old, new):
    with open(old, encoding='utf-8') as f:
        before = json.load(f)
    with open(new, encoding='utf-8') as f:
        after = json.load(f)
    for name, group in after.items():
        if all(peer in OURS for peer in peers_of(group)):
            continue    # rates alone cannot be compared
        print(f'\n{name}: first peer over each other one, then and now')
        ours = peers_of(group)[0]
        for row, by_peer in group['rows'].items():
            was = before.get(name, {}).get('rows', {}).get(row, {})
            cells = []
            for peer, values in by_peer.items():
                if peer in OURS:
                    continue
                now = statistics.median(by_peer[ours]) / statistics.median(values)
                then = 'new'
                if ours in was and peer in was:
                    then = f'{statistics.median(was[ours]) / statistics.median(was[peer]):.2f}'
                cells.append(f'{peer} {then} -> {now:.2f}')
            cells += [f'{peer} is gone' for peer in was if peer not in by_peer]
            print(f'  {row:>16}  ' + '   '.join(cells))
        for row in before.get(name, {'rows': ()})['rows']:
            if row not in group['rows']:
                print(f'  {row:>16}  is gone')
    for name in before:
        if name not in after:
            print(f'\n{name}: is gone')


def main():
    if len(sys.argv) == 4 and sys.argv[1] == '--compare':
        compare(*sys.argv[2:])
        return
    out, folder = sys.argv[1:]
    try:
        groups = read(out)
    except ValueError as e:
        sys.exit(str(e))
    for name, group in groups.items():
        table(name, group)
        if name.startswith('one of many'):
            first_to_last(group)
        plot(name, group, folder)
    with open(f'{folder}/bench.json', 'w', encoding='utf-8') as f:
        json.dump(groups, f, indent=1)
    print(f'\n{folder}/bench.json and plots (*.svg) are written')


if __name__ == '__main__':
    main()
