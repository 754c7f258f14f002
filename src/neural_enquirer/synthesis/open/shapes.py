"""The shapes of sentences, as data: all words of questions but values and those of families and topics.

Slots: {t} the field asked for, {f} another field, {v} a value, {e} a thing's name, {D} a description of the
thing ("the building in Spain"), {n} a noun for it, {p} the noun's plural, {m} what follows the noun ("in
Spain"), {s} a superlative ("highest"), {c} a comparative ("higher"), {o} an operator ("more than"), {g} a
sign (">"), {vp} what the thing does ("has the highest price"), {x} a phrase, {a} an adjective or "among ...".
"""

import sys
from collections.abc import Iterator, Mapping
from typing import Final

# Headers and cells.

QUALIFIERS: Final = (
    "official", "current", "estimated", "reported", "listed", "actual", "overall", "approx", "recorded",
    "typical",
)  # fmt: skip
ASIDES: Final = ("2019", "2020", "2023", "est.", "approx.", "total", "official", "latest", "all", "final")
COUNTED_HEADERS: Final = (
    "#{noun}", "# {noun}", "# of {noun}", "No. of {noun}", "num_{noun}", "number_of_{noun}",
)  # fmt: skip
TWINS: Final = {
    "text": (
        ("home", "away"), ("origin", "destination"), ("departure", "arrival"), ("primary", "secondary"),
        ("previous", "current"), ("billing", "shipping"), ("winning", "losing"), ("original", "new"),
        ("local", "foreign"), ("parent", "child"),
    ),
    "list": (("primary", "secondary"), ("previous", "current"), ("original", "new")),
    "number": (
        ("planned", "actual"), ("target", "actual"), ("previous", "current"), ("local", "global"),
        ("home", "away"), ("gross", "net"), ("initial", "final"), ("2010", "2020"), ("2022", "2023"),
    ),
    "date": (("start", "end"), ("planned", "actual"), ("original", "revised"), ("opening", "closing")),
}  # fmt: skip
DISTRACTORS: Final = (
    ("id", "number"), ("row id", "number"), ("index", "number"), ("no", "number"), ("notes", "note"),
    ("remarks", "note"), ("comment", "note"), ("uuid", "code"), ("ref", "code"), ("record id", "code"),
)  # fmt: skip
YEAR_HEADERS: Final = ("year", "year", "year", "season", "fiscal year", "fy", "calendar year")
YEARS: Final = (1900, 2025)
NUMBER_RANGES: Final = (
    (0, 10, 0, False), (0, 100, 0, False), (1, 1000, 0, False), (0, 100, 1, False), (0, 1, 2, False),
    (-50, 50, 0, False), (-20, 40, 1, False), (10, 1_000_000, 0, True), (1, 10_000, 2, True),
    (1000, 90_000, 0, False), (100_000, 5_000_000_000, 0, True), (*YEARS, 0, False),
)  # fmt: skip

# Fields.

COUNT_OF: Final = ("number of {f}", "total number of {f}", "count of {f}")
THINGS: Final = ("entry", "row", "record", "item", "one")
THINGS_PLURAL: Final = ("entries", "rows", "records", "items", "ones")

# Superlatives: highest, lowest.

MOST: Final = {
    "number": ("highest", "largest", "greatest", "maximum", "biggest", "most", "top", "max"),
    "date": ("latest", "most recent", "newest", "last", "most recent"),
    "year": ("latest", "most recent", "highest", "newest", "last"),
}
LEAST: Final = {
    "number": ("lowest", "smallest", "least", "minimum", "fewest", "min", "lowest", "smallest"),
    "date": ("earliest", "oldest", "first", "earliest"),
    "year": ("earliest", "oldest", "lowest", "first"),
}
SUPERLATIVE_AFTER: Final = (
    "with the {s} {f}", "with the {s} {f}", "with the {s} {f}", "with {s} {f}", "that has the {s} {f}",
    "whose {f} is the {s}", "whose {f} is {s}", "where {f} is {s}", "having the {s} {f}", "of {s} {f}",
    "where the {f} is the {s}", "that is {s} in {f}", "ranked {s} by {f}", "with the {s} value of {f}",
    "with the {s} value for {f}", "which has the {s} {f}",
)  # fmt: skip
SUPERLATIVE_DOES: Final = (
    "has the {s} {f}", "has the {s} {f}", "has the {s} {f}", "had the {s} {f}", "has {s} {f}",
    "comes {s} by {f}", "shows the {s} {f}", "has got the {s} {f}", "is {s} in {f}",
    "has the {s} value of {f}", "ranks {s} in {f}", "is the one with the {s} {f}",
)  # fmt: skip
IS_THE_MOST: Final = (
    "is the {a}", "is the {a}", "is {a}", "was the {a}", "is the {a} one", "is the {a} of all",
)  # fmt: skip
EXTREME_VALUE: Final = (
    "the {s} {f}", "the {s} {f}", "the {s} value of {f}", "the {s} {f} overall", "{s} {f}",
)  # fmt: skip

