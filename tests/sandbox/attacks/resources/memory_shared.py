"""Fill memory with a shared mapping, which counts as no process's own.

Contained: the limit of memory holds.
"""

import mmap
import time

hoard = mmap.mmap(-1, 300 << 20)
for page in range(0, 300 << 20, 4096):
    hoard[page] = 1
time.sleep(0.1)
