"""Leave from a thread while the main one computes.

Contained: the outcome is not a success.
Verdict: not ok
"""

import os
import threading
import time

print("\nRESULT gARLAS4=", flush=True)
threading.Thread(target=os._exit, args=(0,)).start()
time.sleep(1)
