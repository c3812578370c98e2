"""Delete a folder of the user with all that is in it.

Contained: the folder is as it was.
"""

import shutil

shutil.rmtree("@OUTSIDE@", ignore_errors=True)
