"""Ask to be traced and stop: a tracer that does not exist is waited for.

Contained: the call ends in time.
Control: exec, because a time limit kills a traced subprocess as well
"""

import ctypes
import os
import signal

ctypes.CDLL(None).ptrace(0, 0, 0, 0)
os.kill(os.getpid(), signal.SIGUSR1)
while True:
    pass
