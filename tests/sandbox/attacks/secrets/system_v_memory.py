"""Attach to a System V shared memory segment of the framework.

Contained: the answer is not in the output.
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(int("@SYSTEM_V_KEY@"), 0, 0)
print(segment)
if segment != -1:
    print(ctypes.string_at(libc.shmat(segment, None, 0o10000), 256))
