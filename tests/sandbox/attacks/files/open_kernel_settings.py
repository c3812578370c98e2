"""Open a setting of the kernel for writing.

Contained: it cannot be opened for writing.
Needs: root
"""

import os

os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
print("@TOKEN@"[::-1])
