"""Fork by the system call table of 32-bit programs, which a careless filter reads by 64-bit numbers.

Contained: no further process runs.
Needs: foreign_calls
"""

import ctypes
import mmap
import os
import time

page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("b802000000cd80c3"))  # mov eax, 2 (fork); int 0x80; ret
fork = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
if fork() == 0:
    time.sleep(0.4)
    os._exit(0)
time.sleep(0.4)
