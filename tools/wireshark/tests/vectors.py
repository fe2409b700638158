# SPDX-License-Identifier: GPL-2.0
"""The golden vectors of the KUnit suites, read from their C sources."""

import os
import re

ROOT = os.path.dirname(os.path.abspath(__file__)) + '/../../..'
OP = re.compile(r'ST_OP_(\w+)\s*=\s*(0x\w+)')
MEMBER = re.compile(r'\.(\w+) = (\{[\sxa-f\d,]*\}|"[^"]*"|[\w()]+(?: / \w+)?),')
ARRAY = re.compile(r'static const u8 (\w+)\[\] = \{([^}]*)\};')


def source(path):
    with open(f'{ROOT}/{path}') as f:
        return re.sub(r'/\*.*?\*/', '', f.read(), flags=re.S)


def value(text, names):
    """A C initializer: a number, a string, an array of bytes or a name."""
    if text.startswith('"'):
        return text.strip('"')
    if text.startswith('{'):
        return bytes(int(x, 0) for x in re.findall(r'\w+', text))
    return names[text] if text in names else int(text, 0)


def elements(text, names):
    """The elements of the array of structures at the end of a file."""
    for element in re.split(r'\n\t\},\n', text[text.index('[] = {\n\t{'):]):
        members = {n: value(v, names) for n, v in MEMBER.findall(element)
                   if not v.startswith('sizeof')}
        if members:
            yield members


def operations():
    """Dictionaries of name, hdr, payload, and of the header fields by name."""
    codes = {f'ST_OP_{n}': int(v, 0) for n, v in OP.findall(source('net/st/wire/op.h'))}
    return list(elements(source('net/st/tests/op_vectors.c'), codes))


def segments():
    """Data operations of a Block: dictionaries of hdr and payload."""
    return list(elements(source('net/st/tests/segment_vectors.c'), {}))


def upkts():
    """Micropackets outside Messages: name, vc, type, vcr, cr, tseq, rseq, upkt."""
    text = source('drivers/net/hippi6400/tests/vectors_upkt.h')
    return list(elements(text[text.index('h64_link_vector h64_'):], {}))


def messages():
    """Messages: name, vc, d_ula, s_ula, proto, m_len, tseq, rseq, payload, upkts."""
    text = source('drivers/net/hippi6400/tests/vectors_msg.h')
    arrays = {n: value('{' + v + '}', {}) for n, v in ARRAY.findall(text)}
    return list(elements(text[text.index('h64_msg_vector h64_'):], {**arrays, 'NULL': b''}))
