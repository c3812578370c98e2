"""Make namespaces of one's own, in which much of the kernel is reachable that is not otherwise.

Contained: none is made.
Needs: user_namespaces
"""

import ctypes

NEW_USER, NEW_NET = 0x10000000, 0x40000000
if ctypes.CDLL(None).unshare(NEW_USER | NEW_NET) == 0:
    print("@TOKEN@"[::-1])
