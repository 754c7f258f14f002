"""Tables beyond the paper's: what benchmarks of the repository and probes of models wrote, as Markdown."""

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from neural_enquirer.reproduction.stored import Results, marked, median_and_spread, table
from neural_enquirer.synthesis.examples import PROGRAM_TYPES

Content = dict[str, Any]

TABLES: Final[dict[str, Callable[[Results], str | None]]] = {}
"""What may stand in a page, by name; None where its results are not there."""
_TYPES: Final = tuple(kind.upper() for kind in PROGRAM_TYPES)
_WORDINGS: Final = ("literal", "natural")
_SETS: Final = {"wikisql": "WikiSQL rebuilt", "wiki_table_questions": "WikiTableQuestions"}
_ALL_SETS: Final = _SETS | {"everyday": "Everyday questions"}
_SHIPPED: Final = "open"
"""What the run is called that is scored as the package has it; the others are of one experiment's seeds."""


def _told_of(
    name: str, *files: str
) -> Callable[[Callable[..., str | None]], Callable[[Results], str | None]]:
    """Registers what is told of files under a name; it gets what they hold."""

    def register(tell: Callable[..., str | None]) -> Callable[[Results], str | None]:
        def told(results: Results) -> str | None:
            contents = [results.read(file) for file in files]
            return None if None in contents else tell(*contents)

        TABLES[name] = told
        return told

    return register


def _mean(shares: Sequence[float]) -> str:
    return f"{100 * statistics.mean(shares):.1f}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def _over_runs(shares: Sequence[float]) -> str:
    return median_and_spread([100 * share for share in shares])


def _number(value: float | Mapping[str, float] | None) -> str:
    """Returns a number, or the median of some, in three digits or more; nothing for none."""
    if value is None:
        return ""
    number = value["median"] if isinstance(value, Mapping) else value
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def _grouped(runs: Sequence[Content], *keys: str) -> dict[tuple[Any, ...], list[Content]]:
    """Puts runs together that agree in these keys."""
    groups: dict[tuple[Any, ...], list[Content]] = {}
    for run in runs:
        groups.setdefault(tuple(run[key] for key in keys), []).append(run)
    return groups


# What explains a difference from the paper


@_told_of("field combinations", "large-kb-development.json")
def field_combinations(content: Content) -> str:
    """What lets a model understand unseen combinations of fields: `benchmarks.field_combinations`."""
    by_trial: dict[str, list[Content]] = {}
    for run in content["runs"]:
        by_trial.setdefault(marked(run["trial"], [run]), []).append(run["answered"])
    kinds = list(content["runs"][0]["answered"])
    shown = [*((kind, "overall") for kind in kinds), (kinds[-1], "row"), (kinds[-1], "column")]
    rows = [
        [name, *(_mean([own[kind][part] for own in found]) for kind, part in shown), str(len(found))]
        for name, found in by_trial.items()
    ]
    return table(["% right", *kinds, "its row", "its field", "worlds"], rows)


@_told_of("where superlative", "where-superlative.json")
def where_superlative(content: Content) -> str:
    """On which questions N2N falls short, and what changes that: `benchmarks.where_superlative`."""
    kinds = {
        "entity": "city or country",
        "close": "close bound",
        "clear": "other bound",
        "bounds": "any bound",
        "all": "all",
    }
    rows = []
    for trial in content["trials"].values():
        runs = trial["runs"]
        new = [_mean([run["new"][kind] for run in runs]) for kind in kinds]
        rows.append([trial["about"], *new, str(len(runs))])
    return table(["WHERE_SUPERLATIVE, % right", *kinds.values(), "seeds"], rows)


@_told_of("unseen names", "unseen-names.json")
def unseen_names(content: Content) -> str:
    """When a model finds names that training never saw: `benchmarks.unseen_names`."""
    kinds = {"as both": "as both", "as one": "as one only", "as neither": "as neither"}
    finished = [
        {"about": f"all types of questions: N2N-OOV, seed {run['seed']}", "runs": [run]}
        for run in content["runs"]
    ]
    rows = []
    for trial in (*finished, *content["trials"].values()):
        runs = trial["runs"]
        shares = [_mean([run[names] for run in runs]) for names in ("known", "new")]
        found = [_mean([run["new names"][kind] for run in runs]) for kind in kinds]
        rows.append([trial["about"], *shares, *found, str(len(runs))])
    head = ["look-ups of a city or country, %", "right, known names", "right, new names"]
    return table([*head, *(f"new names found {kind}" for kind in kinds.values()), "seeds"], rows)


