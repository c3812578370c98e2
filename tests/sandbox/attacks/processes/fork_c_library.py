"""Fork through the C library, past every Python-level guard.

Contained: no further process runs.
"""

import ctypes
import os
import time

if ctypes.CDLL(None).fork() == 0:
    time.sleep(0.4)
    os._exit(0)
time.sleep(0.4)
