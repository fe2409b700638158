# SPDX-License-Identifier: GPL-2.0
"""Configuration of Sphinx for Documentation/, a part of the kernel's."""

import os
import re
import sys

from sphinx.util import logging

ROOT = os.environ['ROOT']
LINUX = os.environ['LINUX']
sys.path.insert(0, os.path.join(LINUX, 'Documentation', 'sphinx'))

project = 'HIPPI-6400 and Scheduled Transfer for Linux'
extensions = ['kerneldoc']
kerneldoc_bin = os.path.join(LINUX, 'scripts', 'kernel-doc')
kerneldoc_srctree = ROOT
root_doc = 'networking/st'
primary_domain = 'c'
highlight_language = 'none'
# Types of the kernel are described in its own documents.
nitpick_ignore_regex = [('c:.*', r'(?!(h64|hippi6400|rio9|st|sockaddr_st)(_|$)).*')]


def check_names(app, docname, source):
    """Kernel documents refer to each other by name, in plain text."""
    path = app.env.doc2path(docname)
    for n, line in enumerate(source[0].splitlines(), 1):
        for name in re.findall(r'[\w./-]+\.rst\b', line):
            folders = [os.path.dirname(path), app.srcdir, os.path.dirname(app.srcdir), LINUX]
            if '/' not in name:
                folders += [x[0] for x in os.walk(app.srcdir)]
            if not any(os.path.exists(os.path.join(x, name)) for x in folders):
                logging.getLogger(__name__).warning('no such document: %s', name,
                                                    location=f'{path}:{n}')


def no_toctree(app, doctree):
    """The table of contents is in index files of the kernel."""
    app.env.metadata[app.env.docname]['orphan'] = True


def setup(app):
    app.connect('source-read', check_names)
    app.connect('doctree-read', no_toctree)
