#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The dissectors complete on any input: vectors truncated at every length, with changed
bytes, and random bytes.  SEED in the environment selects the random ones."""

import os
import random
import sys

from rio9_wire import packets, tunnel
from shark import ETHERNET, USER0, USER2, pcap, tshark
from st_wire import ethernet, operation, snap
from tap import Tap
from upkt_wire import message
import vectors

TROUBLE = ('Lua Error', 'Malformed', 'Exception', 'bug')
FRAMES = 1000       # random ones of each kind
ETH_HEAD, SNAP_HEAD = 14, 22    # bytes that are not ours


def check(tap, name, frames, link):
    frames = list(frames)
    text = tshark(pcap(((n, *f) for n, f in enumerate(frames)), link), '-2', '-T', 'fields',
                  '-e', 'frame.number', '-e', '_ws.expert.message')
    lines = text.splitlines()
    problems = [line for line in lines if any(t in line for t in TROUBLE)][:10]
    if len(lines) != len(frames):
        problems.append(f'{len(lines)} frames came out of {len(frames)}')
    tap.result(f'hostile: {name}', problems)


def cuts(frames, head=0):
    """Each frame truncated at every length after its header: on the wire, or in the capture."""
    for data in frames:
        for n in range(head, len(data)):
            yield (data[:n],)
            yield data[:n], len(data)


def changed(rng, frames, head=0):
    """Frames with some bytes changed after their header."""
    for _ in range(FRAMES):
        data = bytearray(rng.choice(frames))
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(head, len(data))] = rng.choice((0, 0xff, rng.randrange(256)))
        yield (bytes(data),)


def check_rio9(tap, rng, ops):
    frames = [v['packet'] for v in vectors.rio9_packets()]
    for op in ops:
        frames += packets(op, rng.choice((32, 64)), channel=rng.randrange(16))
    check(tap, 'packets of RapidIO cut at every length', cuts(frames[:60]), USER2)
    check(tap, 'packets of RapidIO changed', changed(rng, frames), USER2)
    check(tap, 'random bytes for packets of RapidIO',
          ((rng.randbytes(rng.randrange(90)),) for _ in range(FRAMES)), USER2)
    check(tap, 'random payload of Type 9', ((rng.choice((b'\0\x09', b'\0\x19', b'\0\x18')) +
                                             rng.randbytes(4 * rng.randrange(20) + 2),)
                                            for _ in range(FRAMES)), USER2)


def check_tunnel(tap, rng):
    inside = list(packets(operation('Data', payload=bytes(100)), 64))
    frames = [tunnel(inside, number) for number in range(3)] + [tunnel(inside, 1 << 31)]
    check(tap, 'frames of the tunnel cut at every length', cuts(frames, ETH_HEAD), ETHERNET)
    check(tap, 'frames of the tunnel changed', changed(rng, frames, ETH_HEAD), ETHERNET)


def main():
    seed = int(os.environ.get('SEED') or 1)
    print(f'# SEED={seed}')
    rng = random.Random(seed)
    tap = Tap()
    ops = [v['hdr'] + v.get('payload', b'')[:40] for v in vectors.operations()]
    upkts = [v['upkt'] for v in vectors.upkts()]
    for v in vectors.messages():
        upkts += [v['upkts'][n:n + 40] for n in range(0, len(v['upkts']), 40)]

    frames = [ethernet(data) for data in ops]
    frames += [ethernet(bytes(8) + ops[0]), ethernet(operation('Data'))]
    check(tap, 'operations cut at every length', cuts(frames, ETH_HEAD), ETHERNET)
    check(tap, 'operations cut at every length, LLC/SNAP', cuts([snap(ops[-1])], SNAP_HEAD),
          ETHERNET)
    check(tap, 'operations changed', changed(rng, frames, ETH_HEAD), ETHERNET)
    check(tap, 'random bytes for operations',
          ((ethernet(rng.randbytes(rng.randrange(120))),) for _ in range(FRAMES)), ETHERNET)
    check(tap, 'micropackets cut at every length', cuts(upkts[:12]), USER0)
    check(tap, 'micropackets changed', changed(rng, upkts), USER0)
    check(tap, 'random bytes for micropackets',
          ((rng.randbytes(40),) for _ in range(FRAMES)), USER0)
    inside = (u for n in range(0, FRAMES, 4) for u in message(rng.randbytes(rng.randrange(100)), n))
    check(tap, 'random operations in Messages', ((u,) for u in inside), USER0)
    check_rio9(tap, rng, ops)
    check_tunnel(tap, rng)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
