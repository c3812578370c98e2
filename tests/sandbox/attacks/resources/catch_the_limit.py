"""Catch whatever ends the loop and go on.

Contained: the call ends in time.
Control: exec, because a time limit kills a subprocess by a signal that cannot be caught
"""

while True:
    try:
        while True:
            pass
    except BaseException:
        continue
