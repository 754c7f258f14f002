"""Ordinary nouns for fields that belong to no family: only their letters link them to the table."""

import functools

from neural_enquirer.synthesis.open.families import all_families
from neural_enquirer.synthesis.open.headers import stem
from neural_enquirer.synthesis.open.makers import pool, split_of_text
from neural_enquirer.synthesis.open.shapes import VALUES
from neural_enquirer.synthesis.open.vocabulary import family_texts, phrase_words


@functools.cache
def field_words(split: str) -> tuple[str, ...]:
    """Words for headers, of which no two splits share one: English nouns and made-up words."""
    held_out = (text for family in all_families() if family.held_out for text in family_texts(family))
    known = {stem(word) for word in (*phrase_words(), *" ".join(held_out).lower().split())}
    nouns = [
        word for word in VALUES["field_nouns"] if split_of_text(word) == split and stem(word) not in known
    ]
    made_up = [word for word in pool("word", split) if stem(word) not in known]
    # Training meets thousands of made-up words: few seen often would be learned by heart.
    repeats = max(1, len(made_up) // (3 * len(nouns)))
    return (*nouns * repeats, *made_up)
