"""Plant a symbolic link in the scratch folder and read through it.

Contained: the file's canary is not in the output.
"""

import os

os.symlink("@OUTSIDE@/read.txt", "innocent")
print(open("innocent").read())
