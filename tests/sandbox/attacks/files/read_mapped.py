"""Map a file of the user into memory.

Contained: the file's canary is not in the output.
"""

import mmap
import os

descriptor = os.open("@OUTSIDE@/read.txt", os.O_RDONLY)
print(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)[:])
