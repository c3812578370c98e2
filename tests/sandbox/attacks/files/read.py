"""Read a file of the user.

Contained: the file's canary is not in the output.
"""

print(open("@OUTSIDE@/read.txt").read())
