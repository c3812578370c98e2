"""Take over page faults, a tool of many attacks on the kernel.

Contained: no handler is made.
Needs: root
"""

import ctypes
import os

number = {"x86_64": 323, "aarch64": 282}[os.uname().machine]
if ctypes.CDLL(None).syscall(number, os.O_CLOEXEC) > 0:
    print("@TOKEN@"[::-1])
