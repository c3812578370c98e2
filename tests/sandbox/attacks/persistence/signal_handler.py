"""Leave a handler and a timer that strike during the next call.

Contained: the next call's output is its own.
Control: exec, because handlers and timers end with a subprocess
"""

import signal


def strike(*_):
    print("@SECRET@")


signal.signal(signal.SIGALRM, strike)
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
# --- the next call ---
import time

time.sleep(0.3)
