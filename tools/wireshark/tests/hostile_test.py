#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The dissectors complete on any input: vectors truncated at every length, with changed
bytes, and random bytes.  SEED in the environment selects the random ones."""

import os
import random
import sys

import fcvi_wire
from hippi_fp_vectors import octets, of_kind
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


FC_HEAD = ETH_HEAD + 14 + 24    # with the headers of FCoE and FC


def random_iu(rng):
    """An IU with any numbers in its headers, of few ports, handles and Messages."""
    name = rng.choice(list(fcvi_wire.IUS))
    number = rng.choice((0, 1, 2, fcvi_wire.NONE, rng.getrandbits(32)))
    head = fcvi_wire.header(name, handle=rng.randrange(3), flags=rng.randrange(32),
                            msg_id=rng.randrange(3), param=number, rmt_va=number, tail=number)
    payload = rng.choice((b'', rng.randbytes(rng.randrange(700)), fcvi_wire.connect(
        rng.randrange(3), rem=('::1', fcvi_wire.ST), level=rng.randrange(5))))
    dst, src = rng.choice(((1, 2), (2, 1)))
    fc = {'f_ctl': rng.getrandbits(24) & ~3, 'df_ctl': rng.randrange(4), 'ox_id': rng.randrange(2),
          'seq_cnt': rng.randrange(5), 'parameter': rng.choice((0, 0, 4, 256, number))}
    few = {n: v for n, v in fc.items() if rng.randrange(2)}
    return fcvi_wire.send(name, head + payload, dst, src, **few)


def check_fcvi(tap, rng):
    ius = [fcvi_wire.send(v['name'], v['header'] + bytes(8)) for v in vectors.fcvi_ius()]
    ius += fcvi_wire.setup(discrim=fcvi_wire.ST) + fcvi_wire.message(
        'SEND_RQST', operation('Data', payload=bytes(100)), 64, handle=20, msg_id=1)
    # Wireshark's own dissectors call those malformed that lack the CRC
    check(tap, 'IUs of FC-VI cut at every length', cuts(ius, FC_HEAD + 8), ETHERNET)
    check(tap, 'IUs of FC-VI changed', changed(rng, ius, FC_HEAD), ETHERNET)
    check(tap, 'IUs of FC-VI with any numbers', ((random_iu(rng),) for _ in range(FRAMES)),
          ETHERNET)


def check_hippi_fp(tap, rng):
    packets = [octets(words[-1]) for kind in ('fp', 'st', 'bad', 'odd', 'mark')
               for words in of_kind(kind)]
    # Wireshark's own dissectors call what is in a damaged IP packet malformed
    frames = [bytes(12) + b'\x81\x80' + p for p in packets if p and p[0] != 4]
    few = [f for f in frames if len(f) < 200]
    check(tap, 'packets of HIPPI-FP cut at every length', cuts(few, ETH_HEAD), ETHERNET)
    check(tap, 'packets of HIPPI-FP changed', ((f,) for f, in changed(rng, few, ETH_HEAD)
                                               if f[14:15] != b'\x04'), ETHERNET)
    heads = (b'\x0c\0\0', b'\x80\x80\0', b'\x04\0\0', b'\x85\xc0\0')
    check(tap, 'random bytes for packets of HIPPI-FP',
          ((bytes(12) + b'\x81\x80' + rng.choice(heads) + rng.randbytes(1 + rng.randrange(90)),)
           for _ in range(FRAMES)), ETHERNET)


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
    check_fcvi(tap, rng)
    check_hippi_fp(tap, rng)
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
