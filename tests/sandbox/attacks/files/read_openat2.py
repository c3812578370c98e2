"""Open with the newer system call, which a filter may have forgotten.

Contained: the file's canary is not in the output.
"""

import ctypes
import os

OPENAT2, AT_FDCWD = 437, -100
how = (ctypes.c_uint64 * 3)(os.O_RDONLY, 0, 0)
descriptor = ctypes.CDLL(None).syscall(OPENAT2, AT_FDCWD, b"@OUTSIDE@/read.txt", how, ctypes.sizeof(how))
print(os.read(descriptor, 200))
