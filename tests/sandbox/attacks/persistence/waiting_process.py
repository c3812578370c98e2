"""Leave a process that hands a note to the next call through a pipe in the scratch folder.

Contained: nothing lives on.
"""

import os
import time

if os.fork() == 0:
    os.setsid()
    os.closerange(0, 256)
    open("left.txt", "w").write("@SECRET@")
    time.sleep(10)
    os._exit(0)
time.sleep(0.1)
# --- the next call ---
print(open("left.txt").read())
