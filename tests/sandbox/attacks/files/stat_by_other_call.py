"""Ask for a file's size with a flag that a filter may take for a question about an open file.

Contained: the size is not in the output.
"""

import ctypes
import os

AT_FDCWD, AT_EMPTY_PATH = -100, 0x1000
number, offset = {"x86_64": (262, 48), "aarch64": (79, 48)}[os.uname().machine]
room = ctypes.create_string_buffer(256)
if ctypes.CDLL(None).syscall(number, AT_FDCWD, b"@OUTSIDE@/stat.txt", room, AT_EMPTY_PATH) == 0:
    print(f"size={int.from_bytes(room.raw[offset : offset + 8], 'little')};")
