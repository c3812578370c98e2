"""Make a named pipe in a folder of the user.

Contained: the folder is as it was.
"""

import os

os.mkfifo("@OUTSIDE@/pipe")
