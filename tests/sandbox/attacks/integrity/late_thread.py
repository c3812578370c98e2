"""Go on from a thread after the value is known.

Contained: the next call is right.
Control: exec, because a subprocess ends with its threads or is ended
"""

import builtins
import threading
import time


def spoil():
    time.sleep(0.05)
    builtins.sorted = lambda *_: "forged"


threading.Thread(target=spoil, daemon=True).start()
# --- the next call ---
import time

time.sleep(0.2)
