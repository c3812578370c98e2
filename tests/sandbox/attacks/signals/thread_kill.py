"""Signal a single thread of the framework.

Contained: it lives.
"""

import ctypes
import os

tgkill = {"x86_64": 234, "aarch64": 131}[os.uname().machine]
ctypes.CDLL(None).syscall(tgkill, int("@HOST_PID@"), int("@HOST_PID@"), 9)
