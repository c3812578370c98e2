"""Change the time of a file of the user; Landlock does not guard times.

Contained: the time is as it was.
"""

import os

os.utime("@OUTSIDE@/time.txt", (1, 1))
