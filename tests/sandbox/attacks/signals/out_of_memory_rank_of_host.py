"""Make the framework the first to be ended when memory is short.

Contained: its rank is as it was.
"""

open("/proc/@HOST_PID@/oom_score_adj", "w").write("900")
