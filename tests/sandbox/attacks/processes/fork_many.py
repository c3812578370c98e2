"""Fork as often as allowed, here at most thirty times.

Contained: no further process runs.
"""

import os
import time

for _ in range(30):
    if os.fork() == 0:
        time.sleep(0.5)
        os._exit(0)
time.sleep(0.5)
