"""Recurse beyond the end of the stack.

Contained: the framework lives.
Control: exec, because a subprocess takes only itself down
"""

import sys

sys.setrecursionlimit(1 << 30)


class Deep:
    def __repr__(self):
        return repr(self)


repr(Deep())


def deeper(function):
    return sorted([1, 2], key=lambda _: deeper(function))


deeper(deeper)
