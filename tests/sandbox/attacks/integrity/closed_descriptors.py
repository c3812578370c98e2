"""Close every descriptor and leave.

Contained: the outcome is not a success and the next call is right.
Verdict: not ok
"""

import os

print("\nRESULT gARLAS4=", flush=True)
os.closerange(0, 256)
os._exit(0)
