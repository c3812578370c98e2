"""What holds for all tests."""

from hypothesis import settings

# The same cases everywhere, and no limit on the time of one: a busy machine is no fault.
settings.register_profile("ansatz", deadline=None, derandomize=True)
settings.load_profile("ansatz")