# Conditions behind a noun.

EQUAL_TEXT: Final = (
    "with {f} {v}", "with {f} {v}", "with {f} = {v}", "whose {f} is {v}", "whose {f} is {v}",
    "where {f} is {v}", "where the {f} is {v}", "where {f} = {v}", "where {f} equals {v}",
    "having {f} {v}", "that has {f} {v}", "with the {f} {v}", "with {v} as {f}", "with {v} as its {f}",
    "for {f} {v}", "of {f} {v}", "in {f} {v}", "from {f} {v}", "listed under {f} {v}", "with a {f} of {v}",
    "in the {v} {f}", "from the {v} {f}", "({f}: {v})", "({f} {v})", "which has {f} {v}",
    "that has {v} as {f}",
)  # fmt: skip
EQUAL_BARE: Final = ("for {v}", "with {v}", "({v})", "that says {v}", "listed with {v}")
EQUAL_PLACE: Final = ("in {v}", "from {v}", "located in {v}", "in {v}")
EQUAL_NUMBER: Final = (
    "with {f} {v}", "with a {f} of {v}", "with a {f} of {v}", "whose {f} is {v}", "where {f} is {v}",
    "with {f} = {v}", "where {f} = {v}", "where the {f} equals {v}", "having a {f} of {v}",
    "that has a {f} of {v}", "of {f} {v}", "with the {f} {v}", "whose {f} equals {v}",
    "with {f} of exactly {v}", "({f} {v})",
)  # fmt: skip
EQUAL_COUNT: Final = ("with {v} {f}", "that has {v} {f}", "having {v} {f}", "with exactly {v} {f}")
EQUAL_DATE: Final = (
    "with {f} {v}", "with a {f} of {v}", "whose {f} is {v}", "where {f} is {v}", "where {f} = {v}",
    "with {f} on {v}", "whose {f} was {v}", "with the {f} {v}", "whose {f} was on {v}", "having {f} {v}",
    "dated {v} in {f}",
)  # fmt: skip
DURING: Final = (
    "with {f} in {v}", "with a {f} in {v}", "whose {f} is in {v}", "whose {f} was in {v}",
    "where {f} is in {v}", "with the {f} in {v}", "where the {f} falls in {v}", "whose {f} falls in {v}",
)  # fmt: skip
COMPARED_NUMBER: Final = (
    "with {f} {o} {v}", "with a {f} {o} {v}", "whose {f} is {o} {v}", "where {f} is {o} {v}",
    "where the {f} is {o} {v}", "with {f} {g} {v}", "where {f} {g} {v}", "whose {f} {g} {v}",
    "with a {f} of {q} {v}", "having a {f} {o} {v}", "that has a {f} {o} {v}", "having {f} {g} {v}",
)  # fmt: skip
COMPARED_LOOSELY: Final = (
    "with a {f} of {q} {v}", "with {f} of {q} {v}", "whose {f} is {q} {v}", "where {f} is {q} {v}",
    "that has a {f} of {q} {v}", "having a {f} of {q} {v}",
)  # fmt: skip
COMPARED_COUNT: Final = ("with {q} {v} {f}", "that has {q} {v} {f}", "having {q} {v} {f}")
COMPARED_DATE: Final = (
    "with {f} {o} {v}", "with a {f} {o} {v}", "whose {f} is {o} {v}", "where {f} is {o} {v}",
    "where {f} {g} {v}", "whose {f} was {o} {v}", "whose {f} falls {o} {v}", "having a {f} {o} {v}",
)  # fmt: skip
BETWEEN: Final = (
    "with {f} between {v} and {w}", "with a {f} between {v} and {w}", "whose {f} is between {v} and {w}",
    "where {f} is between {v} and {w}", "having a {f} between {v} and {w}",
    "where {f} lies between {v} and {w}", "with {f} from {v} to {w}", "where {v} < {f} < {w}",
    "with {f} > {v} and < {w}", "with {f} over {v} but under {w}", "whose {f} is above {v} and below {w}",
)  # fmt: skip
BETWEEN_DATES: Final = (
    "with {f} between {v} and {w}", "with a {f} between {v} and {w}", "whose {f} is between {v} and {w}",
    "whose {f} falls between {v} and {w}", "with a {f} after {v} and before {w}",
)  # fmt: skip
MORE_WORDS: Final = (
    "over", "above", "more than", "greater than", "higher than", "larger than", "exceeding", "bigger than",
)  # fmt: skip
LESS_WORDS: Final = (
    "under", "below", "less than", "lower than", "smaller than", "lower than", "less than",
)  # fmt: skip
MORE_SIGN: Final = ">"
LESS_SIGN: Final = "<"
AT_LEAST: Final = ("at least", "no less than", "not less than", "at least")
AT_MOST: Final = ("at most", "no more than", "not more than", "up to")
MORE_COUNT: Final = ("more than", "over", "more than", "above")
LESS_COUNT: Final = ("fewer than", "less than", "under", "below")
AFTER_WORDS: Final = ("after", "later than", "after", "past", "more recent than")
BEFORE_WORDS: Final = ("before", "earlier than", "before", "prior to", "older than")

