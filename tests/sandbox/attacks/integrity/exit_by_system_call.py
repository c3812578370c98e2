"""Leave by the system call, so that nothing of Python's ending runs.

Contained: the outcome is not a success.
Verdict: not ok
"""

import ctypes
import os

print("\nRESULT gARLAS4=", flush=True)
ctypes.CDLL(None).syscall({"x86_64": 231, "aarch64": 94}[os.uname().machine], 0)
