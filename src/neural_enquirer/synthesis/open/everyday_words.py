"""Words of everyday questions: loose nouns, fillers, placings; slots as in `shapes`.

Besides: {a} a family's adjective ("tallest"), {V} a cell's text as a noun ("paperback"), {P} its plural,
{k} a place as a number, {o} as an ordinal ("third").
"""

from typing import Final

# Nouns that say nothing about what the rows are.

LOOSE_NOUNS: Final = (
    "one", "one", "entry", "item", "record", "thing", "row", "listing", "machine", "device", "unit", "object",
    "option", "candidate", "choice", "case", "example", "piece", "specimen", "sample", "subject", "box",
    "gadget", "system", "node", "site", "spot", "property", "offer", "product", "project", "line", "place",
    "asset", "name", "tool", "instance", "resource", "part", "thingy", "article", "contender", "competitor",
)  # fmt: skip

# What may follow a question without changing it.

FILLERS: Final = (
    "on my list", "in my table", "in this file", "in the top list", "in our data", "here", "in my data",
    "in this dataset", "in our records", "on this list", "on the list", "in my file", "in our table",
    "in the sheet", "in my spreadsheet", "in this spreadsheet", "in the database", "in the records",
    "in our list", "in my list", "in the file",
)  # fmt: skip
SUPERLATIVE_FILLERS: Final = (
    *FILLERS, "overall", "of all", "of them all", "of all time", "of all of them", "in total", "ever",
    "by far", "of the lot", "of the bunch", "out of all of them", "of mine", "that we have", "we have",
    "i have", "that i have", "among these", "of these", "overall", "of all time",
)  # fmt: skip
MODIFIERS: Final = {
    "park": ("national", "public", "city"), "car": ("passenger", "modern", "family"),
    "electric car": ("modern", "small"), "mountain": ("high", "famous", "rocky"), "river": ("great", "major"),
    "city": ("major", "big", "european"), "country": ("independent", "world"), "film": ("feature", "famous"),
    "movie": ("hollywood", "feature"), "book": ("published", "printed", "library"), "song": ("pop", "hit"),
    "album": ("studio", "music"), "phone": ("mobile", "smart"), "laptop": ("office", "work", "company"),
    "camera": ("digital", "photo"), "server": ("web", "linux", "production"), "player": ("football", "star"),
    "athlete": ("olympic", "professional"), "employee": ("company", "office"), "company": ("listed", "big"),
    "bank": ("commercial", "private"), "building": ("office", "residential", "downtown"),
    "bridge": ("road", "suspension"), "tower": ("radio", "observation"), "hotel": ("luxury", "city", "beach"),
    "restaurant": ("local", "family"), "museum": ("art", "history"), "airport": ("international", "major"),
    "stadium": ("football", "sports"), "university": ("public", "private"), "school": ("high", "primary"),
    "hospital": ("public", "city"), "lake": ("mountain", "natural"), "island": ("tropical", "inhabited"),
    "volcano": ("active",), "castle": ("medieval",), "church": ("parish",), "house": ("family", "private"),
    "apartment": ("rental", "city"), "flight": ("passenger", "morning"), "train": ("passenger", "express"),
    "ship": ("cruise", "merchant"), "aircraft": ("passenger", "civil"), "satellite": ("artificial",),
    "planet": ("known", "distant"), "star": ("bright", "known"), "animal": ("wild", "land"),
    "bird": ("wild", "native"), "dog": ("family", "pet"), "tree": ("street", "fruit"), "team": ("football",),
    "club": ("football", "sports"), "tournament": ("golf", "tennis"), "race": ("road", "track"),
    "product": ("retail",), "order": ("customer", "online"), "invoice": ("customer", "supplier"),
    "project": ("research", "running"), "task": ("open", "pending"), "ticket": ("support",),
    "store": ("retail", "grocery"), "recipe": ("home",), "dish": ("main",), "wine": ("table",),
    "beer": ("craft",), "video game": ("classic",), "board game": ("classic",), "app": ("mobile", "free"),
    "language": ("living", "spoken"), "president": ("former",), "king": ("former",), "actor": ("movie",),
    "singer": ("pop", "opera"), "painter": ("famous",), "writer": ("famous",), "scientist": ("famous",),
    "patient": ("hospital",), "student": ("college", "graduate"), "teacher": ("school",),
    "element": ("chemical",), "transaction": ("card",), "shipment": ("freight",), "hurricane": ("atlantic",),
    "earthquake": ("major",), "war": ("civil",), "festival": ("music",), "event": ("public",),
    "power plant": ("large",), "dam": ("concrete",), "tunnel": ("railway",), "beach": ("sandy",),
    "ski resort": ("alpine",), "trail": ("hiking",), "motorcycle": ("racing",), "bicycle": ("mountain",),
}  # fmt: skip

