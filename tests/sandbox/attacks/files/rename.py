"""Rename a file of the user.

Contained: the file has its name.
"""

import os

os.rename("@OUTSIDE@/rename.txt", "@OUTSIDE@/renamed.txt")
