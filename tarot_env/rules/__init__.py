"""The games and their options, where they come from, and what things are called."""

from tarot_env.rules.options import (
    TARGET_POINTS,
    Rules,
    check_is_rules,
    is_exactly,
    parse_override,
    preset_values,
    value_text,
    values_text,
)

__all__ = [
    "TARGET_POINTS",
    "Rules",
    "check_is_rules",
    "is_exactly",
    "parse_override",
    "preset_values",
    "value_text",
    "values_text",
]