# Conditions as clauses.

CLAUSE_EQUAL: Final = (
    "the {f} is {v}", "the {f} is {v}", "{f} is {v}", "{f} is {v}", "the {f} was {v}", "{f} = {v}",
    "{f} equals {v}", "the {f} equals {v}", "{v} is the {f}", "it has {f} {v}", "{f} was {v}",
    "there is a {f} of {v}",
)  # fmt: skip
CLAUSE_DURING: Final = ("the {f} is in {v}", "{f} is in {v}", "the {f} was in {v}", "{f} falls in {v}")
CLAUSE_COMPARED: Final = (
    "the {f} is {o} {v}", "{f} is {o} {v}", "the {f} was {o} {v}", "{f} {g} {v}", "{f} is {o} {v}",
)  # fmt: skip
CLAUSE_BETWEEN: Final = (
    "the {f} is between {v} and {w}",
    "{f} is between {v} and {w}",
    "{f} > {v} and {f} < {w}",
)
CLAUSE_EXTREME: Final = ("the {f} is the {s}", "the {f} is {s}", "{f} is {s}", "it has the {s} {f}")
WHEN: Final = (
    "what is the {t} when {c}", "what is the {t} when {c}", "what was the {t} when {c}",
    "what is the {t} if {c}", "{t} when {c}", "when {c}, what is the {t}", "what {t} is given when {c}",
    "tell me the {t} when {c}", "name the {t} when {c}", "which {t} is listed when {c}",
    "if {c}, what is the {t}", "what's the {t} if {c}", "what is the {t} in the row where {c}",
    "what is the {t} where {c}", "show the {t} where {c}", "{t} where {c}",
    "what is the {t} given that {c}", "which {t} is there when {c}", "what are the {t} when {c}",
)  # fmt: skip
THINGLESS: Final = (
    "what is the {t} {m}", "what is the {t} {m}", "what was the {t} {m}", "name the {t} {m}",
    "tell me the {t} {m}", "which {t} is the one {m}", "i want the {t} {m}", "{t} {m}", "give the {t} {m}",
    "what's the {t} {m}", "i need the {t} {m}", "find the {t} {m}", "what {t} is there {m}",
    "show me the {t} {m}",
)  # fmt: skip

# Comparison with another thing.

MORE_THAN_THING: Final = (
    "with a {c} {f} than {e}", "with a {c} {f} than {e}", "with {c} {f} than {e}",
    "whose {f} is {c} than {e}'s", "whose {f} is {c} than that of {e}", "that has a {c} {f} than {e}",
    "having a {c} {f} than {e}", "where {f} is {c} than for {e}", "with {f} {c} than {e}",
    "whose {f} is {c} than the {f} of {e}", "where {f} {g} {f} of {e}", "whose {f} is {c} than {e}",
    "with a {f} {c} than that of {e}", "where the {f} is {c} than the {f} of {e}",
    "which has a {c} {f} than {e}",
)  # fmt: skip
HIGHER: Final = ("higher", "larger", "greater", "bigger", "higher")
LOWER: Final = ("lower", "smaller", "lower")
LATER: Final = ("later", "later", "more recent")
EARLIER: Final = ("earlier", "earlier", "older")
COUNT_THAN_THING: Final = ("with {q} {f} than {e}", "that has {q} {f} than {e}", "having {q} {f} than {e}")
MORE_OF: Final = ("more",)
LESS_OF: Final = ("fewer", "less")
SAME_AS_THING: Final = (
    "with the same {f} as {e}", "with the same {f} as {e}", "that has the same {f} as {e}",
    "whose {f} is the same as {e}'s", "having the same {f} as {e}", "whose {f} is the same as that of {e}",
    "where {f} is the same as for {e}", "that shares its {f} with {e}", "sharing {f} with {e}",
    "with {e}'s {f}", "with {f} equal to {e}'s", "whose {f} equals that of {e}",
)  # fmt: skip
OTHERS: Final = ("other", "other", "other")
NAMED_BY: Final = ("the one {m}", "the {n} {m}", "the {n} {m}", "that of the {n} {m}")

# What is asked.

