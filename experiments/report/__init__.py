"""Reports: from the cells of a run to tables, a forest plot and files."""

from ansatz.experiments.report.table import RESOURCES, Cell, Comparison, Mean, ReportData

__all__ = ["RESOURCES", "Cell", "Comparison", "Mean", "ReportData"]
