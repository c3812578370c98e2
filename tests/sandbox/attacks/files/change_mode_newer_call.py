"""Change a mode through fchmodat2, a system call from 2023.

Contained: the mode is as it was.
Needs: fchmodat2
"""

import ctypes

FCHMODAT2 = 452
ctypes.CDLL(None).syscall(FCHMODAT2, -100, b"@OUTSIDE@/mode.txt", 0o700, 0)
