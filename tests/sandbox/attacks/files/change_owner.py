"""Give a file of the user away.

Contained: the owner is as it was.
Needs: root
"""

import os

os.chown("@OUTSIDE@/mode.txt", 12345, 12345)