ATTRIBUTE_QUESTIONS: Final = (
    "what is the {t} of {D}", "what is the {t} of {D}", "what is the {t} of {D}", "what's the {t} of {D}",
    "what is the {t} for {D}", "what was the {t} of {D}", "what {t} does {D} have",
    "which {t} does {D} have", "what {t} did {D} have", "what is {D}'s {t}", "for {D}, what is the {t}",
    "what {t} belongs to {D}", "what {t} is listed for {D}", "what does it say under {t} for {D}",
    "which {t} is given for {D}", "what's the value of {t} for {D}", "what would be the {t} of {D}",
    "what {t} has {D}", "whats the {t} of {D}", "what is listed as {t} for {D}",
    "which {t} belongs to {D}", "what about the {t} of {D}", "and the {t} of {D}",
    "what {t} do we have for {D}",
)  # fmt: skip
ATTRIBUTE_PHRASES: Final = (
    "the {t} of {D}", "the {t} of {D}", "the {t} of {D}", "the {t} for {D}", "{D}'s {t}", "{t} of {D}",
    "{t} for {D}", "the value of {t} for {D}", "what {t} {D} has", "which {t} {D} has",
    "what the {t} of {D} is", "the {t} that {D} has",
)  # fmt: skip
NAME_ATTRIBUTE: Final = (
    "what is {e}'s {t}", "what's {e}'s {t}", "{e}'s {t}", "{e}'s {t}", "what {t} does {e} have",
)  # fmt: skip
PERSON_ATTRIBUTE: Final = (
    "who is the {t} of {D}", "who was the {t} of {D}", "who is the {t} for {D}",
    "who is listed as {t} for {D}", "who's the {t} of {D}", "who is {D}'s {t}",
    "who is given as {t} of {D}",
)  # fmt: skip
PLACE_ATTRIBUTE: Final = (
    "in which {t} is {D}", "in what {t} is {D}", "which {t} is {D} in", "what {t} is {D} in",
    "in which {t} was {D}", "what {t} is {D} from", "to which {t} does {D} belong",
)  # fmt: skip
YEAR_ATTRIBUTE: Final = (
    "what is the {t} in {e}", "what was the {t} in {e}", "what was the {t} in {e}", "{t} in {e}",
    "the {t} in {e}", "in {e}, what was the {t}", "what {t} was there in {e}", "{t} for {e}",
    "what's the {t} for {e}", "show me the {t} in {e}", "give me the {t} for {e}",
    "what was the {t} of {e}", "{e} {t}", "tell me the {t} in {e}", "i need the {t} for {e}",
    "what {t} did we have in {e}", "find the {t} of {e}", "what is {t} for {e}",
)  # fmt: skip
YEAR_QUESTIONS: Final = (
    "in which {n} {m} was {x}", "in what {n} {m} was {x}", "in which {n} {m} do we find {x}",
)  # fmt: skip
HEAD_QUESTIONS: Final = (
    "which {n} {m} {vp}", "which {n} {m} {vp}", "which {n} {m} {vp}", "what {n} {m} {vp}",
    "which {n} {vp} {m}", "what is {D}", "what was {D}", "which is {D}", "which {n} is it that {vp} {m}",
    "what is the {n} that {vp} {m}", "which of the {p} {m} {vp}", "of all {p} {m}, which {vp}",
    "of all the {p} {m}, which one {vp}", "among {p} {m}, which {vp}", "among the {p} {m}, which one {vp}",
    "out of all {p} {m}, which one {vp}", "looking at {p} {m}, which one {vp}",
    "considering only {p} {m}, which {vp}", "which one of the {p} {m} {vp}", "for {p} {m}, which {vp}",
    "what's {D}", "do you know which {n} {m} {vp}",
)  # fmt: skip
PERSON_QUESTIONS: Final = (
    "who {vp} {m}", "who {vp} {m}", "who is {D}", "who was {D}", "who's {D}",
    "who is the {n} that {vp} {m}", "which {n} {m} {vp}", "among the {p} {m}, who {vp}",
    "of all {p} {m}, who {vp}", "who of the {p} {m} {vp}",
)  # fmt: skip
FRONTED: Final = ("{m}, which {n} {vp}", "{m} which {n} {vp}", "{m}, what {n} {vp}")
COUNT_QUESTIONS: Final = (
    "how many {t} does {D} have", "how many {t} did {D} have", "how many {t} has {D}",
    "how many {t} are there for {D}", "how many {t} are listed for {D}",
)  # fmt: skip
NUMBER_QUESTIONS: Final = (
    "how high is the {t} of {D}", "how large is the {t} of {D}", "how much is the {t} of {D}",
    "how big is the {t} of {D}", "how much {t} does {D} have", "what number is the {t} of {D}",
)  # fmt: skip
DATE_QUESTIONS: Final = (
    "when was the {t} of {D}", "when is the {t} of {D}", "on what date is the {t} of {D}",
    "what day was the {t} of {D}", "which date is the {t} of {D}",
)  # fmt: skip
KEY_QUESTIONS: Final = (
    "what is the name of {D}", "what is {D} called", "what's the name of {D}", "which one is {D}",
    "how is {D} called", "name of {D}", "whats {D} called",
)  # fmt: skip
PLAIN_MOST: Final = {
    "number": ("highest", "largest", "greatest"),
    "date": ("latest",),
    "year": ("latest", "highest"),
}
PLAIN_LEAST: Final = {"number": ("lowest", "smallest"), "date": ("earliest",), "year": ("earliest", "lowest")}
EXTREME_QUESTIONS: Final = (
    "what is {x} {m}", "what is {x} {m}", "what's {x} {m}", "what was {x} {m}", "{x} {m}",
    "what is {x} {a}", "how much is {x} {a}", "what is {x} {a}", "tell me {x} {m}", "what's {x} {a}",
)  # fmt: skip
AMONG: Final = (
    "among {p} {m}", "of all {p} {m}", "of {p} {m}", "among the {p} {m}", "for {p} {m}",
    "among all {p} {m}",
)  # fmt: skip

