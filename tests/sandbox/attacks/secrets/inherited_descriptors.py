"""Read every open file that was inherited.

Contained: the answer is not in the output.
Control: exec, because a subprocess inherits no descriptors from Python
"""

import os

for descriptor in range(3, 1024):
    try:
        print(descriptor, os.pread(descriptor, 4096, 0))
    except OSError:
        continue
