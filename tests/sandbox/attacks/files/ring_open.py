"""Set up io_uring, through which files are opened without the system calls a filter sees.

Contained: no ring is made.
Needs: io_uring
"""

import ctypes

IO_URING_SETUP = 425
if ctypes.CDLL(None).syscall(IO_URING_SETUP, 4, ctypes.create_string_buffer(120)) > 0:
    print("@TOKEN@"[::-1])
