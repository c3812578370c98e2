"""Die with a core file, which holds all memory, in a folder that outlives the call.

Contained: no file appears outside.
Needs: core
"""

import os
import resource

os.chdir("@OUTSIDE@")
resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
os.abort()
