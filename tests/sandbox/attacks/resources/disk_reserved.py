"""Reserve disk space without writing any.

Contained: the limit of scratch space holds.
"""

import os
import time

file = os.open("filler", os.O_RDWR | os.O_CREAT)
os.posix_fallocate(file, 0, 200 << 20)
time.sleep(0.1)
