"""Make a process with clone3, whose flags a filter cannot see.

Contained: no further process runs.
"""

import ctypes
import os
import signal
import time

CLONE3 = 435
arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, signal.SIGCHLD)
if ctypes.CDLL(None).syscall(CLONE3, arguments, ctypes.sizeof(arguments)) == 0:
    time.sleep(0.4)
    os._exit(0)
time.sleep(0.4)
