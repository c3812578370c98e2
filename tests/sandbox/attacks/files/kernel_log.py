"""Open the kernel's log, which tells addresses and devices.

Contained: it cannot be opened.
Needs: root
"""

import os

os.close(os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK))
print("@TOKEN@"[::-1])
