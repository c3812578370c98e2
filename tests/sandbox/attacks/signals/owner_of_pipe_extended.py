"""The same through the newer form of ownership.

Contained: the framework lives.
"""

import fcntl
import os
import signal
import struct
import time

F_SETSIG, F_SETOWN_EX, OWNER_PROCESS = 10, 15, 1
read, write = os.pipe()
fcntl.fcntl(read, F_SETOWN_EX, struct.pack("ii", OWNER_PROCESS, int("@HOST_PID@")))
fcntl.fcntl(read, F_SETSIG, signal.SIGKILL)
fcntl.fcntl(read, fcntl.F_SETFL, os.O_ASYNC)
os.write(write, b"x")
time.sleep(0.1)
