"""Deals as lines of JSON: written, read again and checked."""

from tarot_env.records.files import (
    CheckResult,
    Problem,
    Step,
    check,
    check_files,
    deal_of,
    read_records,
    record,
    replay,
    to_line,
    with_legal,
)

__all__ = [
    "CheckResult",
    "Problem",
    "Step",
    "check",
    "check_files",
    "deal_of",
    "read_records",
    "record",
    "replay",
    "to_line",
    "with_legal",
]
