"""Compute for ever.

Contained: the call ends in time.
Control: exec, because a time limit ends a subprocess
"""

while True:
    pass
