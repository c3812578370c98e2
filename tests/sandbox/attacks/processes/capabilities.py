"""Use a right that only the superuser has: change the machine's name, to what it already is.

Contained: the right is refused.
Needs: root
"""

import ctypes
import os

name = os.uname().nodename.encode()
if ctypes.CDLL(None).sethostname(name, len(name)) == 0:
    print("@TOKEN@"[::-1])
