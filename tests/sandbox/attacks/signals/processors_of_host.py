"""Bind the framework to one processor.

Contained: its processors are as they were.
Needs: two_processors
"""

import os

os.sched_setaffinity(int("@HOST_PID@"), {min(os.sched_getaffinity(0))})
