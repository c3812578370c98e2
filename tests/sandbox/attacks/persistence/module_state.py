"""Leave a note in a module.

Contained: the next call does not find it.
Control: exec, because a fresh interpreter has fresh modules
"""

import math

math.left = "@SECRET@"
# --- the next call ---
import math

print(math.left)
