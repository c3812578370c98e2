"""Plant a symbolic link among the user's files.

Contained: the folder is as it was.
"""

import os

os.symlink("/etc/hostname", "@OUTSIDE@/planted")
