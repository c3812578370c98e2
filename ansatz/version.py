"""The installed version of Ansatz."""

from importlib.metadata import version

__version__ = version("ansatz-eval")
