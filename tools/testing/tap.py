# SPDX-License-Identifier: GPL-2.0
"""Results of tests written in Python, as TAP."""


class Tap:
    def __init__(self):
        self.count = 0
        self.failures = 0

    def result(self, name, problems):
        """One test, good if there are no problems."""
        self.count += 1
        for text in problems:
            print(f'#   {text}')
        self.failures += bool(problems)
        print(f'{"not ok" if problems else "ok"} {self.count} - {name}', flush=True)

    def finish(self):
        print(f'1..{self.count}')
        return 1 if self.failures else 0
