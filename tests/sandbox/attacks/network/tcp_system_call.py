"""Open and connect a socket by system call numbers, past every Python-level guard.

Contained: the listener is not reached.
"""

import ctypes

libc = ctypes.CDLL(None)
caller = libc.socket(2, 1, 0)
address = (
    (2).to_bytes(2, "little") + (int("@TCP_PORT@")).to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
)
libc.connect(caller, address, len(address))
