#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of spelling and sphinx: wrong words, references and kernel-doc are errors."""

import os
import re
import subprocess
import sys
import tempfile

DOCS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.realpath(os.path.join(DOCS, '..', '..', '..'))
sys.path.insert(0, os.path.dirname(DOCS))
from tap import Tap     # noqa: E402

# Not as a word, since lint reads this file, too
MISSPELT = 'receiver'.replace('ei', 'ie')
TITLE = 'A title\n=======\n\n'
KERNEL_DOC = TITLE + '.. kernel-doc:: {}\n'
HEADER = '/**\n * st_do() - does it\n * @{}: which\n *\n * Return: &struct {}\n */\nint st_do(int x);\n'

# name, text of the document, header that it includes
GOOD = (
    ('a document beside it, and a section', TITLE + 'See b.rst and `A title`_.\n', ''),
    ('a document by its path', TITLE + 'See devlink/c.rst and Documentation/networking/b.rst.\n', ''),
    ('a document of the kernel', TITLE + 'Documentation/networking/msg_zerocopy.rst\n', ''),
    ('kernel-doc, and a type of the kernel', KERNEL_DOC, HEADER.format('x', 'net_device')),
)

# with the expected message
BAD = (
    ('a document that is missing', TITLE + 'See d.rst.\n', '', 'no such document: d.rst'),
    ('a document in the wrong folder', TITLE + 'See net/b.rst.\n', '',
     'no such document: net/b.rst'),
    ('a section that is missing', TITLE + 'See `Another`_.\n', '', '"another"'),
    ('a title that is underlined too short', 'A title\n====\n', '', 'underline too short'),
    ('a malformed table', TITLE + '=== ===\nabcde f\n=== ===\n', '', 'Malformed table'),
    ('kernel-doc of another parameter', KERNEL_DOC, HEADER.format('y', 'net_device'), "'x' not"),
    ('an unknown type of ST', KERNEL_DOC, HEADER.format('x', 'st_nothing'),
     'not found: st_nothing'),
)

# name, text, exit status, expected message
WORDS = (
    ('good words', 'The receiver\n', 0, ''),
    ('a word that is allowed', 'inflight\n', 0, ''),
    ('a misspelt word', f'The {MISSPELT}\n', 65, f'{MISSPELT} ==> receiver'),
)


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return done.returncode, done.stdout


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)


def build(folder, documents):
    """All of them at once, as 0.rst, 1.rst and so on."""
    source = os.path.join(folder, 'Documentation', 'networking')
    for n, (_, text, code, *_) in enumerate(documents):
        header = os.path.join(folder, f'{n}.h')
        write(header, code)
        write(os.path.join(source, f'{n}.rst'), text.format(os.path.relpath(header, ROOT)))
    for name in 'st.rst', 'b.rst', 'devlink/c.rst':
        write(os.path.join(source, name), TITLE)
    return run(os.path.join(DOCS, 'sphinx'), os.path.dirname(source), os.path.join(folder, 'out'))


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory() as folder:
        status, output = build(folder, GOOD)
        for n, (name, *_) in enumerate(GOOD):
            tap.result(name, [x for x in output.splitlines() if re.search(rf'/{n}\b', x)])
        tap.result('good documents', output.splitlines() if status or output else [])
    with tempfile.TemporaryDirectory() as folder:
        status, output = build(folder, BAD)
        for n, (name, _, _, said) in enumerate(BAD):
            about = [x for x in output.splitlines() if re.search(rf'/{n}\b', x)]
            tap.result(name, [] if any(said in x for x in about) else [f'not said: {said}'] + about)
        tap.result('bad documents', [] if status else ['exit status 0'])
        for name, text, good, said in WORDS:
            path = os.path.join(folder, 'words')
            write(path, text)
            status, output = run(os.path.join(DOCS, 'spelling'), path)
            wrong = status != good or said not in output
            tap.result(name, [f'exit status {status}', output] if wrong else [])
    return tap.finish()


if __name__ == '__main__':
    sys.exit(main())
