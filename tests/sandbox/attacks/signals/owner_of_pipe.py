"""Make the framework the owner of a pipe whose every event is a deadly signal: no kill is called.

Contained: the framework lives.
"""

import fcntl
import os
import signal
import time

F_SETSIG = 10
read, write = os.pipe()
fcntl.fcntl(read, fcntl.F_SETOWN, int("@HOST_PID@"))
fcntl.fcntl(read, F_SETSIG, signal.SIGKILL)
fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC)
os.write(write, b"x")
time.sleep(0.1)
