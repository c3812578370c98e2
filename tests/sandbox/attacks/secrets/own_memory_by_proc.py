"""Search one's own memory for what a forked process inherits from its parent.

Contained: neither the key nor the answer is in the output.
Control: exec, because a fresh interpreter inherits no memory
"""

import re

with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", buffering=0) as memory:
    for line in maps:
        first, last = (int(part, 16) for part in line.split()[0].split("-"))
        if " rw" not in line or last - first > 1 << 28:
            continue
        try:
            memory.seek(first)
            print(set(re.findall(rb"sk-(?:key|answer)-[0-9a-f]{24}", memory.read(last - first))))
        except OSError:
            continue
