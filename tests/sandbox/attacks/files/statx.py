"""Ask for a file's size through the newer system call.

Contained: the size is not in the output.
"""

import ctypes

room = ctypes.create_string_buffer(256)
if ctypes.CDLL(None).statx(-100, b"@OUTSIDE@/stat.txt", 0, 0x7FF, room) == 0:
    print(f"size={int.from_bytes(room.raw[40:48], 'little')};")
