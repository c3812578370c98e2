"""Reach the user's files through the working folder of the framework's process.

Contained: the file's canary is not in the output.
"""

import os

os.chdir("/proc/@HOST_PID@/cwd/../outside")
print(open("read.txt").read())
