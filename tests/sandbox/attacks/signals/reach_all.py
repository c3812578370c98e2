"""Ask, with the empty signal, whether one could signal every process one may signal; to do it would end the control.

Contained: there is none.
"""

import os

os.kill(-1, 0)
print("@TOKEN@"[::-1])
