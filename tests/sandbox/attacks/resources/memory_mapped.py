"""Fill memory with an anonymous mapping, past Python's allocator.

Contained: the limit of memory holds.
"""

import mmap
import time

hoard = mmap.mmap(-1, 300 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for page in range(0, 300 << 20, 4096):
    hoard[page] = 1
time.sleep(0.1)
