"""Make a file in a folder of the user.

Contained: the folder is as it was.
"""

open("@OUTSIDE@/planted.txt", "w").write("planted")
