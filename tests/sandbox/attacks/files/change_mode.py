"""Open a file of the user to everyone; Landlock does not guard modes.

Contained: the mode is as it was.
"""

import os

os.chmod("@OUTSIDE@/mode.txt", 0o777)