IMPERATIVES: Final = (
    "show me {x}", "show {x}", "tell me {x}", "give me {x}", "find {x}", "find me {x}", "get {x}",
    "get me {x}", "i want to know {x}", "i want {x}", "i need {x}", "i'd like to know {x}",
    "i am looking for {x}", "name {x}", "i'm looking for {x}", "can you tell me {x}",
    "can you show me {x}", "could you give me {x}", "please give me {x}", "please show {x}",
    "please find {x}", "look up {x}", "search for {x}", "do you know {x}", "let me know {x}",
    "could you tell me {x}", "return {x}", "display {x}", "fetch {x}", "would you tell me {x}",
    "identify {x}", "i would like to see {x}", "what about {x}", "any idea about {x}", "help me find {x}",
    "select {x}", "say {x}", "print {x}", "read me {x}", "state {x}", "give {x}",
)  # fmt: skip
BEFORE_QUESTIONS: Final = (
    "tell me {x}", "please tell me {x}", "can you tell me {x}", "i want to know {x}", "do you know {x}",
    "hey, {x}", "ok, {x}", "so {x}", "i wonder {x}", "could you tell me {x}", "let me know {x}",
    "in this table, {x}", "hi, {x}", "quick question: {x}", "according to the table, {x}",
    "i'd like to know {x}", "and {x}", "now {x}", "from the data, {x}", "please: {x}", "just tell me {x}",
    "remind me {x}", "well, {x}", "in the data, {x}",
)  # fmt: skip
AFTER_QUESTIONS: Final = (
    "{x} please", "{x}, please", "{x} in this table", "{x} in the table", "{x} here", "{x} thanks",
    "{x}, thank you", "{x} in this list", "{x} according to the data", "{x} in this data",
)  # fmt: skip
SHORT_NAMES: Final = ("{n} {e}", "the {n} {e}", "the {n} called {e}", "the {n} named {e}")

# A choice between two things: {h} what is true of the one that is meant, {x} and {y} its parts around the
# names, {b} the same in key words.

EITHER: Final = (
    "which {h}, {e} or {e2}", "which {h}, {e} or {e2}", "which one {h}, {e} or {e2}",
    "which {n} {h}, {e} or {e2}", "which {n} {h}, {e} or {e2}", "which {h}: {e} or {e2}",
    "which one {h}: {e} or {e2}", "which {n} {h}: {e} or {e2}", "what {n} {h}, {e} or {e2}",
    "{e} or {e2}, which {h}", "{e} or {e2}, which one {h}", "{e} or {e2}: which {n} {h}",
    "{e} or {e2}, which {n} {h}", "{e} or {e2} - which {h}", "between {e} and {e2}, which {h}",
    "between {e} and {e2}, which one {h}", "between {e} and {e2} which {n} {h}",
    "of {e} and {e2}, which {h}", "out of {e} and {e2}, which one {h}", "which of {e} and {e2} {h}",
    "which of the two {h}, {e} or {e2}", "which {n} {h} between {e} and {e2}",
    "which one of {e} and {e2} {h}", "which {h} {e} or {e2}", "comparing {e} and {e2}, which {h}",
    "{e} and {e2}: which of them {h}", "which {n} {h}, is it {e} or {e2}", "what {h}, {e} or {e2}",
    "which of these {h}: {e} or {e2}",
)  # fmt: skip
EITHER_PERSON: Final = (
    "who {h}, {e} or {e2}", "who {h}: {e} or {e2}", "{e} or {e2}, who {h}", "who {h} {e} or {e2}",
    "between {e} and {e2}, who {h}", "of {e} and {e2}, who {h}", "who of {e} and {e2} {h}",
    "out of {e} and {e2} who {h}", "who {h} between {e} and {e2}",
)  # fmt: skip
EITHER_INVERTED: Final = ("{x} {e} or {e2} {y}",)
EITHER_BRIEF: Final = (
    "{e} or {e2} {b}", "{b}: {e} or {e2}", "{b} {e} or {e2}", "{e} vs {e2}: which {h}", "{b}, {e} or {e2}",
    "{e} or {e2}: {b}", "{e} vs {e2} which {h}",
)  # fmt: skip
EITHER_HAS: Final = ("the {c} {f}", "the {c} {f}", "a {c} {f}", "{c} {f}")
EITHER_HAS_MANY: Final = ("the {c} {f}", "{c} {f}")
EITHER_LATER: Final = ("later", "last", "more recently")
EITHER_EARLIER: Final = ("earlier", "first", "first")
EITHER_FIELD: Final = (
    "what is the {t} of the one of {e} and {e2} that {h}", "what is the {t} of the one that {h}, {e} or {e2}",
    "of {e} and {e2}, what is the {t} of the one that {h}",
    "between {e} and {e2}, what is the {t} of the one that {h}", "the {t} of the one that {h}: {e} or {e2}",
    "what is the {t} of whichever {h}, {e} or {e2}",
)  # fmt: skip
EITHER_FIELD_ADJECTIVE: Final = (
    "what is the {t} of the {a} one of {e} and {e2}", "what is the {t} of the {a} of {e} and {e2}",
    "what is the {t} of the {a} {n}, {e} or {e2}", "{t} of the {a} one of {e} and {e2}",
    "of {e} and {e2}, what is the {t} of the {a} one",
)  # fmt: skip