@_told_of("two tables trials", "two-tables-trials.json")
def two_tables_trials(content: Content) -> str:
    """What was tried to learn joins: the last validation accuracies of each trial."""
    rows = []
    for run in content["runs"]:
        last = run["epochs"][-1]
        trial = "; ".join(filter(None, (run.get("model"), run["training"], run.get("data"))))
        shares = [_percent(last[kind]) for kind in ("non_join", "join", "overall")]
        rows.append([trial, str(run["seed"]), str(last["epoch"]), *shares])
    return table(["trial", "seed", "epochs", "NON_JOIN", "JOIN", "overall"], rows)


@_told_of("join plateau", "join-plateau.json")
def join_plateau(content: Content) -> str:
    """How long joins are guessed at in worlds of growing size: `benchmarks.join_plateau`."""
    by_world: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for run in content["runs"]:
        world, learned = run["world"], run["learned_after"]
        fields = f"{world['game_fields']} and {world['country_fields']}"
        steps = f"{1000 * learned:,}" if learned else f"not in {1000 * len(run['epochs']):,}"
        found = by_world.setdefault((fields, str(world["rows"]), str(world["countries"])), {})
        found.setdefault(run["model"], []).append(steps)
    models = list(dict.fromkeys(run["model"] for run in content["runs"]))
    rows = [
        [*world, *("; ".join(found.get(model, ())) for model in models)]
        for world, found in sorted(by_world.items())
    ]
    return table(["fields", "rows", "countries", *models], rows)


@_told_of("join probe", "join-probe.json")
def join_probe(content: Content) -> str:
    """What one table hands over to another on joins: `join_probe`."""
    shares = {
        "alone_first": "one table: Executor-1 reads the condition",
        "alone_second": "Executor-2 does",
        "right": "joins: right",
        "read_condition": "Executor-1: weight of the condition's field",
        "read_country": "weight of the country",
        "marked": "the meant row stands out",
        "named": "its country can be read off",
        "attended": "attention to it",
        "linked": "attention among rows that share a value",
    }
    rows = [
        [name, start, *(_percent(own[key]) for key in shares)]
        for name, starts in content["models"].items()
        for start, own in starts.items()
    ]
    return table([f"{content['questions']:,} joins, %", "starts from", *shares.values()], rows)


@_told_of("parser search", "semantic-parser-search.json")
def parser_search(content: Content) -> str:
    """What the semantic parser owes to its beam and its features: `benchmarks.parser_search`."""
    rows = [
        [
            "with what a field is used for" if run["roles"] else "without",
            str(run["beam"]),
            *(_percent(run["by_type"][kind]) for kind in PROGRAM_TYPES),
            _percent(run["overall"]),
            f"{run['seconds'] / 60:.1f}",
        ]
        for run in content["runs"]
    ]
    return table(["features", "beam", *_TYPES, "overall", "minutes"], rows)


@_told_of("programmer variants", "neural-programmer-variants.json")
def programmer_variants(content: Content) -> str:
    """What Neural Programmer owes to what was added to it: `benchmarks.programmer_variants`."""
    rows = [
        [
            name,
            "hard" if hard else "soft",
            *(_mean([run["by_type"][kind] for run in runs]) for kind in PROGRAM_TYPES),
            _mean([run["overall"] for run in runs]),
            str(len(runs)),
            str(epochs),
        ]
        for (name, hard, epochs), runs in _grouped(content["runs"], "variant", "hard", "epochs").items()
    ]
    return table(["", "programs", *_TYPES, "overall", "seeds", "epochs"], rows)


# Speed


def training_speed(results: Results) -> str | None:
    """Returns examples per second of the trainer beside those of the plain reference."""
    rows = [
        [
            f"{content['hardware']}: {what}",
            f"{row['ours']:,.0f}",
            f"{row['reference']:,.0f}",
            f"{row['ratio']:.1f}",
        ]
        for content in results.matching("training-speed-*.json").values()
        for what, row in content.items()
        if isinstance(row, dict) and "ratio" in row
    ]
    return table(["", "ours", "reference", "ratio"], rows) if rows else None


TABLES["speed"] = training_speed


