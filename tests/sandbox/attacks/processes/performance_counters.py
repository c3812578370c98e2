"""Measure the processor's events, by which other programs are spied upon.

Contained: no counter is opened.
Needs: root
"""

import ctypes
import os

number = {"x86_64": 298, "aarch64": 241}[os.uname().machine]
attributes = (ctypes.c_uint32 * 32)(1, 128)  # a software counter: the processor's clock
if ctypes.CDLL(None).syscall(number, attributes, int("@HOST_PID@"), -1, -1, 0) > 0:
    print("@TOKEN@"[::-1])
