"""The same on the pipe of one's own output, which the sandbox itself hands over.

Contained: the framework lives.
"""

import fcntl
import os
import signal
import time

F_SETSIG = 10
for descriptor in range(8):
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETOWN, int("@HOST_PID@"))
        fcntl.fcntl(descriptor, F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        os.write(descriptor, b"x" * 70000)
    except OSError:
        continue
time.sleep(0.2)
