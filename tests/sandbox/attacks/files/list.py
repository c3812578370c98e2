"""List a folder of the user; names are secrets too.

Contained: the canary among the names is not in the output.
"""

import os

print(os.listdir("@OUTSIDE@"))