@_told_of("table2 time", "table2-time.json")
def table2_time(content: Content) -> str:
    """How long one seed of all neural cells of Table 2 took: `benchmarks.table2_time`."""
    minutes = f"{content['seconds'] / 60:.1f} minutes on {content['hardware']}"
    return f"{minutes} ({content['note']})" if content["note"] else minutes


@_told_of("answering speed", "answering-speed-cpu.json")
def answering_speed(content: Content) -> str:
    """How fast the open model answers beside TAPAS."""
    one, many, long = content["one question"], content["batches"], content["long table"]
    tiny, base = content["TAPAS"]["tiny"], content["TAPAS"]["base"]
    of_one, of_many = "ms, one question", "questions/s"
    each = "questions/s, each on a 10 × 10 table of its own"
    rows = [
        ("one question on a 10 × 10 table, ms", one["ms, a new table"], "≤ 7.5", of_one),
        (each, many["questions/s, a table each"], "≥ 2,000", of_many),
        ("questions/s, all on one 10 × 10 table", many["questions/s, one table"], "≥ 2,000", ""),
        ("the network alone, one question, ms", content["network"][of_one], "", f"network, {of_one}"),
        ("the network alone, questions/s", content["network"][of_many], "", f"network, {of_many}"),
        ("`enquirer ask` from the shell, s", content["from the shell, s"], "≤ 3", ""),
        ("100,000 rows × 10 fields: reading the CSV, s", long["seconds, reading"], "", ""),
        ("… and the first question, s", long["seconds, reading and first question"], "≤ 5", ""),
        ("… another question, s", long["seconds, second question"], "", ""),
        ("… memory at most, MB", long["peak memory, MB"], "≤ 2,000", ""),
    ]
    cells = [
        [name, _number(own), bar, *(_number(tapas.get(key)) for tapas in (tiny, base))]
        for name, own, bar, key in rows
    ]
    return table([content["hardware"], "ours", "bar", "TAPAS tiny", "TAPAS base"], cells)


@_told_of("asking by torch", "answering-speed-cpu.json")
def asking_by_torch(content: Content) -> str:
    """How fast the open model answers beside the same work by torch."""
    found, threads = content["against torch"], ("numpy", "torch", "torch, 1 thread")
    rows = [
        ("one question on a 10 × 10 table, ms", "one question", "ms"),
        ("questions/s, each on a 10 × 10 table of its own", "batches, a table each", "questions/s"),
        ("questions/s, all on one 10 × 10 table", "batches, one table", "questions/s"),
        ("100,000 rows × 10 fields, s", "long table", "seconds"),
        ("… memory at most, MB", "long table", "peak memory, MB"),
    ]
    told = [[name, *(_number(found[part][each][key]) for each in threads)] for name, part, key in rows]
    busy = found["times slower while all cores are busy"]
    told.append(["times slower with two others on each core", *(f"{busy[each]:.1f}" for each in threads)])
    return table(["", "numpy", f"torch, {found['torch threads']} threads", "torch, 1 thread"], told)


@_told_of("tapas tokens", "answering-speed-cpu.json")
def tapas_tokens(content: Content) -> str:
    """How long the input of TAPAS was whose speed is told."""
    return str(content["TAPAS"]["tiny"]["tokens"])


@_told_of("engine scale", "engine-scale.json")
def engine_scale(content: Content) -> str:
    """What a question costs where an engine has the rows, beside its SQL alone."""
    head = [content["hardware"], "profile, once", "its memory", "a question (middle, most)"]
    head += ["its SQL (middle, most)", "at most 3 × SQL + 0.3 s", "the same in seconds of the processor"]
    return table(head, [_size(size) for size in content["sizes"]])


def _size(size: Mapping[str, Any]) -> list[str]:
    asked = size["asked"]
    own, sql = ([one[key][0] for one in asked] for key in ("seconds", "sql_seconds"))
    held = [sum(one["holds"][clock] for one in asked) for clock in (0, 1)]
    return [
        f"{size['rows']:,} rows",
        f"{size['profile_seconds']:.1f} s",
        f"{size['gigabytes']:.2f} GB",
        *(f"{statistics.median(each):.3f}, {max(each):.2f} s" for each in (own, sql)),
        *(f"{count} of {len(asked)}" for count in held),
    ]


# The open model on drawn tables


