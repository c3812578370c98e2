"""Return a list nested a hundred thousand deep.

Contained: there is an outcome, and the framework lives.
Control: exec, because packing such a value fails in a subprocess
"""

value = []
for _ in range(100_000):
    value = [value]
value
