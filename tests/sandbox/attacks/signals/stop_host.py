"""Stop the framework's process for good.

Contained: it answers.
"""

import os
import signal

os.kill(int("@HOST_PID@"), signal.SIGSTOP)
