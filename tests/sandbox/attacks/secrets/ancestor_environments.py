"""Climb from parent to parent and read each one's environment.

Contained: the key is not in the output.
"""

import os

pid = os.getppid()
for _ in range(4):
    print(pid, open(f"/proc/{pid}/environ", "rb").read())
    if str(pid) in ("@SUPERVISOR_PID@", "1", "0"):
        break
    pid = int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
