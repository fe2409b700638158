#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""A connection in asyncio, and blocking calls that Python repeats after a signal.

usage: st_asyncio.py FD FD

Both ends of a connection; at the second an event of memory waits that nobody reads.
Exit status: the number of failures.
"""

import asyncio
import signal
import socket
import sys

QUIET = 0.3             # seconds
RECORD = 100000         # bytes, within SO_SNDBUF
LONG = 8 << 20          # bytes, more than SO_SNDBUF and SO_RCVBUF
failures = 0


def result(what, well):
    """Counts, and tells, what is wrong."""
    global failures
    failures += not well
    if not well:
        print(f'# asyncio: {what}', flush=True)


async def calls_of_reader(loop, end):
    """How often asyncio wakes a reader that has nothing to read."""
    calls = 0

    def wake():
        nonlocal calls
        calls += 1

    loop.add_reader(end, wake)
    await asyncio.sleep(QUIET)
    loop.remove_reader(end)
    return calls


async def received(loop, end, size):
    """So many bytes, in as many pieces as they come in."""
    record = b''
    while len(record) < size:
        piece = await loop.sock_recv(end, size - len(record))
        if not piece:
            break
        record += piece
    return record


async def records(one, other):
    """Records in both directions, and no wakeups without one."""
    loop = asyncio.get_running_loop()
    calls = await calls_of_reader(loop, other)
    result(f'{calls} wakeups, expected none', calls == 0)
    for source, to in (one, other), (other, one):
        record = bytes(range(250)) * (RECORD // 250)
        reader = loop.create_task(received(loop, to, RECORD))
        await loop.sock_sendall(source, record)
        found = await asyncio.wait_for(reader, 10)
        result(f'{len(found)} bytes, expected the {RECORD} that were sent', found == record)


def record_from(end, size):
    """A record of so many bytes; recvmsg() of Python knows no address of AF_ST."""
    record = b''
    while len(record) < size:
        piece = end.recv(size)
        if not piece:
            break
        record += piece
    return record


def signalled(one, other):
    """A signal whose handler returns hits a record that the peer knows of: it arrives once."""
    one.setblocking(True)
    other.setblocking(True)
    record = bytes(range(256)) * (LONG // 256)
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, QUIET)
    sent = one.send(record)
    result(f'{sent} bytes sent, expected {LONG}', sent == LONG)
    found = record_from(other, LONG)
    result(f'a record of {len(found)} bytes, expected the one that was sent', found == record)
    one.send(b'end')
    found = record_from(other, 3)
    result(f'then {len(found)} bytes, expected the next record', found == b'end')


def main():
    """All of it, with the file descriptors of the arguments."""
    one, other = (socket.socket(fileno=int(fd)) for fd in sys.argv[1:])
    one.setblocking(False)
    other.setblocking(False)
    asyncio.run(records(one, other))
    signalled(one, other)
    return failures


if __name__ == '__main__':
    sys.exit(main())
