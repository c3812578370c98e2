"""Become root in a new user namespace, then look for mounts to undo.

Contained: no namespace is entered.
Needs: user_namespaces
"""

import ctypes
import os

NEW_USER, NEW_MOUNTS = 0x10000000, 0x00020000
if ctypes.CDLL(None).unshare(NEW_USER | NEW_MOUNTS) == 0:
    print("@TOKEN@"[::-1], os.getuid())
