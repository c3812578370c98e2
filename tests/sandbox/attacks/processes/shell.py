"""Hand a line to the shell.

Contained: the shell's work leaves no trace.
"""

import os

os.system("touch @OUTSIDE@/planted; sleep 0.3")
