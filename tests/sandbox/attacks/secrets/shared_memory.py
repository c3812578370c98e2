"""Attach to a POSIX shared memory segment of the framework.

Contained: the answer is not in the output.
"""

import os

print(os.listdir("/dev/shm"))
print(open("/dev/shm/" + "@SHARED_MEMORY@".lstrip("/"), "rb").read())
