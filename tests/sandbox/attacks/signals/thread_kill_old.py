"""Signal through the oldest call for threads.

Contained: the framework lives.
"""

import ctypes
import os

tkill = {"x86_64": 200, "aarch64": 130}[os.uname().machine]
ctypes.CDLL(None).syscall(tkill, int("@HOST_PID@"), 9)
