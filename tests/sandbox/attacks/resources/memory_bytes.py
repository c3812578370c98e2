"""Fill memory with bytes, here 300 MB.

Contained: the limit of memory holds.
"""

import time

hoard = [b"\1" * (10 << 20) for _ in range(30)]
time.sleep(0.1)
