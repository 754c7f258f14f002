"""Tables of experiments that explain a difference from the paper; None where they were not made."""

import statistics
from typing import Any

from neural_enquirer.reproduction.benchmark_tables import table
from neural_enquirer.reproduction.stored import Results, marked
from neural_enquirer.synthesis.examples import PROGRAM_TYPES


def field_combinations(results: Results) -> str | None:
    """Returns what lets a model understand unseen combinations of fields: `benchmarks.field_combinations`."""
    if (content := results.read("large-kb-development.json")) is None:
        return None
    by_trial: dict[str, list[dict[str, Any]]] = {}
    for run in content["runs"]:
        by_trial.setdefault(marked(run["trial"], [run]), []).append(run["answered"])
    kinds = list(content["runs"][0]["answered"])
    rows = [
        [
            name,
            *(_percent([own[kind]["overall"] for own in found]) for kind in kinds),
            *(_percent([own[kinds[-1]][part] for own in found]) for part in ("row", "column")),
            str(len(found)),
        ]
        for name, found in by_trial.items()
    ]
    return table(["% right", *kinds, "its row", "its field", "worlds"], rows)


def where_superlative(results: Results) -> str | None:
    """Returns on which questions N2N falls short, and what changes that: `benchmarks.where_superlative`."""
    if (content := results.read("where-superlative.json")) is None:
        return None
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
        new = [_percent([run["new"][kind] for run in runs]) for kind in kinds]
        rows.append([trial["about"], *new, str(len(runs))])
    head = ["WHERE_SUPERLATIVE, % right", *kinds.values(), "seeds"]
    return table(head, rows)


def unseen_names(results: Results) -> str | None:
    """Returns when a model finds names that training never saw: `benchmarks.unseen_names`."""
    if (content := results.read("unseen-names.json")) is None:
        return None
    kinds = {"as both": "as both", "as one": "as one only", "as neither": "as neither"}
    finished = [
        {"about": f"all types of questions: N2N-OOV, seed {run['seed']}", "runs": [run]}
        for run in content["runs"]
    ]
    rows = []
    for trial in (*finished, *content["trials"].values()):
        runs = trial["runs"]
        shares = [_percent([run[names] for run in runs]) for names in ("known", "new")]
        found = [_percent([run["new names"][kind] for run in runs]) for kind in kinds]
        rows.append([trial["about"], *shares, *found, str(len(runs))])
    head = ["look-ups of a city or country, %", "right, known names", "right, new names"]
    return table([*head, *(f"new names found {kind}" for kind in kinds.values()), "seeds"], rows)


def two_tables_trials(results: Results) -> str | None:
    """Returns what was tried to learn joins: the last validation accuracies of each trial."""
    if (content := results.read("two-tables-trials.json")) is None:
        return None
    rows = []
    for run in content["runs"]:
        last = run["epochs"][-1]
        trial = "; ".join(filter(None, (run.get("model"), run["training"], run.get("data"))))
        shares = [_percent([last[kind]]) for kind in ("non_join", "join", "overall")]
        rows.append([trial, str(run["seed"]), str(last["epoch"]), *shares])
    return table(["trial", "seed", "epochs", "NON_JOIN", "JOIN", "overall"], rows)


def join_plateau(results: Results) -> str | None:
    """Returns how long joins are guessed at in worlds of growing size: `benchmarks.join_plateau`."""
    if (content := results.read("join-plateau.json")) is None:
        return None
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


def join_probe(results: Results) -> str | None:
    """Returns what one table hands over to another on joins: `join_probe`."""
    if (content := results.read("join-probe.json")) is None:
        return None
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
        [name, start, *("" if own[key] is None else _percent([own[key]]) for key in shares)]
        for name, starts in content["models"].items()
        for start, own in starts.items()
    ]
    return table([f"{content['questions']:,} joins, %", "starts from", *shares.values()], rows)


def parser_search(results: Results) -> str | None:
    """Returns what the semantic parser owes to its beam and its features: `benchmarks.parser_search`."""
    if (content := results.read("semantic-parser-search.json")) is None:
        return None
    features = {True: "with what a field is used for", False: "without"}
    rows = [
        [
            features[run["roles"]],
            str(run["beam"]),
            *(_percent([run["by_type"][kind]]) for kind in PROGRAM_TYPES),
            _percent([run["overall"]]),
            f"{run['seconds'] / 60:.1f}",
        ]
        for run in content["runs"]
    ]
    head = ["features", "beam", *(kind.upper() for kind in PROGRAM_TYPES), "overall", "minutes"]
    return table(head, rows)


def programmer_variants(results: Results) -> str | None:
    """Returns what Neural Programmer owes to what was added to it: `benchmarks.programmer_variants`."""
    if (content := results.read("neural-programmer-variants.json")) is None:
        return None
    by_variant: dict[tuple[str, bool, int], list[dict[str, Any]]] = {}
    for run in content["runs"]:
        by_variant.setdefault((run["variant"], run["hard"], run["epochs"]), []).append(run)
    rows = [
        [
            name,
            "hard" if hard else "soft",
            *(_percent([run["by_type"][kind] for run in runs]) for kind in PROGRAM_TYPES),
            _percent([run["overall"] for run in runs]),
            str(len(runs)),
            str(epochs),
        ]
        for (name, hard, epochs), runs in by_variant.items()
    ]
    head = ["", "programs", *(kind.upper() for kind in PROGRAM_TYPES), "overall", "seeds", "epochs"]
    return table(head, rows)


def _percent(shares: list[float]) -> str:
    return f"{100 * statistics.mean(shares):.1f}"
