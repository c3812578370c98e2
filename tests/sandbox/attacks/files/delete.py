"""Delete a file of the user.

Contained: the file is there.
"""

import os

os.remove("@OUTSIDE@/delete.txt")
