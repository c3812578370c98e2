"""The same with ioctl in the place of fcntl, on a pair of sockets; the default signal ends a process that waits.

Contained: the framework lives.
"""

import fcntl
import signal
import socket
import struct
import time

FIOASYNC, FIOSETOWN, F_SETSIG = 0x5452, 0x8901, 10
near, far = socket.socketpair()
fcntl.ioctl(near, FIOSETOWN, struct.pack("i", int("@HOST_PID@")))
fcntl.fcntl(near, F_SETSIG, signal.SIGKILL)
fcntl.ioctl(near, FIOASYNC, struct.pack("i", 1))
far.send(b"x")
time.sleep(0.1)
