"""Copy the memory of the framework's process with process_vm_readv.

Contained: neither the key nor the answer is in the output.
Needs: ptrace
"""

import ctypes
import re


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


libc = ctypes.CDLL(None, use_errno=True)
for line in open("/proc/@HOST_PID@/maps"):
    first, last = (int(part, 16) for part in line.split()[0].split("-"))
    if " rw" not in line or last - first > 1 << 26:
        continue
    room = ctypes.create_string_buffer(last - first)
    here, there = Vector(ctypes.addressof(room), len(room)), Vector(first, last - first)
    if libc.process_vm_readv(int("@HOST_PID@"), ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0:
        print(re.findall(rb"sk-(?:key|answer)-[0-9a-f]{24}", room.raw))
