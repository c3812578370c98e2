"""Send the beginning of a message on every descriptor and die.

Contained: the outcome is not a success and the next call is right.
Verdict: not ok
"""

import os

print("\nRESULT gARLAS4=", flush=True)
for descriptor in range(3, 64):
    try:
        os.write(descriptor, b'{"status": "ok", "value": {"$')
    except OSError:
        continue
os.kill(os.getpid(), 9)
