"""Print the environment that was inherited.

Contained: the key in the framework's environment is not in the output.
"""

import os

print(dict(os.environ))
