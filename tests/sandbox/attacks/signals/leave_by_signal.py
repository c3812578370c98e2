"""Die by a signal after printing what looks like a result.

Contained: the outcome is not a success.
Verdict: not ok
"""

import os

print("\nRESULT gARLAS4=", flush=True)
os.kill(os.getpid(), 9)
os._exit(0)
