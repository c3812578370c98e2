"""Go on computing when the framework's process is killed.

Contained: nothing lives on.
Ending: host killed
"""

import os
import time

os.setsid()
time.sleep(20)
