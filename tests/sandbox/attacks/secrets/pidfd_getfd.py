"""Take a duplicate of an open file out of the framework's process.

Contained: the answer is not in the output.
Needs: ptrace
"""

import ctypes
import os

PIDFD_OPEN, PIDFD_GETFD = 434, 438
libc = ctypes.CDLL(None, use_errno=True)
process = libc.syscall(PIDFD_OPEN, int("@HOST_PID@"), 0)
taken = libc.syscall(PIDFD_GETFD, process, 150, 0)
print(os.pread(taken, 200, 0))
