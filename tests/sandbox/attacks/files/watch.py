"""Ask the kernel to tell of every access to the user's folder.

Contained: the folder cannot be watched.
"""

import ctypes

libc = ctypes.CDLL(None)
if libc.inotify_add_watch(libc.inotify_init1(0), b"@OUTSIDE@", 0xFFF) > 0:
    print("@TOKEN@"[::-1])
