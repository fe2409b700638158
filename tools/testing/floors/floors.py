#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks the calls between the files of a C tree against its floors.

A map defines the floors, the lowest first, and the limits:

  tree net/st tests     the tree, and folders of it that are left out
  up 35                 calls (a caller and what it uses) that run upwards
  circle 48             files in the largest circle of files that use each other
  header 118            functions in the header that declares most
  floor wire/           folders and files of a floor, which may use each other
  floor xfer/ | mem/    but not across a bar

If one file defines a function or variable for others and another file names it, there
is an arrow from the second to the first.  Calls through pointers make none.  The limits
are exact: a figure below its limit also fails, with a message that has the new line.
"""

import argparse
import collections
import os
import re
import subprocess
import sys

TOKEN = re.compile(r'[A-Za-z_]\w*')
# Comments and strings
STRIP = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
LIMITS = ('up', 'circle', 'header')
# Words of the kernel that ctags has to skip
IGNORE = ('__releases+,__acquires+,__must_hold+,__init,__exit,__net_init,__net_exit,'
          '__read_mostly,__ro_after_init,EXPORT_SYMBOL_IF_KUNIT+,EXPORT_SYMBOL_GPL+')


class Map:
    """A map, as in its file."""

    def __init__(self, path):
        self.path = path
        self.tree = None
        self.skip = []
        self.limits = {}
        self.floors = []        # of each line 'floor': the words between bars
        with open(path, encoding='utf-8') as f:
            for number, row in enumerate(f, 1):
                words = row.split('#', 1)[0].split()
                if words and not self.read(words[0], words[1:]):
                    sys.exit(f'{path}:{number}: cannot read this line: {row.strip()}')
        missing = [limit for limit in LIMITS if limit not in self.limits]
        if not self.tree or missing:
            sys.exit(f'{path}: there is no line {missing[0] if missing else "tree"}')

    def read(self, what, words):
        if what == 'tree' and words:
            self.tree, *self.skip = words
        elif what in LIMITS and len(words) == 1 and words[0].isdigit():
            self.limits[what] = int(words[0])
        elif what == 'floor' and words:
            self.floors.append([room.split() for room in ' '.join(words).split('|')])
        else:
            return False
        return True

    def place(self, name):
        """The floor of a file and its place between the bars, or None."""
        for height, rooms in enumerate(self.floors):
            for number, words in enumerate(rooms):
                if any(name == w or (w.endswith('/') and name.startswith(w)) for w in words):
                    return height, number
        return None


class Tree:
    """The names that the files of a tree define and use."""

    def __init__(self, top, skip):
        self.top = top
        self.files = []
        for where, dirs, names in os.walk(top):
            dirs[:] = sorted(d for d in dirs if d not in skip)
            self.files += [os.path.relpath(os.path.join(where, n), top) for n in sorted(names)
                           if n.endswith(('.c', '.h')) and not n.endswith('.mod.c')]
        if not self.files:
            sys.exit(f'{top}: there are no sources; run this at the top of the tree')
        self.defs = {}                                  # function or variable -> file
        self.spans = collections.defaultdict(list)      # file -> (first, last line, function)
        self.declared = collections.defaultdict(set)    # header -> functions
        self.read_tags()
        # file -> file -> (user, used)
        self.arrows = collections.defaultdict(lambda: collections.defaultdict(set))
        for name in self.files:
            self.read_uses(name)

    def read_tags(self):
        tags = subprocess.run(
            ['ctags', '-f', '-', '--sort=no', '--languages=C', '--langmap=C:.c.h', '--kinds-C=fpv',
             '--fields=+nef', '-I', IGNORE] + [os.path.join(self.top, f) for f in self.files],
            stdout=subprocess.PIPE, text=True, check=True).stdout
        for row in tags.splitlines():
            name, path, rest = row.split('\t', 2)
            kind, *fields = rest.split(';"\t', 1)[1].split('\t')
            extra = dict(f.split(':', 1) for f in fields if ':' in f)
            where = os.path.relpath(path, self.top)
            if kind == 'p':
                if where.endswith('.h'):
                    self.declared[where].add(name)
                continue
            if kind == 'f':
                self.spans[where].append((int(extra['line']), int(extra['end']), name))
            if 'file' in extra and where.endswith('.c'):
                continue        # static
            if name in self.defs and where.endswith('.h'):
                continue        # a stub for a kernel without it
            self.defs[name] = where

    def read_uses(self, where):
        with open(os.path.join(self.top, where), encoding='utf-8') as f:
            text = STRIP.sub(lambda m: re.sub(r'[^\n]', ' ', m.group()), f.read())
        spans = sorted(self.spans[where])
        own = {name for _, _, name in spans}
        for number, row in enumerate(text.split('\n'), 1):
            while spans and spans[0][1] < number:
                spans.pop(0)
            user = spans[0][2] if spans and spans[0][0] <= number else None
            for m in TOKEN.finditer(row):
                name = m.group()
                if name in own or self.defs.get(name, where) == where:
                    continue
                if row[:m.start()].rstrip().endswith(('.', '->', 'struct', 'union', 'enum')):
                    continue
                # Outside of functions: a prototype, or a table that names it
                if not user and (where.endswith('.h') or row[m.end():].lstrip().startswith('(')):
                    continue
                self.arrows[where][self.defs[name]].add((user or 'a table', name))


def circles(arrows):
    """Files that use each other in circles, the largest circle first (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for to in sorted(arrows.get(node, ())):
            if to not in index:
                visit(to)
            if to in stack:
                low[node] = min(low[node], low[to])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return sorted(found, key=len, reverse=True)


def calls_up(plan, tree):
    """Calls that run up or across, as (from, to, user, used)."""
    calls = []
    for source, targets in sorted(tree.arrows.items()):
        for target, uses in sorted(targets.items()):
            low, high = plan.place(source), plan.place(target)
            if low[0] < high[0] or (low[0] == high[0] and low[1] != high[1]):
                calls += [(source, target, *use) for use in sorted(uses)]
    return calls


def main():
    opts = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    opts.add_argument('--show', action='store_true',
                      help='print the calls upwards and the circles, whatever the limits')
    opts.add_argument('map')
    args = opts.parse_args()
    plan = Map(args.map)
    tree = Tree(plan.tree, plan.skip)
    bad = 0
    for name in tree.files:
        if plan.place(name) is None:
            print(f'{plan.path}: {name} is on no floor: add it to a line floor')
            bad += 1
    for word in (w for rooms in plan.floors for words in rooms for w in words):
        if not any(f == word or f.startswith(word) for f in tree.files):
            print(f'{plan.path}: {word} is on a floor and not in {plan.tree}: take it out')
            bad += 1
    if bad:
        return 1
    up = calls_up(plan, tree)
    rings = circles(tree.arrows)
    header = max(tree.declared, key=lambda h: len(tree.declared[h]), default=None)
    figures = {'up': len(up), 'circle': len(rings[0]) if rings else 0,
               'header': len(tree.declared[header]) if header else 0}
    print(f'{plan.tree}: {figures["up"]} calls up, {figures["circle"]} files in the largest '
          f'circle, {figures["header"]} functions in {header}')
    worse = {w for w in LIMITS if figures[w] > plan.limits[w]}
    if args.show or 'up' in worse:
        for source, target, user, used in up:
            print(f'  {source}: {user} uses {used} of {target}')
    if args.show or 'circle' in worse:
        for ring in rings:
            print(f'  {len(ring)} in a circle: {" ".join(ring)}')
    for what in LIMITS:
        if figures[what] != plan.limits[what]:
            print(f'{plan.path}: {what} is {figures[what]}, the limit {plan.limits[what]}: ' +
                  ('mend the sources' if what in worse else f'write {what} {figures[what]}'))
            bad += 1
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