# A cell as the noun.

VALUE_ADJECTIVE: Final = (
    "{a} {V}", "{a} {V}", "the {a} {V}",
    "what is the {a} {V}", "which is the {a} {V}", "which {V} is the {a}",
    "which {V} is {a}", "what's the {a} {V}", "find the {a} {V}", "show me the {a} {V}",
    "i'm looking for the {a} {V}", "name of the {a} {V}", "what is the {a} {V} called",
)  # fmt: skip
VALUE_ADJECTIVE_MANY: Final = (
    "the {a} of the {P}", "which of the {P} is the {a}", "{a} of the {P}", "of all {P}, which is the {a}",
    "which one is the {a} of the {P}", "among the {P}, which is {a}", "{a} one of the {P}",
)  # fmt: skip
VALUE_DOES: Final = (
    "which {V} {x}", "which {V} {x}", "which {V} {x}", "what {V} {x}", "which is the {V} that {x}",
    "the {V} that {x}", "do you know which {V} {x}", "tell me which {V} {x}",
)  # fmt: skip
VALUE_DOES_MANY: Final = (
    "which of the {P} {x}", "which one of the {P} {x}", "of all {P}, which {x}",
    "among the {P}, which one {x}",
)  # fmt: skip
VALUE_WHO_ADJECTIVE: Final = ("who is the {a} {V}", "who's the {a} {V}", "who was the {a} {V}")
VALUE_AFTER: Final = ("the {V} {m}", "which is the {V} {m}", "what is the {V} {m} called", "find the {V} {m}")

# Adjectives and little else.

BRIEF: Final = (
    "{a}", "{a} {n}", "{a} {n}", "{a} {n}", "the {a}", "the {a} one", "the {a} {n}", "which is {a}",
    "what is the {a}", "which one is the {a}", "which is the {a}", "{a} one",
)  # fmt: skip
BRIEF_PERSON: Final = (
    "who is the {a}", "who's the {a}", "who was the {a}", "who is {a}", "{a} person", "who was {a}",
)  # fmt: skip
BRIEF_BY: Final = ("{a} {n} by {f}", "{a} by {f}", "{a} {n} in terms of {f}", "the {a} {n} by {f}")
MOST_OF: Final = (
    "most {f}",
    "the most {f}",
    "with the most {f}",
    "which has the most {f}",
    "most {f} of all",
)
FEWEST_OF: Final = (
    "fewest {f}", "the fewest {f}", "with the fewest {f}", "which has the fewest {f}", "least {f}",
)  # fmt: skip
BEST_IN: Final = ("best in {f}", "best {n} in {f}", "best {n} by {f}", "the best in {f}")
WORST_IN: Final = ("worst in {f}", "worst {n} in {f}", "worst {n} by {f}", "the worst in {f}")

# Who.

WHO_HAS_MOST: Final = (
    "who has {x}",
    "who has {x}",
    "who has got {x}",
    "who had {x}",
    "who is the one with {x}",
)
WHO_HAS_THING: Final = (
    "who has {x}", "who has {x}", "who has {x}", "who's got {x}", "who has got {x}", "who had {x}",
    "who is with {x}", "who is it that has {x}",
)  # fmt: skip
WHO_HAS_FAMILIES: Final = (
    "owner", "assignee", "customer", "salesperson", "project_lead", "captain", "manager", "contact_person",
)  # fmt: skip
WHO_HAS_MOST_FAMILIES: Final = (
    "author", "artist", "director", "instructor", "coach", "doctor", "chef", "host", "painter", "composer",
    "architect", "founder", "ceo", "producer", "winner", "lead_actor", "editor", "mayor", "leader",
)  # fmt: skip

