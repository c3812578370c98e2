"""Take the runner's modules away.

Contained: the next call is right.
Control: exec, because the next subprocess has its own modules
"""

import sys

for name in list(sys.modules):
    if name not in ("sys", "builtins"):
        sys.modules[name] = None
