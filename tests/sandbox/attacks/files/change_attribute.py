"""Set an extended attribute on a file of the user; Landlock does not guard attributes.

Contained: the attributes are as they were.
Needs: xattr
"""

import os

os.setxattr("@OUTSIDE@/attribute.txt", "user.planted", b"planted")
