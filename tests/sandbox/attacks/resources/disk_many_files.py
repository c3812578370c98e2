"""Fill the disk with files that are each small enough.

Contained: the limit of scratch space holds.
"""

import time

for number in range(20):
    with open(f"filler{number}", "wb") as file:
        file.write(bytes(10 << 20))
time.sleep(0.1)
