"""How people speak of the Olympic games and the countries that host them.

Three things make these questions hard to understand: a field has many phrases ("how long", "for how many
days"), a phrase serves many fields ("in China", "in Beijing", "in 2012"), and plain words stand for whole
comparisons ("after the game in Beijing", "the largest crowd"). A phrase never serves two fields at once where
only its own words tell them apart, so a question has one logical form.
"""

from neural_enquirer.synthesis.schema import FieldPhrases

__all__ = ["COMPARATIVES", "COUNTRY", "GAME"]

_PLACES = (
    "in {value}",
    "hosted by {value}",
    "held in {value}",
    "hosted in {value}",
    "that took place in {value}",
    "that happened in {value}",
)

GAME: dict[str, FieldPhrases] = {
    "year": FieldPhrases(
        questions=(
            "which year saw {it}",
            "when was {it} held",
            "when was {it} hosted",
            "when did {it} take place",
            "in which year was {it} held",
            "in what year did {it} take place",
        ),
        nouns=("the year of {it}", "the date of {it}"),
        equal=(
            "in {value}",
            "of {value}",
            "held in {value}",
            "hosted in {value}",
            "that took place in {value}",
            "that happened in {value}",
        ),
        less=(
            "before {value}",
            "earlier than {value}",
            "held before {value}",
            "hosted before {value}",
            "that took place before {value}",
        ),
        more=(
            "after {value}",
            "later than {value}",
            "held after {value}",
            "hosted after {value}",
            "that took place after {value}",
        ),
        less_than=(
            "before {it}",
            "earlier than {it}",
            "held before {it}",
            "hosted before {it}",
            "that took place before {it}",
        ),
        more_than=(
            "after {it}",
            "later than {it}",
            "held after {it}",
            "hosted after {it}",
            "that took place after {it}",
        ),
        largest=("the latest {thing}", "the last {thing}", "the most recent {thing}", "the newest {thing}"),
        smallest=(
            "the first {thing}",
            "the earliest {thing}",
            "the oldest {thing}",
            "the {thing} held first",
        ),
    ),
    "host_city": FieldPhrases(
        questions=(
            "which city hosted {it}",
            "where was {it} held",
            "what city hosted {it}",
            "in which city was {it} held",
            "in what city did {it} take place",
            "which city was the host of {it}",
        ),
        nouns=("the host city of {it}", "the city of {it}", "the city that hosted {it}"),
        equal=_PLACES,
    ),
    "#_participants": FieldPhrases(
        questions=(
            "how many people participated in {it}",
            "how many athletes competed in {it}",
            "how many athletes took part in {it}",
            "how many participants did {it} have",
            "how many competitors were there in {it}",
        ),
        nouns=(
            "the number of participants in {it}",
            "the number of athletes in {it}",
            "the total of competitors in {it}",
        ),
        equal=(
            "with {value} participants",
            "with {value} athletes",
            "that had {value} participants",
            "in which {value} athletes competed",
            "in which {value} people took part",
        ),
        less=(
            "with fewer than {value} participants",
            "with under {value} participants",
            "with less than {value} athletes",
            "that had fewer than {value} competitors",
            "in which fewer than {value} people took part",
        ),
        more=(
            "with more than {value} participants",
            "with over {value} participants",
            "with more than {value} athletes",
            "that had more than {value} competitors",
            "in which more than {value} people took part",
        ),
        less_than=(
            "with fewer participants than {it}",
            "with fewer athletes than {it}",
            "that had fewer competitors than {it}",
            "in which fewer people took part than in {it}",
        ),
        more_than=(
            "with more participants than {it}",
            "with more athletes than {it}",
            "that had more competitors than {it}",
            "in which more people took part than in {it}",
        ),
        largest=(
            "the {thing} with the most participants",
            "the {thing} with the most athletes",
            "the {thing} with the largest number of competitors",
            "the {thing} in which the most people took part",
        ),
        smallest=(
            "the {thing} with the fewest participants",
            "the {thing} with the fewest athletes",
            "the {thing} with the smallest number of competitors",
            "the {thing} in which the fewest people took part",
        ),
    ),
    "#_medals": FieldPhrases(
        questions=(
            "how many medals were in {it}",
            "how many medals did {it} have",
            "how many medals were won in {it}",
            "how many medals were awarded in {it}",
            "how many medals were there to win in {it}",
        ),
        nouns=("the medal count of {it}", "the number of medals in {it}", "the total of medals in {it}"),
        equal=(
            "with {value} medals",
            "that had {value} medals",
            "that awarded {value} medals",
            "in which {value} medals were won",
        ),
        less=(
            "with fewer than {value} medals",
            "with under {value} medals",
            "with less than {value} medals",
            "that awarded fewer than {value} medals",
            "in which fewer than {value} medals were won",
        ),
        more=(
            "with more than {value} medals",
            "with over {value} medals",
            "that awarded more than {value} medals",
            "in which more than {value} medals were won",
        ),
        less_than=(
            "with fewer medals than {it}",
            "that awarded fewer medals than {it}",
            "in which fewer medals were won than in {it}",
        ),
        more_than=(
            "with more medals than {it}",
            "that awarded more medals than {it}",
            "in which more medals were won than in {it}",
        ),
        largest=(
            "the {thing} with the most medals",
            "the {thing} that awarded the most medals",
            "the {thing} with the largest number of medals",
            "the {thing} in which the most medals were won",
        ),
        smallest=(
            "the {thing} with the fewest medals",
            "the {thing} that awarded the fewest medals",
            "the {thing} with the smallest number of medals",
            "the {thing} in which the fewest medals were won",
        ),
    ),
    "#_duration": FieldPhrases(
        questions=(
            "how long was {it}",
            "how long did {it} last",
            "how long did {it} take",
            "how many days did {it} last",
            "for how many days did {it} run",
        ),
        nouns=("the duration of {it}", "the length of {it}", "the number of days of {it}"),
        equal=(
            "of {value} days",
            "that lasted {value} days",
            "that lasted for {value} days",
            "with a duration of {value} days",
        ),
        less=(
            "shorter than {value} days",
            "of less than {value} days",
            "that lasted less than {value} days",
            "that lasted for fewer than {value} days",
        ),
        more=(
            "longer than {value} days",
            "of more than {value} days",
            "that lasted more than {value} days",
            "that lasted for over {value} days",
        ),
        less_than=(
            "shorter than {it}",
            "that took less time than {it}",
            "that lasted less long than {it}",
            "that lasted for fewer days than {it}",
        ),
        more_than=(
            "longer than {it}",
            "that lasted longer than {it}",
            "that took more time than {it}",
            "that lasted for more days than {it}",
        ),
        largest=(
            "the longest {thing}",
            "the {thing} that lasted longest",
            "the {thing} with the most days",
            "the {thing} that lasted the most days",
        ),
        smallest=(
            "the shortest {thing}",
            "the briefest {thing}",
            "the {thing} with the fewest days",
            "the {thing} that lasted the fewest days",
        ),
    ),
    "#_audience": FieldPhrases(
        questions=(
            "how many people watched {it}",
            "how many spectators attended {it}",
            "how many spectators did {it} have",
            "how large was the crowd at {it}",
            "how big was the audience of {it}",
        ),
        nouns=("the audience of {it}", "the number of spectators at {it}", "the size of the crowd at {it}"),
        equal=(
            "with {value} spectators",
            "watched by {value} people",
            "with a crowd of {value}",
            "that had an audience of {value}",
        ),
        less=(
            "with fewer than {value} spectators",
            "with under {value} spectators",
            "watched by less than {value} people",
            "with a crowd of fewer than {value}",
            "that had an audience smaller than {value}",
        ),
        more=(
            "with more than {value} spectators",
            "with over {value} spectators",
            "watched by more than {value} people",
            "with a crowd of more than {value}",
            "that had an audience larger than {value}",
        ),
        less_than=(
            "with fewer spectators than {it}",
            "watched by fewer people than {it}",
            "with a smaller crowd than {it}",
            "that had a smaller audience than {it}",
        ),
        more_than=(
            "with more spectators than {it}",
            "watched by more people than {it}",
            "with a larger crowd than {it}",
            "that had a bigger audience than {it}",
        ),
        largest=(
            "the most watched {thing}",
            "the {thing} with the largest crowd",
            "the {thing} with the most spectators",
            "the {thing} watched by the most people",
            "the {thing} with the biggest audience",
        ),
        smallest=(
            "the least watched {thing}",
            "the {thing} with the smallest crowd",
            "the {thing} with the fewest spectators",
            "the {thing} watched by the fewest people",
            "the {thing} with the smallest audience",
        ),
    ),
    "host_country": FieldPhrases(
        questions=(
            "which country hosted {it}",
            "what country hosted {it}",
            "which nation hosted {it}",
            "in which country was {it} hosted",
            "in what country did {it} take place",
            "which country was the host of {it}",
        ),
        nouns=("the host country of {it}", "the country of {it}", "the nation that hosted {it}"),
        equal=_PLACES,
    ),
}
"""Phrases whose `{it}` and `{thing}` are a game."""

