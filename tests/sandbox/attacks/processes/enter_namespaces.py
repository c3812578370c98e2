"""Enter the namespaces of the framework's process.

Contained: none is entered.
Needs: root
"""

import ctypes
import os

PIDFD_OPEN, NEW_UTS = 434, 0x04000000
libc = ctypes.CDLL(None)
process = libc.syscall(PIDFD_OPEN, int("@HOST_PID@"), 0)
if libc.setns(process, NEW_UTS) == 0:
    print("@TOKEN@"[::-1])
os.close(process)
