"""Kinds of things that tables are about, with the attributes they have."""

from neural_enquirer.synthesis.open.lexicon import Topic

TOPICS: tuple[Topic, ...] = ()
