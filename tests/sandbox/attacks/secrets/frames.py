"""Climb the stack of frames to those of the framework.

Contained: the answer is not in the output.
Control: exec, because only code that shares an interpreter with the framework has its frames
"""

import sys

frame = sys._getframe()
while frame:
    for name, value in {**frame.f_globals, **frame.f_locals}.items():
        if name in ("held", "secrets", "answers"):
            print(name, value)
    frame = frame.f_back
