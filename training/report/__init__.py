"""Reports of training runs and tournaments."""

from training.report.report import report

__all__ = [
    "report",
]