# The order of rows: {o} first or last, {w} after or before, {k} top or bottom, {z} next or previous, {b}
# below or above, {f} follows or precedes, {i} next after or just before,
# {r} right, {l} in the table.

ORDER_RIGHT: Final = ("", "", "right", "directly", "immediately", "just")
ORDER_TOP: Final = ("top",)
ORDER_BOTTOM: Final = ("bottom",)
ORDER_NEXT: Final = ("next",)
ORDER_PREVIOUS: Final = ("previous",)
ORDER_NEXT_AFTER: Final = ("next after",)
ORDER_JUST_BEFORE: Final = ("just before", "right before")
ORDER_BELOW: Final = ("below", "below", "under", "underneath")
ORDER_ABOVE: Final = ("above",)
ORDER_FOLLOWS: Final = ("follows", "comes after", "is after")
ORDER_PRECEDES: Final = ("precedes", "comes before", "is before")
ORDER_IN_TABLE: Final = (
    "in the table", "in the list", "on the list", "in this table", "in this list",
    "in the chart",
)  # fmt: skip
ORDER_END: Final = (
    "what is the {o} {t} listed", "what is the {o} {t} {l}", "what is the {o} {t} {l}",
    "which {t} is listed {o}",
    "which {t} is {o} {l}", "the {o} {t} {l}", "which {t} comes {o} {l}", "what is the {o} listed {t}",
    "which {t} appears {o} {l}", "what {t} is at the {k} of the table", "which {t} is at the {k} of the list",
    "name the {o} {t} listed", "tell me the {o} {t} {l}", "what was the {o} {t} listed",
    "what is the name of the {o} {t} {l}", "what {t} is listed {o} {l}", "what's the {o} {t} {l}",
    "which {t} is the {o} one listed", "what is the {o} {t} to be listed", "what {t} is in the {o} row",
    "what is the {t} in the {k} row", "which {t} is shown {o} {l}", "{l}, which {t} is {o}",
)  # fmt: skip
ORDER_END_FIELD: Final = (
    "what is the {t} in the {o} row", "what is the {o} row's {t}", "{t} of the {o} row",
    "what {t} is in the {o} row", "what is the {t} of the {o} {n} listed", "what is the {t} in the {k} row",
    "what is the {t} of the {o} entry {l}", "what is the {k} row's {t}", "which {t} does the {o} row have",
    "what is the {t} of the {o} {n} {l}", "what is the {t} of the {n} listed {o}",
    "what is the {t} of the {n} at the {k} of the list", "give me the {t} of the {o} row",
    "what {t} does the {n} in the {k} row have",
)  # fmt: skip
ORDER_END_PERSON: Final = (
    "who is listed {o}", "who is {o} {l}", "who is at the {k} of the list", "who comes {o} {l}",
    "who is the {o} {n} listed", "who is the {o} {n} {l}", "who was listed {o}", "who is in the {o} row",
    "who is the {o} one listed", "who is the {o} person {l}", "who appears {o} {l}",
)  # fmt: skip
ORDER_END_LOOSE: Final = (
    "what is the {o} {t}", "which {t} is {o}", "which {t} comes {o}", "the {o} {t}", "what's the {o} {t}",
    "what was the {o} {t}", "name the {o} {t}",
)  # fmt: skip
ORDER_END_BRIEF: Final = (
    "{o} {t} listed", "{o} {t} {l}", "{o} row {t}", "{t} {o} row", "{k} row {t}", "{t} listed {o}",
)  # fmt: skip
ORDER_BESIDE: Final = (
    "which {t} comes {r} {w} {e} {l}", "which {t} comes {r} {w} {e} {l}", "what {t} is listed {r} {w} {e}",
    "which {t} is listed {r} {b} {e}", "what is the {t} {r} {b} {e}", "what is the {t} listed {r} {b} {e}",
    "what is the {t} listed {r} {w} {e}", "what is the {z} {t} listed {w} {e}", "which {t} {f} {e} {l}",
    "what {t} is in the row {w} {e}", "what {t} is in the row {b} {e}", "which {t} is {i} {e} {l}",
    "what is the {z} {t} {w} {e} {l}", "what comes {r} {w} {e} {l}", "what is listed {r} {w} {e}",
    "what is the name of the {t} listed {r} {w} {e}", "which {t} is {r} {b} {e}", "{t} listed {r} {w} {e}",
    "what {t} is {r} {b} {e} {l}", "tell me the {t} listed {r} {b} {e}", "{l}, which {t} comes {r} {w} {e}",
    "{t} {r} {b} {e} {l}", "which {t} appears {r} {w} {e} {l}", "what is {r} {b} {e} {l}",
    "what was the {z} {t} {w} {e} {l}",
)  # fmt: skip
ORDER_BESIDE_PERSON: Final = (
    "who is listed {r} {w} {e}", "who comes {r} {w} {e} {l}", "who is {r} {b} {e} {l}", "who {f} {e} {l}",
    "who is listed {r} {b} {e}", "who is {i} {e} {l}", "who is the {z} {n} listed {w} {e}",
    "who is in the row {b} {e}", "who is the {z} {n} {w} {e} {l}",
)  # fmt: skip
ORDER_BESIDE_PERSON_LOOSE: Final = (
    "who comes {r} {w} {e}", "who is {i} {e}", "who {f} {e}", "who is the {z} {n} {w} {e}",
)  # fmt: skip
ORDER_BESIDE_LOOSE: Final = (
    "which {t} comes {r} {w} {e}", "what is {i} {e}", "which {t} is {i} {e}",
    "what comes {r} {w} {e}",
    "what is the {z} {t} {w} {e}", "the {z} {t} {w} {e}", "which {t} {f} {e}", "{t} {r} {w} {e}",
    "what {t} is {r} {w} {e}", "what was the {z} {t} {w} {e}",
)  # fmt: skip
ORDER_BESIDE_FIELD: Final = (
    "what is the {t} in the row {r} {b} {e}", "what is the {t} in the row {r} {w} {e}",
    "what is the {t} of the {n} listed {r} {w} {e}", "what is the {t} of the {n} listed {r} {b} {e}",
    "what is the {t} of the {z} {n} {l} {w} {e}", "{t} of the row {r} {w} {e}",
    "what {t} is in the row {r} {b} {e}", "what is the {t} of the {n} that comes {r} {w} {e} {l}",
    "what {t} does the {n} listed {r} {w} {e} have", "give me the {t} in the row {r} {b} {e}",
    "what is the {t} of the {z} row {w} {e}", "what is the {t} of the {n} {r} {b} {e} {l}",
)  # fmt: skip
ORDER_BESIDE_ROW: Final = (
    "what is the {t} in the row {r} {b} {e}", "what {t} is in the row {r} {w} {e}",
    "{t} of the row {r} {w} {e}", "what {t} is in the row {r} {b} {e}",
    "what is the {t} of the {z} row {w} {e}",
)  # fmt: skip
ORDER_AMONG: Final = (
    "what is the {o} {t} {l} {m}", "which {t} {m} is listed {o}", "what is the {o} {t} listed {m}",
    "the {o} listed {t} {m}", "what is the {o} {t} {m} {l}", "which is the {o} {t} {l} {m}",
    "what was the {o} {t} listed {m}", "what {t} {m} comes {o} {l}", "tell me the {o} {t} listed {m}",
    "{l}, what is the {o} {t} {m}", "which {t} {m} appears {o} {l}", "name the {o} {t} {m} {l}",
)  # fmt: skip
ORDER_AMONG_FIELD: Final = (
    "what is the {t} of the {o} {n} listed {m}", "what is the {t} in the {o} row {m}",
    "what is the {t} of the {o} {n} {l} {m}", "{t} of the {o} {n} {l} {m}", "{t} of the {o} row {m}",
    "what {t} does the {o} {n} listed {m} have", "what is the {t} of the {o} listed {n} {m}",
)  # fmt: skip
ORDER_AMONG_LOOSE: Final = (
    "what is the {o} {t} {m}", "which {t} {m} comes {o}", "the {o} {t} {m}", "what was the {o} {t} {m}",
    "which is the {o} {t} {m}", "name the {o} {t} {m}",
)  # fmt: skip
ORDER_AMONG_BRIEF: Final = ("{o} {t} listed {m}", "{o} {t} {m} {l}", "{o} listed {t} {m}")

