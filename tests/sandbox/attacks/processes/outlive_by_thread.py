"""End the main thread and wait in another for the framework to be killed.

Contained: nothing lives on.
Ending: host killed
"""

import ctypes
import threading
import time

PR_SET_PDEATHSIG = 1


def wait():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
    time.sleep(20)


threading.Thread(target=wait).start()