COUNTRY: dict[str, FieldPhrases] = {
    "GDP": FieldPhrases(
        questions=(
            "how rich is {it}",
            "what is the GDP of {it}",
            "how high is the GDP of {it}",
            "how large is the economy of {it}",
        ),
        nouns=("the GDP of {it}", "the wealth of {it}", "the size of the economy of {it}"),
        equal=("with a GDP of {value}", "whose GDP is {value}", "with an economy of {value}"),
        less=(
            "with a GDP below {value}",
            "whose GDP is under {value}",
            "with an economy smaller than {value}",
        ),
        more=("with a GDP above {value}", "whose GDP is over {value}", "with an economy larger than {value}"),
        less_than=("poorer than {it}", "with a lower GDP than {it}", "with a smaller economy than {it}"),
        more_than=("richer than {it}", "with a higher GDP than {it}", "with a larger economy than {it}"),
        largest=(
            "the richest {thing}",
            "the {thing} with the highest GDP",
            "the {thing} with the largest economy",
        ),
        smallest=(
            "the poorest {thing}",
            "the {thing} with the lowest GDP",
            "the {thing} with the smallest economy",
        ),
    ),
    "country_size": FieldPhrases(
        questions=(
            "how big is {it}",
            "how large is {it}",
            "what is the area of {it}",
            "what is the size of {it}",
        ),
        nouns=("the size of {it}", "the area of {it}", "the land area of {it}"),
        equal=("with a size of {value}", "with an area of {value}", "whose area is {value}"),
        less=("smaller than {value}", "with an area below {value}", "whose size is under {value}"),
        more=(
            "larger than {value}",
            "bigger than {value}",
            "with an area above {value}",
            "whose size is over {value}",
        ),
        less_than=("smaller than {it}", "with less land than {it}", "with a smaller area than {it}"),
        more_than=(
            "larger than {it}",
            "bigger than {it}",
            "with more land than {it}",
            "with a larger area than {it}",
        ),
        largest=("the largest {thing}", "the biggest {thing}", "the {thing} with the largest area"),
        smallest=("the smallest {thing}", "the tiniest {thing}", "the {thing} with the smallest area"),
    ),
    "population": FieldPhrases(
        questions=(
            "how populous is {it}",
            "how many people live in {it}",
            "what is the population of {it}",
            "how many inhabitants does {it} have",
        ),
        nouns=("the population of {it}", "the number of inhabitants of {it}", "the number of people in {it}"),
        equal=("with {value} inhabitants", "with a population of {value}", "where {value} people live"),
        less=(
            "with fewer than {value} inhabitants",
            "with a population below {value}",
            "where less than {value} people live",
        ),
        more=(
            "with more than {value} inhabitants",
            "with a population above {value}",
            "where more than {value} people live",
        ),
        less_than=(
            "less populous than {it}",
            "with fewer inhabitants than {it}",
            "with a smaller population than {it}",
            "where fewer people live than in {it}",
        ),
        more_than=(
            "more populous than {it}",
            "with more inhabitants than {it}",
            "with a larger population than {it}",
            "where more people live than in {it}",
        ),
        largest=(
            "the most populous {thing}",
            "the {thing} with the most inhabitants",
            "the {thing} with the largest population",
        ),
        smallest=(
            "the least populous {thing}",
            "the {thing} with the fewest inhabitants",
            "the {thing} with the smallest population",
        ),
    ),
    "continent": FieldPhrases(
        questions=(
            "on which continent is {it}",
            "what continent is {it} on",
            "which continent does {it} belong to",
        ),
        nouns=("the continent of {it}", "the continent where {it} lies"),
        equal=("on the continent {value}", "that lies in {value}", "that belongs to {value}"),
    ),
    "country": FieldPhrases(
        questions=("what is {it} called", "what is the name of {it}", "which nation is {it}"),
        nouns=("the name of {it}",),
        equal=("called {value}",),
        names=("{value}",),
    ),
}
"""Phrases whose `{it}` and `{thing}` are a country."""

COMPARATIVES: dict[str, tuple[str, str]] = {
    "GDP": ("poorer", "richer"),
    "country_size": ("smaller", "larger"),
    "population": ("less populous", "more populous"),
}
"""What a country is whose field is less or more than another's."""
