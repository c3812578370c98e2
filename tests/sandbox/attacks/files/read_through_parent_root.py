"""Reach the user's files through the root folder of the framework's process.

Contained: the file's canary is not in the output.
"""

print(open("/proc/@HOST_PID@/root@OUTSIDE@/read.txt").read())
