"""Fill the shared memory folder, here with 160 MB, and take the name away again.

Contained: the limit of scratch space holds.
"""

import os
import time

file = os.open("/dev/shm/@TOKEN@", os.O_RDWR | os.O_CREAT)
os.unlink("/dev/shm/@TOKEN@")
for _ in range(160):
    os.write(file, b"\1" * (1 << 20))
time.sleep(0.1)
