"""Ask the kernel's keyring for the framework's key.

Contained: the answer is not in the output.
Needs: keyring
"""

import ctypes
import os

keyctl = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
SEARCH, READ, SESSION = 10, 11, -3
libc = ctypes.CDLL(None, use_errno=True)
key = libc.syscall(keyctl, SEARCH, SESSION, b"user", b"ansatz-canary", 0)
room = ctypes.create_string_buffer(256)
libc.syscall(keyctl, READ, key, room, 256)
print(room.value)
