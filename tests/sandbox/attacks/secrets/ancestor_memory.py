"""Search the stack of the framework's parent, where the environment lies.

Contained: the key is not in the output.
Needs: ptrace
"""

import re

pid = "@SUPERVISOR_PID@"
stack = next(line for line in open(f"/proc/{pid}/maps") if "[stack]" in line)
first, last = (int(part, 16) for part in stack.split()[0].split("-"))
with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
    memory.seek(first)
    print(re.findall(rb"sk-key-[0-9a-f]{24}", memory.read(last - first)))
