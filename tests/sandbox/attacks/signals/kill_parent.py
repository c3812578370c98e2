"""Kill whoever started this process.

Contained: the framework lives and its next call is right.
"""

import os

os.kill(os.getppid(), 9)
