"""Leave a System V shared memory segment, which lives until somebody removes it.

Contained: the next call does not find it.
"""

import ctypes

libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(int("@SYSTEM_V_KEY@") + 1, 256, 0o1666)
ctypes.memmove(libc.shmat(segment, None, 0), b"@SECRET@", len("@SECRET@"))
# --- the next call ---
import ctypes

libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(int("@SYSTEM_V_KEY@") + 1, 0, 0)
address = libc.shmat(segment, None, 0) if segment != -1 else None
libc.shmctl(segment, 0, None)
print(ctypes.string_at(address) if address else None)
