"""Fork into a new terminal.

Contained: no further process runs.
"""

import os
import pty
import time

if pty.fork()[0] == 0:
    time.sleep(0.4)
    os._exit(0)
time.sleep(0.4)
