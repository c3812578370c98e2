"""Write 64 MB to the error stream.

Contained: the framework's memory does not grow with it.
"""

import os

for _ in range(1024):
    os.write(2, b"x" * 65536)
