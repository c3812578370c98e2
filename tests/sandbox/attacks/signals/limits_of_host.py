"""Lower a limit of the framework's process.

Contained: its limits are as they were.
"""

import resource

soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.prlimit(int("@HOST_PID@"), resource.RLIMIT_CORE, (0, 0))
resource.prlimit(int("@HOST_PID@"), resource.RLIMIT_STACK, (4 << 20, 4 << 20))