# Placings.

ORDINALS: Final = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
)  # fmt: skip
PLACE_WHO: Final = (
    "who came {o}", "who came {o}", "who finished {o}", "who was {o}", "who is ranked {o}", "who placed {o}",
    "who took {o} place", "who came in {o}", "who is in {o} place", "who finished in {o} place",
    "who is number {k}", "who is no. {k}", "who ended up {o}", "who got {o} place", "who is in place {k}",
)  # fmt: skip
PLACE_WHICH: Final = (
    "which {n} came {o}", "which {n} is ranked {o}", "which {n} finished {o}", "which {n} is number {k}",
    "number {k} in the ranking", "which {n} is in {o} place", "{n} in {o} place", "{o} placed {n}",
    "number {k}", "which {n} ranks {o}", "the {n} ranked {o}", "{o} place", "which {n} took {o} place",
    "what is number {k} in the ranking", "which {n} is ranked number {k}", "what {n} came {o}",
)  # fmt: skip
WINNER_WHO: Final = (
    "who won", "who won", "who is the winner", "who was the winner", "the winner", "winner", "who came first",
    "who finished first", "who took first place", "who is in first place", "who won it",
)  # fmt: skip
WINNER_WHICH: Final = (
    "which {n} won", "the winner", "winner", "which {n} is the winner", "which {n} came first",
    "which {n} is in first place", "which {n} is number one", "number one in the ranking", "number one",
)  # fmt: skip
SECOND_WHO: Final = ("who was the runner-up", "the runner-up", "who is the runner-up", "runner up")
SECOND_WHICH: Final = ("the runner-up", "runner-up", "which {n} was the runner-up", "runner up")
LAST_WHO: Final = (
    "who came last", "who finished last", "who was last", "who came in last", "who is in last place",
    "who ended up last", "who is at the bottom of the ranking",
)  # fmt: skip
LAST_WHICH: Final = (
    "which {n} came last", "which {n} finished last", "which {n} is in last place", "last in the ranking",
    "which {n} is ranked last", "bottom of the ranking", "{n} in last place",
)  # fmt: skip
WINNERS: Final = ("team", "club", "nation", "country", "horse", "dog", "candidate", "political party")

# None of something.

ZERO: Final = (
    "which {n} had no {f}", "which {n} has no {f}", "which {n} has zero {f}", "{n} with no {f}",
    "the {n} with zero {f}", "which {n} had zero {f}", "{n} without {f}", "which {n} did not have any {f}",
    "which {n} has 0 {f}", "which {n} does not have any {f}", "which {n} is without {f}",
    "what {n} has no {f}", "which {n} doesn't have any {f}",
)  # fmt: skip
ZERO_WHO: Final = (
    "who had no {f}", "who has no {f}", "who has zero {f}", "who had zero {f}", "who got no {f}",
    "who did not have any {f}", "who has 0 {f}", "who doesn't have any {f}", "who ended up with no {f}",
)  # fmt: skip

# Times of the day.

CLOCK_VERBS: Final = {
    "departure_time": ("leaves", "departs", "goes", "sets off"),
    "arrival_time": ("arrives", "gets in", "comes in"),
    "start_time": ("starts", "begins"),
    "end_time": ("ends", "finishes"),
    "opening_time": ("opens",),
    "closing_time": ("closes", "shuts"),
}
EARLY: Final = ("first", "earliest", "the earliest")
LATE: Final = ("last", "latest", "the latest")
CLOCK_WHICH: Final = ("which {n} {x} {a}", "what {n} {x} {a}", "the {n} that {x} {a}", "which one {x} {a}")
