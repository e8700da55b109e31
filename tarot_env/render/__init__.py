"""Tables and records for people: text, pictures, narration."""

from tarot_env.render.captions import headline, roles, withhold_lines
from tarot_env.render.replay import replay_text
from tarot_env.render.text import answers_text, board_lines, render_rgb, render_text, text_of
from tarot_env.render.view import View, view_of
from tarot_env.rules.labels import Letters, action_label, card_label, cards_text

__all__ = [
    "Letters",
    "View",
    "action_label",
    "answers_text",
    "board_lines",
    "card_label",
    "cards_text",
    "headline",
    "render_rgb",
    "render_text",
    "replay_text",
    "roles",
    "text_of",
    "view_of",
    "withhold_lines",
]
