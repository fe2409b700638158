# SPDX-License-Identifier: GPL-2.0
"""Capture files, and the output of tshark for them."""

import os
import pwd
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(SCRIPTS), 'testing'))   # for tap
ETHERNET, LINUX_SLL, LINUX_SLL2 = 1, 113, 276     # link types of pcap
USER0, USER1, USER2 = 147, 148, 149
SNAPLEN = 1 << 18
LOADED = 'st hippi6400 hippi6400_file rio9 rio9_eth fcle fcvi hippi_fp'.split()


def pcap(frames, link=ETHERNET):
    """A capture file of (seconds, bytes) or (seconds, bytes, length on the wire)."""
    out = struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, SNAPLEN, link)
    for secs, data, *length in frames:
        out += struct.pack('<IIII', int(secs), round(secs % 1 * 1e6), len(data),
                           *length or [len(data)]) + data
    return out


def block(kind, body):
    body += bytes(-len(body) % 4)
    size = len(body) + 12
    return struct.pack('<II', kind, size) + body + struct.pack('<I', size)


def pcapng(frames, links):
    """A capture file of (interface, bytes) or (interface, bytes, length on the wire), with the link
    type of each interface."""
    out = block(0x0a0d0d0a, struct.pack('<IHHq', 0x1a2b3c4d, 1, 0, -1))
    for link in links:
        out += block(1, struct.pack('<HHI', link, 0, SNAPLEN))
    for number, data, *length in frames:
        out += block(6, struct.pack('<IIIII', number, 0, 0, len(data), *length or [len(data)]) +
                     data)
    return out


def ordinary_user(folder):
    """Arguments for subprocess.run() that make root an unprivileged user, who then owns the
    folder: tshark 4.4, which Debian 13 has, loads no Lua scripts as root."""
    if os.geteuid():
        return {}
    nobody = pwd.getpwnam('nobody')
    for at, _, files in os.walk(folder):
        for name in ('', *files):
            os.chown(os.path.join(at, name), nobody.pw_uid, nobody.pw_gid)
    return {'user': nobody.pw_uid, 'group': nobody.pw_gid, 'extra_groups': []}


def tshark(capture, *options):
    """The output of tshark for a capture file, with the scripts of this tree only."""
    with tempfile.TemporaryDirectory() as home:
        # An ordinary user may not be able to read the tree
        scripts = shutil.copytree(SCRIPTS, os.path.join(home, 'scripts'),
                                  ignore=shutil.ignore_patterns('tests'))
        name = os.path.join(home, 'frames.cap')
        with open(name, 'wb') as f:
            f.write(capture)
        load = [a for script in LOADED
                for a in ('-X', f'lua_script:{scripts}/{script}.lua')]
        run = subprocess.run(['tshark', *load, '-n', '-r', name, *options], cwd=home,
                             env={**os.environ, 'HOME': home, 'TZ': 'UTC', 'LC_ALL': 'C.UTF-8'},
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             errors='replace', check=False,
                             **ordinary_user(home))
    if run.returncode or run.stderr:
        raise RuntimeError(f'tshark: exit status {run.returncode}: ' +
                           '; '.join(run.stderr.splitlines()))
    return run.stdout


class Frame:
    """A frame as a protocol's dissector shows it.

    fields: name: value as PDML has it, of what begins with the protocol's name
    labels: name: what is shown of the field to people
    hidden: names of those that only filters see
    errors: texts of the expert infos
    """

    def __init__(self, packet, proto):
        self.fields = {}
        self.labels = {}
        self.hidden = set()
        self.errors = []
        self.protos = [p.get('name') for p in packet.iter('proto')]
        for p in packet.iter('proto'):
            if p.get('name') == proto:
                for field in p.iter('field'):
                    self.add(field.get('name'), field.get('show'), proto)
                    self.labels[field.get('name')] = field.get('showname')
                    if field.get('hide') == 'yes':
                        self.hidden.add(field.get('name'))

    def add(self, name, show, proto):
        if name == '_ws.expert.message':
            self.errors.append(show)
        elif name in self.fields:
            self.errors.append(f'{name} is there twice')
        elif name.startswith(proto + '.') and show != '':
            self.fields[name] = {'True': '1', 'False': '0'}.get(show, show)


def dissect(capture, proto, *options):
    """Frames of a capture file, in two passes so that answers are known."""
    text = tshark(capture, '-2', '-T', 'pdml', *options)
    return [Frame(p, proto) for p in xml.fromstring(text).iter('packet')]


def info(capture):
    """The Info column of each frame."""
    return tshark(capture, '-2', '-T', 'fields', '-e', '_ws.col.Info').splitlines()


def differences(frame, fields, errors=()):
    """The unexpected, missing and wrong fields of a frame."""
    out = [f'{n}: found {frame.fields.get(n, "nothing")}, expected {fields.get(n, "nothing")}'
           for n in sorted(frame.fields.keys() | fields.keys())
           if frame.fields.get(n) != fields.get(n)]
    if sorted(frame.errors) != sorted(errors):
        out.append(f'errors: found {sorted(frame.errors)}, expected {sorted(errors)}')
    return out
