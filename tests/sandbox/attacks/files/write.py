"""Overwrite a file of the user.

Contained: the file is as it was.
"""

open("@OUTSIDE@/write.txt", "w").write("overwritten")
