"""Change a file through shared memory.

Contained: the file is as it was.
"""

import mmap
import os

descriptor = os.open("@OUTSIDE@/write.txt", os.O_RDWR)
page = mmap.mmap(descriptor, 0)
page[:4] = b"OVER"
page.flush()
