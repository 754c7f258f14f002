"""Words that say what to do with a table, as follow-ups know them."""

from neural_enquirer.encoding.wording import is_superlative, phrases_pattern

__all__ = ["is_superlative", "phrases_pattern"]
