"""Leave a process behind that keeps the output open, so that a reader waits for its end.

Contained: the call ends in time and nothing lives on.
"""

import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(20)
    os._exit(0)
