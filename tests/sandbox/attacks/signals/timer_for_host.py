"""Let a timer signal a thread of the framework.

Contained: the framework lives.
Control: exec, because the kernel gives timers only to threads of one's own process
"""

import ctypes
import signal
import time

SIGEV_THREAD_ID = 4
libc = ctypes.CDLL(None)
event = (ctypes.c_int * 16)(0, 0, signal.SIGKILL, SIGEV_THREAD_ID, int("@HOST_PID@"))
timer = ctypes.c_void_p()
libc.timer_create(1, event, ctypes.byref(timer))
libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 0, 0, 1000000), None)
time.sleep(0.1)
