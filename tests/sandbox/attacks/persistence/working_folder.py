"""Leave the working folder elsewhere.

Contained: the next call starts where every call does.
Control: exec, because a subprocess cannot change its parent's folder
"""

import os

os.chdir("/usr")
# --- the next call ---
import os

if os.getcwd() == "/usr":
    print("@TOKEN@"[::-1])
