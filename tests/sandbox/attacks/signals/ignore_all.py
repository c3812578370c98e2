"""Ignore every signal that can be ignored and go on.

Contained: the call ends in time.
Control: exec, because a time limit kills a subprocess by a signal that cannot be ignored
"""

import contextlib
import signal

for number in signal.valid_signals():
    with contextlib.suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)
while True:
    pass
