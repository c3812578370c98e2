"""Take memory in ever smaller pieces until none is left, and keep it.

Contained: the limit of memory holds.
"""

import time

hoard, piece, total = [], 64 << 20, 0
while piece > 4096 and total < 300 << 20:
    try:
        hoard.append(bytearray(b"\1") * piece)
        total += piece
    except MemoryError:
        piece //= 2
time.sleep(0.1)
