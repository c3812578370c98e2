"""Match an expression that takes exponential time.

Contained: the call ends in time.
Control: exec, because a time limit ends a subprocess
"""

import re

re.match(r"(a+)+$", "a" * 60 + "b")
