"""Leave a note in the environment.

Contained: the next call does not find it.
Control: exec, because a subprocess cannot change its parent's environment
"""

import os

os.environ["LEFT"] = "@SECRET@"
# --- the next call ---
import os

print(os.environ["LEFT"])
