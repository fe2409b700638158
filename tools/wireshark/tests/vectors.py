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


# Bytes of RapidIO in C strings, which may go over several lines
STRINGS = re.compile(r'"((?:[^"\\]|\\.)*)"')
INITIALIZER = r'\{ ([^{}]*?(?:\{[^{}]*\}[^{}]*?)?)\s*"((?:[^"\\]|\\.|"\s*")*)" \},?\n'


def joined(text):
    return re.sub(r'"\s*"|\\n', '', text)


def rio9_packets():
    """Packets: large, channel, dst, src, packet."""
    text = source('drivers/net/rio9/tests/vectors_packet.c')
    text = text[text.index('rio9_packet_vectors[] = {'):text.index('rio9_packet_vectors_count')]
    for head, packet in re.findall(INITIALIZER, text):
        large, *numbers = head.strip(' \n\t,').split(', ')
        yield dict(zip(('channel', 'dst', 'src'), (int(n, 0) for n in numbers)),
                   large=large == 'true', packet=bytes.fromhex(joined(packet)))


def rio9_messages():
    """TM packets: name, cos, stream, op, wildcard, mask, param1, param2, logical part."""
    text = source('drivers/net/rio9/tests/vectors_packet.c')
    text = text[text.index('rio9_tm_vectors[] = {'):]
    for name, cos, stream, tm, logical in re.findall(
            r'\{ "([^"]+)", (\w+), (\w+), \{ ([^}]*) \},\s*"(\w+)" \}', text):
        yield dict(zip(('op', 'wildcard', 'mask', 'param1', 'param2'),
                       (int(n, 0) for n in tm.split(', '))),
                   name=name, cos=int(cos, 0), stream=int(stream, 0),
                   logical=bytes.fromhex(logical))


def rio9_cases():
    """What comes to a port: name, mtu, max_pdu, contexts, and packets with what follows."""
    text = source('drivers/net/rio9/tests/vectors_case.h')
    text = text[text.index('rio9_case_vectors[] = {'):]
    for name, numbers, script in re.findall(
            r'\{ "([^"]+)", ([\d, ]+),((?:\s*"(?:[^"\\]|\\.)*")+) \}', text):
        script = joined(''.join(STRINGS.findall(script)))
        yield dict(zip(('mtu', 'max_pdu', 'contexts'), map(int, numbers.split(', '))), name=name,
                   steps=[(bytes.fromhex(p), e) for p, e in
                          (step.split('|') for step in script.split(';')[:-1])])


def rio9_pdus():
    """PDUs with all their segments: len, mtu, cos, stream, payload, logical parts."""
    text = source('drivers/net/rio9/tests/vectors_payload.c')
    payloads = {int(n): bytes.fromhex(joined(x)) for n, x in
                re.findall(r'\{ (\d+),\s*"((?:[^"\\]|\\.|"\s*")*)" \}', text)}
    for size in ('small', 'large'):
        for head, script in re.findall(
                r'\{ ([\w, ]+),((?:\s*"(?:[^"\\]|\\.)*")+) \}',
                source(f'drivers/net/rio9/tests/vectors_pdu_{size}.c')):
            length, mtu, cos, stream, _, total, _ = (int(n, 0) for n in head.split(', '))
            if not total:
                steps = joined(''.join(STRINGS.findall(script))).split(';')[:-1]
                yield {'len': length, 'mtu': mtu, 'cos': cos, 'stream': stream,
                       'payload': payloads[length],
                       'logical': [bytes.fromhex(s.split()[1]) for s in steps]}


def fcvi_ius():
    """IUs of FC-VI: name, r_ctl, df_ctl, f_ctl, header, and the fields that are not zero."""
    text = source('drivers/net/fcvi/tests/wire_test.c')
    for name, numbers, header, members in re.findall(
            r'\{ "(\w+)", ((?:\w+,\s+){4})\{([^}]*)\},\s*\{([^}]*)\} \}', text):
        r_ctl, df_ctl, f_ctl, _ = (int(n, 0) for n in re.findall(r'\w+', numbers))
        yield {'name': name, 'r_ctl': r_ctl, 'df_ctl': df_ctl, 'f_ctl': f_ctl,
               'header': bytes(int(x, 0) for x in re.findall(r'\w+', header)),
               'fields': {n: int(v, 0) for n, v in
                          re.findall(r'\.(\w+) = (\w+)', members) if n != 'opcode'}}


def fcvi_payload():
    """A payload of a FCVI_CONNECT_RQST."""
    text = source('drivers/net/fcvi/tests/payload_test.c')
    payload = bytearray(340)
    words = text[text.index('test_words[] = {'):text.index('test_rqst')]
    for at, word in re.findall(r'\{ (\d+), (0x\w+) \}', words):
        payload[int(at):int(at) + 4] = int(word, 0).to_bytes(4, 'big')
    return bytes(payload)
