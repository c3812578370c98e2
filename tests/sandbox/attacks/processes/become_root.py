"""Become the superuser.

Contained: the call runs as someone else.
Needs: root
"""

import os

os.setresuid(0, 0, 0)
os.setpriority(os.PRIO_PROCESS, 0, -5)
print("@TOKEN@"[::-1])
