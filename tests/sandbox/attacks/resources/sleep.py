"""Sleep for ever, which no limit of processor time ends.

Contained: the call ends in time.
Control: exec, because a time limit ends a subprocess
"""

import time

time.sleep(1000)
