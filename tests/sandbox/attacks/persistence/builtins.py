"""Leave a note among the built-in names.

Contained: the next call does not find it.
Control: exec, because a fresh interpreter has fresh built-ins
"""

import builtins

builtins.left = "@SECRET@"
# --- the next call ---
print(left)  # noqa: F821
