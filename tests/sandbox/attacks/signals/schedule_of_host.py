"""Give the framework the lowest rank of the scheduler.

Contained: its rank is as it was.
"""

import os

os.sched_setscheduler(int("@HOST_PID@"), os.SCHED_IDLE, os.sched_param(0))
