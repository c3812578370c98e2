"""Build one long string by formatting.

Contained: the limit of memory holds.
"""

import time

hoard = "%300000000d" % 1
time.sleep(0.1)
