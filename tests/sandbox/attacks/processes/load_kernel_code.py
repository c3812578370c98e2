"""Load a program into the kernel.

Contained: the kernel takes none.
Needs: root
"""

import ctypes
import os

number = {"x86_64": 321, "aarch64": 280}[os.uname().machine]
instructions = (ctypes.c_uint64 * 2)(0x00000000000000B7, 0x0000000000000095)  # r0 = 0; exit
licence = ctypes.create_string_buffer(b"GPL")
attributes = (ctypes.c_uint64 * 16)()
attributes[0] = 1 | 2 << 32  # a socket filter of two instructions
attributes[1], attributes[2] = ctypes.addressof(instructions), ctypes.addressof(licence)
if ctypes.CDLL(None).syscall(number, 5, attributes, 72) > 0:
    print("@TOKEN@"[::-1])
