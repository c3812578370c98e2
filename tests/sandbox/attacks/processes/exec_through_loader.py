"""Let the dynamic loader run a program, which needs no permission to execute it.

Contained: no other program runs.
"""

import glob
import os

loader = [*glob.glob("/lib64/ld-linux*"), *glob.glob("/lib/ld-linux*"), *glob.glob("/lib/*/ld-linux*")][0]
os.execv(loader, [loader, "/bin/sleep", "0.5"])
