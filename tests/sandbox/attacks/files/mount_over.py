"""Mount a file system in a mount namespace of one's own.

Contained: nothing can be mounted.
Needs: root
"""

import ctypes

NEW_MOUNTS, RECURSIVE_PRIVATE = 0x00020000, 0x4000 | 0x40000
libc = ctypes.CDLL(None)
if libc.unshare(NEW_MOUNTS) == 0 and libc.mount(None, b"/", None, RECURSIVE_PRIVATE, None) == 0:
    if libc.mount(b"none", b"@OUTSIDE@", b"tmpfs", 0, None) == 0:
        print("@TOKEN@"[::-1])
