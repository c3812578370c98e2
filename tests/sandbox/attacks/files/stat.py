"""Ask for a file's size, which tells that it exists and how much is in it.

Contained: the size is not in the output.
"""

import os

print(f"size={os.stat('@OUTSIDE@/stat.txt').st_size};")
