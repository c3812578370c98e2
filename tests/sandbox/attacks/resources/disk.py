"""Fill the disk, here with 200 MB in the scratch folder.

Contained: the limit of scratch space holds.
"""

import time

with open("filler", "wb") as file:
    for _ in range(200):
        file.write(bytes(1 << 20))
        file.flush()
time.sleep(0.1)
