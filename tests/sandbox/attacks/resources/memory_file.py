"""Fill memory with an anonymous file, which counts as no process's memory.

Contained: the limit of memory holds.
"""

import os
import time

file = os.memfd_create("hoard")
for _ in range(300):
    os.write(file, b"\1" * (1 << 20))
time.sleep(0.1)
