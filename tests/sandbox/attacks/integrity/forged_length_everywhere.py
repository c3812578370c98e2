"""Announce a message of four gigabytes on every descriptor and send nothing more.

Contained: the outcome is not a success and the next call is right.
Verdict: not ok
"""

import os

print("\nRESULT gARLAS4=", flush=True)
for descriptor in range(3, 64):
    try:
        os.write(descriptor, b"\xff\xff\xff\xff")
    except OSError:
        continue
os._exit(0)
