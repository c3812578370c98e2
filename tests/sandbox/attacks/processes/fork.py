"""Fork.

Contained: no further process runs.
"""

import os
import time

if os.fork() == 0:
    time.sleep(0.4)
    os._exit(0)
os.wait()
