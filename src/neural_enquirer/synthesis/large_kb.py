"""A large knowledge source in small: training sees five field sets one by one, testing asks across them."""

from typing import Final

from neural_enquirer.programs.language import Cells
from neural_enquirer.programs.paper import steps, to_paper_text
from neural_enquirer.synthesis.splits import split_of

# Frozen. Drawn at random, five fields each; the first draw that covers all ten fields and has a city or a
# country in every set, so that every set can name its rows.
FIELD_SETS: Final = (
    ("year", "#_participants", "#_medals", "host_country", "country_size"),
    ("host_city", "#_participants", "#_medals", "host_country", "country_size"),
    ("year", "host_country", "GDP", "country_size", "population"),
    ("year", "host_city", "#_participants", "#_duration", "population"),
    ("year", "host_city", "#_participants", "#_duration", "#_audience"),
)


def split_by_field_sets(program: Cells, field_sets: tuple[tuple[str, ...], ...] = FIELD_SETS) -> str | None:
    """The split of a program: for testing if its fields lie in no single set, else by its logical form.

    Within the sets, forms that other tasks test stay unused, so that no training of any task meets them.
    """
    used = set(steps(program))
    if not any(used <= set(names) for names in field_sets):
        return "test"
    split = split_of(to_paper_text(program))
    return None if split == "test" else split
