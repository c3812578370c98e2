"""Leave a mask under which the next call cannot read its own files.

Contained: the next call makes files as every call does.
Control: exec, because a subprocess cannot change its parent's mask
"""

import os

os.umask(0o777)
# --- the next call ---
import os

if os.umask(0o22) == 0o777:
    print("@TOKEN@"[::-1])
