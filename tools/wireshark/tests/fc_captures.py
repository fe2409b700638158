#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What Wireshark's own dissectors say of a port of fc2 and one of Debian's fcoe.

usage: fc_captures.py FOLDER

FOLDER has what selftests/fc/debian.stock-fcoe captured.  No frame may be malformed or have a
wrong CRC; delimiters and F_CTL have to fit, MAC addresses and IDs belong together, and both sides
have to have sent all that they should.
"""

import sys

from fc_wire import EOFT, SOFI3, mac
from shark import tshark
from tap import Tap

SHOWN = 20      # problems of a test
THEIR_ENODE = '02:00:00:00:00:0b'
THEIR_NAME = '20:00:02:00:00:00:00:0b'
CLAIM, CLAIM_REPLY, BEACON = 3, 4, 5
ETH_HLEN = 14
ELS, REQUEST, REPLY = 1, 0x22, 0x23
# F_CTL: the first and last frame of a Sequence, which hands over the initiative, or ends the
# Exchange; Debian's port does both at once
REQUEST_F_CTL = 0x290000
OUR_F_CTL, THEIR_F_CTL = 0x980000, 0x990000
# Common Service Parameters of PLOGI: continuously increasing offset, random offset; and SEQ_CNT
OFFSETS, SEQ_CNT = 0xc000, 0x0002

NUMBERS = {'frame.number', 'frame.len', 'fcoe.ver', 'fcoe.sof', 'fcoe.eof', 'fcoe.crc.status',
           'fc.r_ctl', 'fc.type', 'fc.f_ctl', 'fc.seq_cnt', 'fc.df_ctl', 'fc.parameter',
           'fip.ver', 'fip.opcode', 'fip.vn2vn_subcode', 'fip.flags', 'fip.vn.fc_id',
           'fip.fcoe_size', 'fcels.logi.cmnfeatures', 'fcels.logi.rcvsize', 'fcels.edtov'}
TEXTS = ['eth.src', 'eth.dst', 'fc.s_id', 'fc.d_id', 'fip.vn.mac', 'fip.vn.pwwn', 'fip.mac',
         '_ws.col.Info', '_ws.expert.message']
FIELDS = sorted(NUMBERS) + TEXTS


def read(capture):
    """Frames as dictionaries of what tshark shows."""
    options = [o for f in FIELDS for o in ('-e', f)]
    text = tshark(capture, '-2', '-T', 'fields', '-E', 'separator=|', '-E', 'occurrence=f',
                  *options)
    for line in text.splitlines():
        frame = {n: v for n, v in zip(FIELDS, line.split('|')) if v != ''}
        yield {n: int(v, 0) if n in NUMBERS else v for n, v in frame.items()}


def is_fcoe(frame):
    return 'fcoe.ver' in frame


def mark(frames):
    """Whether frames are ours: a MAC address of a VN_Port can pass to the other side."""
    ours = {THEIR_ENODE: False}
    for f in frames:
        if f.get('fip.vn2vn_subcode') in (CLAIM, CLAIM_REPLY, BEACON):
            ours[f['fip.vn.mac']] = f['fip.vn.pwwn'] != THEIR_NAME
        f['ours'] = ours.get(f['eth.src'], True)


def n_port_id(text):
    return int(text.replace('.', ''), 16)


def problems(frames, rules):
    """Of rules, each a name and a function that says whether a frame obeys it."""
    return [f'frame {f["frame.number"]}, {f.get("_ws.col.Info", "").strip()}: {name}'
            for f in frames for name, obeys in rules if not obeys(f)][:SHOWN]


def same_vn_port(frame, which):
    name = {'eth.src': 'fc.s_id', 'eth.dst': 'fc.d_id'}[which]
    return frame[which] == mac(n_port_id(frame[name])).hex(':')


def check_frames(tap, frames):
    tap.result('no frame is malformed', problems(
        frames, [('an error', lambda f: '_ws.expert.message' not in f)]))
    fcoe = [f for f in frames if is_fcoe(f)]
    print(f'# {len(frames)} frames, {len(fcoe)} of FCoE')
    tap.result('FCoE: CRC, version, addresses', problems(fcoe, [
        ('CRC', lambda f: f['fcoe.crc.status'] == 1),
        ('version', lambda f: f['fcoe.ver'] == 0),
        ('source', lambda f: same_vn_port(f, 'eth.src')),
        ('destination', lambda f: same_vn_port(f, 'eth.dst'))]))
    els = [f for f in frames if f.get('fc.type') == ELS]
    reply = {True: OUR_F_CTL, False: THEIR_F_CTL}
    tap.result('ELS: a Sequence of one frame', problems(els, [
        ('R_CTL', lambda f: f['fc.r_ctl'] in (REQUEST, REPLY)),
        ('F_CTL', lambda f: f['fc.f_ctl'] == (REQUEST_F_CTL if f['fc.r_ctl'] == REQUEST else
                                              reply[f['ours']])),
        ('SEQ_CNT', lambda f: f['fc.seq_cnt'] == 0),
        ('Parameter', lambda f: f['fc.parameter'] == 0),
        ('DF_CTL', lambda f: f['fc.df_ctl'] == 0)]))
    tap.result('ELS over FCoE: SOF and EOF', problems([f for f in els if is_fcoe(f)], [
        ('SOF', lambda f: f['fcoe.sof'] == SOFI3), ('EOF', lambda f: f['fcoe.eof'] == EOFT)]))


def check_logins(tap, frames):
    logins = [f for f in frames if is_fcoe(f) and 'fcels.logi.cmnfeatures' in f]
    features = {True: OFFSETS | SEQ_CNT, False: OFFSETS & 0x8000}
    tap.result('PLOGI: what is supported, receive size, E_D_TOV', problems(logins, [
        ('features', lambda f: f['fcels.logi.cmnfeatures'] & (OFFSETS | SEQ_CNT) ==
         features[f['ours']]),
        ('receive size', lambda f: f['fcels.logi.rcvsize'] in (1452, 2112)),
        ('E_D_TOV', lambda f: f['fcels.edtov'] == 2000)]))


def check_fip(tap, frames):
    fip = [f for f in frames if 'fip.ver' in f]
    vn2vn = [f for f in fip if 'fip.vn2vn_subcode' in f]
    claims = [f for f in vn2vn if f['fip.vn2vn_subcode'] in (CLAIM, CLAIM_REPLY)]
    tap.result('FIP: version and addresses', problems(fip, [
        ('version', lambda f: f['fip.ver'] == 1)]) + problems(vn2vn, [
            ('MAC address of the VN_Port',
             lambda f: f['fip.vn.mac'] == mac(f['fip.vn.fc_id']).hex(':')),
            ('source', lambda f: f['eth.src'] == (
                f['fip.vn.mac'] if f['fip.vn2vn_subcode'] == BEACON else f['fip.mac']))]))
    tap.result('Claims: sizes', problems(claims, [
        ('FCoE size', lambda f: f['fip.fcoe_size'] in (1498, 2158)),
        ('padding', lambda f: f['fip.vn2vn_subcode'] == CLAIM or
         f['frame.len'] - ETH_HLEN in (1498, 2158))]))


def check_kinds(tap, frames):
    """What either side has sent."""
    replies = {'ACC (FLOGI)', 'ACC (PLOGI)', 'ACC (ECHO)', 'ACC (LOGO)'}
    requests = {'FLOGI', 'PLOGI', 'ECHO', 'LOGO'}
    fip = {'Probe Request', 'Claim Notification', 'Claim Response', 'Beacon'}
    for who, ours, more in (('we', True, {'ACC (PRLI)', 'ACC (RTV)', 'RLS'}),
                            ('they', False, {'PRLI', 'RTV', 'ACC (RLS)', 'Probe Reply'})):
        found = {f['_ws.col.Info'].strip() for f in frames if f['ours'] == ours}
        tap.result(f'{who} have sent all kinds of frames',
                   sorted((replies | requests | fip | more) - found))


def main():
    folder, = sys.argv[1:]
    tap = Tap()
    try:
        with open(f'{folder}/debian-fcoe', 'rb') as f:
            frames = list(read(f.read()))
        mark(frames)
        check_frames(tap, frames)
        check_fip(tap, frames)
        check_logins(tap, frames)
        check_kinds(tap, frames)
    except (OSError, ValueError, LookupError, RuntimeError) as e:
        tap.result('the capture', [f'{type(e).__name__}: {e}'])
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
