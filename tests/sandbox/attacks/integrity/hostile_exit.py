"""Leave by an exception that no handler of ordinary errors catches.

Contained: there is an outcome, and the framework lives.
Control: exec, because a subprocess ends alone
"""

import os
import signal


class Leave(BaseException):
    def __str__(self):
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    __repr__ = __str__


raise Leave
