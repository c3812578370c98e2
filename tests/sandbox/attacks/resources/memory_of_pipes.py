"""Park data in pipes, whose buffers are the kernel's memory.

Contained: the number of pipes is bounded.
Needs: root
"""

import fcntl
import os

F_SETPIPE_SZ, full = 1031, 0
for _ in range(100):
    read, write = os.pipe()
    fcntl.fcntl(write, F_SETPIPE_SZ, 1 << 20)
    full += os.write(write, bytes(1 << 20))
if full >= 90 << 20:
    print("@TOKEN@"[::-1])
