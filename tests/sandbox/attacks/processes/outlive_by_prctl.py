"""Tell the kernel not to end this process with its parent, then wait for the framework to be killed.

Contained: nothing lives on.
Ending: host killed
"""

import ctypes
import signal
import time

PR_SET_PDEATHSIG = 1
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)
time.sleep(20)
