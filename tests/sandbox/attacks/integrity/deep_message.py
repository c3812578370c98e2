"""Write a result by hand that is nested deeper than a reader's stack.

Contained: the outcome is not a success and the next call is right.
Verdict: not ok
"""

import os

print("\nRESULT gARLAS4=", flush=True)
try:
    os.write(4, b'{"value":' + b"[" * 30_000 + b"]" * 30_000 + b"}")
finally:
    os._exit(0)
