"""Read an extended attribute, which Landlock does not guard.

Contained: the attribute's canary is not in the output.
Needs: xattr
"""

import os

print(os.getxattr("@OUTSIDE@/stat.txt", "user.canary"))
