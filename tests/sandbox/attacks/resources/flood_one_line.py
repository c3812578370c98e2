"""Print 64 MB without an end of line.

Contained: the framework's memory does not grow with it.
"""

import os

for _ in range(1024):
    os.write(1, b"x" * 65536)
