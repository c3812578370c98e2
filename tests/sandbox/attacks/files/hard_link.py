"""Give a file of the user a second name.

Contained: the file has one name.
"""

import os

os.link("@OUTSIDE@/read.txt", "@OUTSIDE@/second")
