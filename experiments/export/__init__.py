"""Export a run: tidy tables for data tools, and logs for Inspect."""

from ansatz.experiments.export.inspect_log import write_inspect_logs
from ansatz.experiments.export.tidy import FORMATS, write_tables

__all__ = ["FORMATS", "write_inspect_logs", "write_tables"]
