"""Search the memory of the framework's process through /proc/PID/mem.

Contained: neither the key nor the answer is in the output.
Needs: ptrace
"""

import re

with open("/proc/@HOST_PID@/maps") as maps, open("/proc/@HOST_PID@/mem", "rb", buffering=0) as memory:
    for line in maps:
        first, last = (int(part, 16) for part in line.split()[0].split("-"))
        if " rw" not in line or last - first > 1 << 28:
            continue
        try:
            memory.seek(first)
            print(re.findall(rb"sk-(?:key|answer)-[0-9a-f]{24}", memory.read(last - first)))
        except OSError:
            continue
