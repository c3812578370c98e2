"""Make a process with the clone system call, with a share of everything but the thread group.

Contained: no further process runs.
"""

import ctypes
import os
import signal
import time

number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
if ctypes.CDLL(None).syscall(number, signal.SIGCHLD, 0, 0, 0, 0) == 0:
    time.sleep(0.4)
    os._exit(0)
time.sleep(0.4)
