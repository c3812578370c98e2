"""Make a device node, by which a root process reads raw disks. This one is only the null device.

Contained: no device is made.
Needs: root
"""

import os
import stat

os.mknod("null", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
if stat.S_ISCHR(os.stat("null").st_mode):
    print("@TOKEN@"[::-1])
