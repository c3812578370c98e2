"""Make a folder in a folder of the user.

Contained: the folder is as it was.
"""

import os

os.mkdir("@OUTSIDE@/planted")