@_told_of("open accuracy", "open-accuracy.json")
def open_accuracy(content: Content) -> str:
    """The accuracy of the open model on held-out schemas, in percent."""
    kinds = ("absent", "answerable", "unsupported")
    rows = []
    for wording in _WORDINGS:
        own = content[wording]
        values = [own["by_type"][kind] for kind in PROGRAM_TYPES] + [own[f"{kind} refused"] for kind in kinds]
        cells = [f"{100 * value:.2f}" for value in values]
        rows.append([f"**{wording} wording**", *cells, f"{own['questions']:,}"])
    return table(["", *_TYPES, *(f"{kind}, refused" for kind in kinds), "questions"], rows)


@_told_of("two-table accuracy", "open-two-tables.json")
def two_table_accuracy(content: Content) -> str:
    """The accuracy of open models on pairs of tables of held-out schemas, in percent."""
    shares = ("join", "one table", "overall", "answerable refused")
    rows = [
        [f"**{wording}**", *(_median_of(found[share]) if share in found else "" for share in shares)]
        for wording, found in content["spread"].items()
    ]
    head = ["wording", "joins", "one table is enough", "all questions", "answerable, refused"]
    return table(head, rows)


def _median_of(found: Mapping[str, float]) -> str:
    return f"{100 * found['median']:.2f} ({100 * found['least']:.2f}–{100 * found['most']:.2f})"


@_told_of("worst by rows", "open-accuracy.json")
def worst_by_rows(content: Content) -> str:
    """How much the open model gets right at the worst number of rows."""
    worst = [min(content[wording]["by_rows"].values()) for wording in _WORDINGS]
    literal, natural = (math.floor(1000 * share) / 10 for share in worst)
    return f"{literal} % or more, and {natural} % or more in natural wording, at every size"


@_told_of("calibration error", "open-accuracy.json")
def calibration_error(content: Content) -> str:
    """The expected calibration error of the open model."""
    return f"{content['calibration']['expected calibration error']:.4f}"


@_told_of("long tables", "long-tables.json")
def long_tables(content: Content) -> str:
    """The accuracy on long tables in percent, in brackets that of the first look."""
    kinds = list(next(iter(content["right"].values()))["closer"])
    rows = []
    for count, scores in content["right"].items():
        closer, once = scores["closer"], scores["once"]
        cells = [f"{100 * closer[kind]:.0f} ({100 * once[kind]:.0f})" for kind in kinds]
        rows.append([f"{int(count):,}", *cells, str(scores["questions"])])
    return table(["rows", *kinds, "questions"], rows)


@_told_of("wrong on long tables", "long-tables.json")
def wrong_on_long_tables(content: Content) -> str:
    """How many questions on long tables went wrong, and how sure the model was of those."""
    parts = content["right"].values()
    wrong = [own["confidence"] for part in parts for own in part["wrong"]]
    asked = sum(part["questions"] for part in parts)
    sure = f"; the model was at most {100 * max(wrong):.0f} % sure of those" if wrong else ""
    return f"Of {asked:,} questions {len(wrong)} were answered wrongly{sure}."


# The open model on real questions


@_told_of("real questions", "real-questions.json")
def real_questions(content: Content) -> str:
    """The shares of development questions answered right, over seeds and by the shipped model, in percent."""
    shares = {
        "one_cell_no_aggregation": "one cell, no aggregation",
        "one_cell": "one cell",
        "overall": "all questions",
        "refused": "refused",
    }
    rows = []
    for name, title in _ALL_SETS.items():
        if name in content["sets"]:
            runs = _seeds(content, name)
            cells = [_over_runs([run[key] for run in runs]) if key in runs[0] else "" for key in shares]
            rows.append([f"**{title}**", *cells, f"{runs[0]['examples']:,}", f"{len(runs)} seeds"])
            shipped = _shipped(content, name)
            rows.append(
                ["", *(_percent(shipped[key]) if key in shipped else "" for key in shares), "", "shipped"]
            )
    return table(["development questions", *shares.values(), "questions", ""], rows)


@_told_of("shipped model", "real-questions.json")
def shipped_model(content: Content) -> str:
    """What the shipped model answers of development questions, in percent."""
    rows = []
    for name, title in _ALL_SETS.items():
        own = _shipped(content, name)
        sure = f"{_percent(own['right_when_sure'])} of {_percent(own['sure'])}"
        rows.append([title, _percent(own["overall"]), _percent(own["refused"]), sure, f"{own['examples']:,}"])
    return table(["development questions", "right", "refused", "right where 90 % sure", "questions"], rows)


