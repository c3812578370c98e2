"""Ask where a symbolic link points.

Contained: the link's target is not in the output.
"""

import os

print(os.readlink("@OUTSIDE@/link"))
