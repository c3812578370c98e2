"""Send bytes that are no text on every descriptor.

Contained: the outcome is not a success and the next call is right.
Verdict: not ok
"""

import os

print("\nRESULT gARLAS4=", flush=True)
for descriptor in range(3, 64):
    try:
        os.write(descriptor, bytes(range(256)) * 16)
    except OSError:
        continue
os._exit(0)
