"""Exchange two files of the user in one step.

Contained: both files are as they were.
"""

import ctypes

ctypes.CDLL(None).renameat2(-100, b"@OUTSIDE@/rename.txt", -100, b"@OUTSIDE@/stat.txt", 2)
