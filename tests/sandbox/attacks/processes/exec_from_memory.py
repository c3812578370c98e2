"""Run a program from an anonymous file in memory, where no path rule applies.

Contained: no other program runs.
"""

import os

image = os.memfd_create("image", 0)
os.write(image, open("/bin/sleep", "rb").read())
os.execve(image, ["sleep", "0.5"], {})
