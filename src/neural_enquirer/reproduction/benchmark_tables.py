"""Tables beyond the paper's: what the benchmarks of the repository wrote, as Markdown.

Each function returns None where the results that it needs are not there.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from neural_enquirer.reproduction.stored import Results, median_and_spread
from neural_enquirer.synthesis.examples import PROGRAM_TYPES

_WORDINGS = ("literal", "natural")
_SETS = {"wikisql": "WikiSQL rebuilt", "wiki_table_questions": "WikiTableQuestions"}
_EVERYDAY = {"everyday": "Everyday questions"}
_SHARES = {
    "one_cell_no_aggregation": "one cell, no aggregation",
    "one_cell": "one cell",
    "overall": "all questions",
    "refused": "refused",
}


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        f"|{'|'.join(cells)}|" if cells[0] == "---" else f"| {' | '.join(cells)} |" for cells in lines
    )


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


def table2_time(results: Results) -> str | None:
    """Says how long one seed of all neural cells of Table 2 took: `benchmarks.table2_time`."""
    if (content := results.read("table2-time.json")) is None:
        return None
    minutes = f"{content['seconds'] / 60:.1f} minutes on {content['hardware']}"
    return f"{minutes} ({content['note']})" if content["note"] else minutes


def open_accuracy(results: Results) -> str | None:
    """Returns the accuracy of the open model on held-out schemas, in percent."""
    if (content := results.read("open-accuracy.json")) is None:
        return None
    kinds = ("absent", "answerable", "unsupported")
    head = [
        "",
        *(kind.upper() for kind in PROGRAM_TYPES),
        *(f"{kind}, refused" for kind in kinds),
        "questions",
    ]
    rows = []
    for wording in _WORDINGS:
        own = content[wording]
        values = [own["by_type"][kind] for kind in PROGRAM_TYPES] + [own[f"{kind} refused"] for kind in kinds]
        cells = [f"{100 * value:.2f}" for value in values]
        rows.append([f"**{wording} wording**", *cells, f"{own['questions']:,}"])
    return table(head, rows)


def two_table_accuracy(results: Results) -> str | None:
    """Returns the accuracy of open models on pairs of tables of held-out schemas, in percent."""
    if (content := results.read("open-two-tables.json")) is None:
        return None
    shares = ("join", "one table", "overall", "answerable refused")
    rows = [
        [f"**{wording}**", *(_median_of(found[share]) if share in found else "" for share in shares)]
        for wording, found in content["spread"].items()
    ]
    head = ["wording", "joins", "one table is enough", "all questions", "answerable, refused"]
    return table(head, rows)


def _median_of(found: Mapping[str, float]) -> str:
    return f"{100 * found['median']:.2f} ({100 * found['least']:.2f}–{100 * found['most']:.2f})"


def worst_by_rows(results: Results) -> str | None:
    """Says how much the open model gets right at the worst number of rows."""
    if (content := results.read("open-accuracy.json")) is None:
        return None
    worst = [min(content[wording]["by_rows"].values()) for wording in _WORDINGS]
    literal, natural = (math.floor(1000 * share) / 10 for share in worst)
    return f"{literal} % or more, and {natural} % or more in natural wording, at every size"


def calibration_error(results: Results) -> str | None:
    """Returns the expected calibration error of the open model."""
    content = results.read("open-accuracy.json")
    return None if content is None else f"{content['calibration']['expected calibration error']:.4f}"


def answering_speed(results: Results) -> str | None:
    """Returns how fast the open model answers beside TAPAS."""
    if (content := results.read("answering-speed-cpu.json")) is None:
        return None
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
    head = [content["hardware"], "ours", "bar", "TAPAS tiny", "TAPAS base"]
    return table(
        head,
        [
            [name, _number(own), bar, *(_number(tapas.get(key)) for tapas in (tiny, base))]
            for name, own, bar, key in rows
        ],
    )


def asking_by_torch(results: Results) -> str | None:
    """Returns how fast the open model answers beside the same work by torch."""
    content = results.read("answering-speed-cpu.json")
    if content is None:
        return None
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


def tapas_tokens(results: Results) -> str | None:
    """Returns how long the input of TAPAS was whose speed is told."""
    content = results.read("answering-speed-cpu.json")
    return None if content is None else str(content["TAPAS"]["tiny"]["tokens"])


def engine_scale(results: Results) -> str | None:
    """Returns what a question costs where an engine has the rows, beside its SQL alone."""
    if (content := results.read("engine-scale.json")) is None:
        return None
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


def _number(value: float | Mapping[str, float] | None) -> str:
    """Returns a number, or the median of some, in three digits or more; nothing for none."""
    if value is None:
        return ""
    number = value["median"] if isinstance(value, Mapping) else value
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def long_tables(results: Results) -> str | None:
    """Returns the accuracy on long tables in percent, in brackets that of the first look."""
    if (content := results.read("long-tables.json")) is None:
        return None
    kinds = list(next(iter(content["right"].values()))["closer"])
    rows = []
    for count, scores in content["right"].items():
        closer, once = scores["closer"], scores["once"]
        cells = [f"{100 * closer[kind]:.0f} ({100 * once[kind]:.0f})" for kind in kinds]
        rows.append([f"{int(count):,}", *cells, str(scores["questions"])])
    return table(["rows", *kinds, "questions"], rows)


def wrong_on_long_tables(results: Results) -> str | None:
    """Says how many questions on long tables went wrong, and how sure the model was of those."""
    if (content := results.read("long-tables.json")) is None:
        return None
    parts = content["right"].values()
    wrong = [own["confidence"] for part in parts for own in part["wrong"]]
    asked = sum(part["questions"] for part in parts)
    sure = f"; the model was at most {100 * max(wrong):.0f} % sure of those" if wrong else ""
    return f"Of {asked:,} questions {len(wrong)} were answered wrongly{sure}."


def real_questions(results: Results) -> str | None:
    """Returns the shares of development questions answered right, over runs, in percent."""
    if (content := results.read("real-questions.json")) is None:
        return None
    rows = []
    for name, title in (_SETS | _EVERYDAY).items():
        if name not in content["sets"]:
            continue
        runs = content["sets"][name]["runs"]
        cells = [_over_runs([run[key] for run in runs]) if key in runs[0] else "" for key in _SHARES]
        rows.append([f"**{title}**", *cells, f"{runs[0]['examples']:,}", str(len(runs))])
    return table(["development questions", *_SHARES.values(), "questions", "seeds"], rows)


def real_parts(results: Results) -> str | None:
    """Returns what the cascade, the decoder and the judge of the shipped model answer right, in percent."""
    whole, parts = results.read("real-questions.json"), results.read("real-parts.json")
    if whole is None or parts is None:
        return None
    head = ["development questions", "cascade alone", "decoder alone", "judge", "among the candidates"]
    head += ["calibration error", "right when 90 % sure", "wrong and 80 % sure"]
    rows = []
    for name, title in (_SETS | _EVERYDAY).items():
        own = next(run for run in whole["sets"][name]["runs"] if run["run"] == parts["run"])
        alone = parts["sets"].get(name, {})
        shown = [_percent(alone.get(by)) for by in ("cascade", "decoder")]
        shown += [_percent(own["overall"]), _percent(own["in_candidates"]), f"{own['calibration_error']:.3f}"]
        shown += [f"{_percent(own['right_when_sure'])} of the {_percent(own['sure'])}"]
        rows.append([title, *shown, _percent(own["wrong_and_sure"])])
    return table(head, rows)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"


def learning(results: Results) -> str | None:
    """Returns how many questions are right before and after corrections, added up over tables."""
    if (content := results.read("learning.json")) is None:
        return None
    titles = {
        "corrected": "those that were corrected",
        "reworded": "the same in other words",
        "others": "all others about the same tables",
    }
    rows = []
    for part, title in titles.items():
        sums = (sum(one[part][key] for one in content["tables"]) for key in ("questions", "before", "after"))
        rows.append([title, *map(str, sums)])
    return table([f"{len(content['tables'])} tables", "questions", "right before", "right after"], rows)


def real_breakdown(results: Results) -> str | None:
    """Returns the accuracies over all questions by kind of question and table."""
    if (content := results.read("real-questions.json")) is None:
        return None
    rows = []
    for name, title in _SETS.items():
        runs: list[dict[str, Any]] = content["sets"][name]["runs"]
        for aspect, parts in runs[0]["breakdown"].items():
            for part, first in parts.items():
                shares = [run["breakdown"][aspect][part]["accuracy"] for run in runs]
                rows.append([f"{title}, {aspect}: {part}", _over_runs(shares), f"{first['examples']:,}"])
    return table(["all development questions", "% right, median (least–most)", "questions"], rows)


def ablations(results: Results) -> str | None:
    """Returns what is left on real questions when a part of the open encoding is taken away."""
    if (content := results.read("ablations.json")) is None:
        return None
    rows = []
    for variant in content["median"]:
        runs = [run for run in content["runs"] if run["variant"] == variant]
        rows.append([variant, *(_over_runs([run[name] for run in runs]) for name in _SETS), str(len(runs))])
    return table(["% of development questions", *_SETS.values(), "seeds"], rows)


def real_errors(results: Results) -> str | None:
    """Returns the shares of the causes among wrong answers to real questions."""
    found = {name: results.read(f"real-errors-{name}.json") for name in _SETS}
    if None in found.values():
        return None
    causes = dict.fromkeys(cause for content in found.values() if content for cause in content["causes"])
    rows = [[cause, *(_share(found[name], cause) for name in _SETS)] for cause in causes]
    wrong = [f"{content['wrong']:,} of {content['questions']:,}" for content in found.values() if content]
    return table(["% of wrong answers", *_SETS.values()], [*rows, ["*wrong answers*", *wrong]])


def _share(content: Mapping[str, Any] | None, cause: str) -> str:
    if content is None or cause not in content["causes"]:
        return ""
    return f"{100 * content['causes'][cause] / content['wrong']:.1f}"


def _over_runs(shares: Sequence[float]) -> str:
    return median_and_spread([100 * share for share in shares])
