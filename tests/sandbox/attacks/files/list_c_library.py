"""List a folder through the C library's own walk.

Contained: the canary among the names is not in the output.
"""

import ctypes

libc = ctypes.CDLL(None)
libc.opendir.restype = libc.readdir.restype = ctypes.c_void_p
folder = libc.opendir(b"@OUTSIDE@")
while folder and (entry := libc.readdir(ctypes.c_void_p(folder))):
    print(ctypes.string_at(entry + 19))
