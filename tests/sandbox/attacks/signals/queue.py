"""Signal through the real-time queue.

Contained: the framework lives.
"""

import ctypes
import os

rt_sigqueueinfo = {"x86_64": 129, "aarch64": 138}[os.uname().machine]
information = (ctypes.c_int * 32)(9, 0, -1)
ctypes.CDLL(None).syscall(rt_sigqueueinfo, int("@HOST_PID@"), 9, information)
