"""Empty a file of the user without opening it.

Contained: the file is as it was.
"""

import os

os.truncate("@OUTSIDE@/truncate.txt", 0)
