"""Take a lock twice.

Contained: the call ends in time.
Control: exec, because a time limit ends a subprocess
"""

import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()
