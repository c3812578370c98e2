"""Climb out of the working folder, and ever further.

Contained: the file's canary is not in the output.
"""

print(open("../" * 30 + "@OUTSIDE@/read.txt").read())
