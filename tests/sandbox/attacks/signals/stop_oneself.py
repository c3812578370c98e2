"""Stop, so that nobody who waits for an end is served.

Contained: the call ends in time.
Control: exec, because a time limit kills a stopped subprocess as well
"""

import os
import signal

os.kill(os.getpid(), signal.SIGSTOP)
