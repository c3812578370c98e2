"""Compute one number that takes the machine years; no Python code runs meanwhile that could look at a clock.

Contained: the call ends in time.
Control: exec, because a time limit ends a subprocess
"""

value = 3 ** (10**9)
