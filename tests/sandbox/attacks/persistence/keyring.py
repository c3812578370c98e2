"""Leave a key in the kernel's keyring of the session.

Contained: the next call does not find it.
Needs: keyring
"""

import ctypes
import os

add_key = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
ctypes.CDLL(None).syscall(add_key, b"user", b"ansatz-left", b"@SECRET@", len("@SECRET@"), -3)
# --- the next call ---
import ctypes
import os

keyctl = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
SEARCH, READ, SESSION = 10, 11, -3
libc = ctypes.CDLL(None)
key = libc.syscall(keyctl, SEARCH, SESSION, b"user", b"ansatz-left", 0)
room = ctypes.create_string_buffer(256)
libc.syscall(keyctl, READ, key, room, 256)
print(room.value)
