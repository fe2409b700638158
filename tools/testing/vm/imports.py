#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Lists the files of Debian's python3 that scripts import, and that it starts with.

usage: imports.py SCRIPT...

For a file system that has no room for the whole library.
"""

import modulefinder
import os
import sys

START = ('encodings.ascii', 'encodings.idna', 'encodings.latin_1', 'encodings.utf_8', 'site')


def main():
    """Prints each file once."""
    found = set()
    for script in sys.argv[1:]:
        finder = modulefinder.ModuleFinder(path=[os.path.dirname(script), *sys.path[1:]])
        finder.run_script(script)
        for name in START:
            finder.import_hook(name)
        found |= {module.__file__ for module in finder.modules.values() if module.__file__}
    for file in sorted(found):
        if file.startswith('/usr/lib/python3'):
            print(file)


if __name__ == '__main__':
    main()
