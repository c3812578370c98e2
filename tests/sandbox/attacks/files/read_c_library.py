"""Read through the C library, past every Python-level guard.

Contained: the file's canary is not in the output.
"""

import ctypes

libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
room = ctypes.create_string_buffer(200)
stream = libc.fopen(b"@OUTSIDE@/read.txt", b"r")
if stream:
    libc.fread(room, 1, 199, ctypes.c_void_p(stream))
print(room.value)
