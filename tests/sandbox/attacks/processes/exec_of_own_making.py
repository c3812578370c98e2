"""Write a program into the scratch folder and run it.

Contained: no other program runs.
"""

import os
import shutil

shutil.copy("/bin/sleep", "./slumber")
os.chmod("./slumber", 0o755)
os.execv("./slumber", ["slumber", "0.5"])
