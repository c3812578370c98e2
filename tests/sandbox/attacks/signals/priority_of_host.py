"""Slow the framework down.

Contained: its priority is as it was.
"""

import os

os.setpriority(os.PRIO_PROCESS, int("@HOST_PID@"), 7)
