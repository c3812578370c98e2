"""Become a daemon: fork twice, leave the session, live on.

Contained: nothing lives on after the call.
"""

import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 256)
        time.sleep(20)
    os._exit(0)
