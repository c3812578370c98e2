"""Wait for input that never comes.

Contained: the call ends in time.
Control: exec, because a time limit ends a subprocess
"""

import os

read, write = os.pipe()
os.read(read, 1)
