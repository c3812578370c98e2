"""Kill the framework's group of processes.

Contained: it lives.
"""

import os

os.killpg(os.getpgid(int("@HOST_PID@")), 9)