def _seeds(content: Content, name: str) -> list[Content]:
    """What the runs scored on a set that differ in their seed alone."""
    return [run for run in content["sets"][name]["runs"] if run["run"] != _SHIPPED]


def _shipped(content: Content, name: str) -> Content:
    """What the shipped model scored on a set."""
    return next(run for run in content["sets"][name]["runs"] if run["run"] == _SHIPPED)


@_told_of("real parts", "real-questions.json", "real-parts.json")
def real_parts(whole: Content, parts: Content) -> str:
    """What the cascade, the decoder and the judge of the shipped model answer right, in percent."""
    head = ["development questions", "cascade alone", "decoder alone", "judge", "among the candidates"]
    head += ["calibration error", "right when 90 % sure", "wrong and 80 % sure"]
    rows = []
    for name, title in _ALL_SETS.items():
        own = _shipped(whole, name)
        alone = parts["sets"].get(name, {})
        shown = [_percent(alone.get(by)) for by in ("cascade", "decoder")]
        shown += [_percent(own["overall"]), _percent(own["in_candidates"]), f"{own['calibration_error']:.3f}"]
        shown += [f"{_percent(own['right_when_sure'])} of the {_percent(own['sure'])}"]
        rows.append([title, *shown, _percent(own["wrong_and_sure"])])
    return table(head, rows)


@_told_of("real breakdown", "real-questions.json")
def real_breakdown(content: Content) -> str:
    """The accuracies over all questions by kind of question and table."""
    rows = []
    for name, title in _SETS.items():
        runs = _seeds(content, name)
        for aspect, parts in runs[0]["breakdown"].items():
            for part, first in parts.items():
                shares = [run["breakdown"][aspect][part]["accuracy"] for run in runs]
                rows.append([f"{title}, {aspect}: {part}", _over_runs(shares), f"{first['examples']:,}"])
    return table(["all development questions", "% right, median (least–most)", "questions"], rows)


@_told_of("ablations", "ablations.json")
def ablations(content: Content) -> str:
    """What is left on real questions when a part of the open encoding is taken away."""
    by_variant = _grouped(content["runs"], "variant")
    rows = []
    for variant in content["median"]:
        runs = by_variant[variant,]
        rows.append([variant, *(_over_runs([run[name] for run in runs]) for name in _SETS), str(len(runs))])
    return table(["% of development questions", *_SETS.values(), "seeds"], rows)


@_told_of("real errors", *(f"real-errors-{name}.json" for name in _SETS))
def real_errors(*contents: Content) -> str:
    """The shares of the causes among wrong answers to real questions."""
    causes = dict.fromkeys(cause for content in contents for cause in content["causes"])
    rows = [
        [
            cause,
            *(
                _percent(own["causes"][cause] / own["wrong"] if cause in own["causes"] else None)
                for own in contents
            ),
        ]
        for cause in causes
    ]
    wrong = [f"{content['wrong']:,} of {content['questions']:,}" for content in contents]
    return table(["% of wrong answers", *_SETS.values()], [*rows, ["*wrong answers*", *wrong]])


@_told_of("learning", "learning.json")
def learning(content: Content) -> str:
    """How many questions are right before and after corrections, added up over tables."""
    titles = {
        "corrected": "those that were corrected",
        "reworded": "the same in other words",
        "others": "all others about the same tables",
    }
    rows = []
    for part, title in titles.items():
        sums = (sum(one[part][key] for one in content["tables"]) for key in ("questions", "before", "after"))
        rows.append([title, *map(str, sums)])
    rows += [
        [f"{one['questions']}, all tables learned", "", _percent(one["before"]), _percent(one["after"])]
        for one in content.get("elsewhere", ())
    ]
    return table([f"{len(content['tables'])} tables", "questions", "right before", "right after"], rows)


@_told_of("naming", "naming.json")
def naming(content: Content) -> str:
    """What is right with and without other names of values and fields, in percent."""
    shares = [f"{part}, by {by}" for part in content["asked"] for by in ("judge", "decoder")]
    rows = []
    for (arm,), runs in _grouped(content["runs"], "arm").items():
        cells = [_over_runs([run[share] for run in runs]) for share in shares]
        rows.append([arm, *cells, str(len(runs))])
    return table(["everyday questions", *shares, "seeds"], rows)
