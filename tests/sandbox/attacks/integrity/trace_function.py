"""Install a hook that runs with every later call of the interpreter.

Contained: the next call's output is its own.
Control: exec, because the next subprocess has no hook
"""

import sys


def hook(frame, event, argument):
    print("@SECRET@")


sys.setprofile(hook)
# --- the next call ---
sorted([2, 1], key=lambda number: -number)
