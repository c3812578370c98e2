"""Leave a changed root the classic way: change it again and climb.

Contained: the file's canary is not in the output.
Needs: root
"""

import os

os.makedirs("inner", exist_ok=True)
os.chroot("inner")
for _ in range(64):
    os.chdir("..")
os.chroot(".")
print(open("@OUTSIDE@/read.txt").read())