# What one cell cannot answer.

COUNTS: Final = (
    "how many {p} are there {m}", "how many {p} {m} are there", "how many {p} {m}", "count the {p} {m}",
    "{p} {m} count", "what is the number of {p} {m}", "how many {p} do we have {m}", "count of {p} {m}",
    "total number of {p} {m}", "how many of the {p} are {m}", "can you count the {p} {m}",
    "number of {p} {m}", "in how many rows is there a {n} {m}",
)  # fmt: skip
AVERAGES: Final = (
    "what is the average {f} {m}", "average {f} {m}", "what is the mean {f} of {p} {m}", "mean {f} {m}",
    "what is the average {f} of all {p} {m}", "what's the median {f}", "median {f} of {p} {m}",
    "give me the average {f}", "on average, what is the {f} of {p} {m}", "how high is the {f} on average",
    "avg {f} {m}", "standard deviation of {f}", "what is the variance of {f} among {p} {m}",
)  # fmt: skip
SUMS: Final = (
    "what is the total {f} {m}", "total {f} of all {p} {m}", "sum of {f} {m}",
    "what is the sum of {f} for {p} {m}", "add up the {f} of all {p} {m}",
    "what do the {f} values add up to", "what is the combined {f} of {p} {m}",
    "what is the {f} of all {p} combined", "what is the {f} of all {p} together", "sum up {f} {m}",
    "altogether, how much {f}", "what is the combined {f} of {e} and {e2}", "total {f} of {e} and {e2}",
    "sum of the {f} of {e} and {e2}",
)  # fmt: skip
LISTS: Final = (
    "list all {p} {m}", "show all {p} {m}", "show me all the {p} {m}", "which {p} are {m}",
    "what are the {p} {m}", "give me a list of all {p} {m}", "name all {p} {m}", "list the {p} {m}",
    "all {p} {m}", "find every {n} {m}", "list every {n} {m}", "show the {f} of all {p} {m}",
    "list all {p} by {f}", "sort the {p} by {f}", "rank {p} by {f}", "top 3 {p} by {f}",
    "top 5 {p} by {f}", "the three {p} with the highest {f}", "order {p} by {f}",
    "which two {p} have the highest {f}", "what are the names of all {p} {m}",
    "list the different {f} values", "what are all the {f} values", "group the {p} by {f}",
    "show the first 3 {p}", "show {f} for every {n}", "list {f} and {t} of all {p}",
    "give me the 3 {p} with the lowest {f}", "enumerate the {p} {m}",
)  # fmt: skip
RANKS: Final = (
    "which {n} {m} has the second highest {f}", "what is the second highest {f} {m}", "third largest {f}",
    "which {n} has the third lowest {f}", "second lowest {f} {m}", "the {n} with the second largest {f}",
    "who comes second by {f}", "which {n} is in second place by {f}", "{n} with the 2nd highest {f}",
    "which {n} has the 3rd lowest {f}", "runner-up in {f}", "which {p} are not {m}", "all {p} except {e}",
    "which {p} other than {e} have a {c} {f} than {e2}", "the next highest {f} after {e}",
)  # fmt: skip
SHARES: Final = (
    "what percentage of {p} are {m}", "what share of the {p} is {m}", "what fraction of {p} are {m}",
    "what proportion of the {p} is {m}", "percentage of {p} {m}", "what percent of {p} are {m}",
    "what is the distribution of {f}", "what is the ratio of {f} to {t}",
    "what is the correlation of {f} and {t}", "how often does {v} occur as {f}",
    "what is the most common {f}", "which {f} occurs most often", "most frequent {f}",
)  # fmt: skip
YES_NO: Final = (
    "is {v} the {f} of {e}", "does {e} have {f} {v}", "is the {f} of {e} {v}", "is {e}'s {f} {v}",
    "is there a {n} {m}", "does {e} have a {c} {f} than {e2}", "is the {f} of {e} {c} than that of {e2}",
    "are there any {p} {m}", "do {e} and {e2} have the same {f}", "is it true that the {f} of {e} is {v}",
    "does any {n} {m} exist", "is {e} in the table", "has {e} a {c} {f} than {e2}", "are all {p} {m}",
    "did {e} have a {c} {f} than {e2}", "is {e} {m}",
)  # fmt: skip
DIFFERENCES: Final = (
    "what is the difference in {f} between {e} and {e2}", "difference between {f} of {e} and {e2}",
    "how much {c} is the {f} of {e} than that of {e2}",
    "by how much does the {f} of {e} differ from that of {e2}", "compare {e} and {e2}",
    "compare the {f} of {e} with {e2}", "how does {e} compare to {e2} in {f}",
    "what is the gap in {f} between {e} and {e2}", "{f} of {e} minus {f} of {e2}",
    "how far apart are {e} and {e2} in {f}", "how many times {c} is the {f} of {e} than that of {e2}",
    "plot {f} of all {p}", "why is the {f} of {e} so high", "predict the {f} of {e}",
    "what is the range of {f}", "{e} vs {e2} {f}", "{e} versus {e2}",
)  # fmt: skip

# Numbers and dates in words.

MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
SCALES: Final = ((1e9, ("billion", "bn")), (1e6, ("million",)), (1e3, ("thousand", "k")))
SMALL_NUMBERS: Final = (
    "", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
DAY_ENDINGS: Final = ("st", "nd", "rd", "th")


def texts(module: str = __name__) -> Iterator[str]:
    """Every text of this module, or of another that holds words as data."""
    for name, value in vars(sys.modules[module]).items():
        if name.isupper():
            yield from _texts_in(value)


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts_in(tuple(value.values()))
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts_in(part)
