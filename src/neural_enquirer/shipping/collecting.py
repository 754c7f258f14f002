"""Collects what the judge learns from: a model's answers to questions that nothing else was learned from."""

import dataclasses
import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from neural_enquirer.evaluation.answering import can_ask
from neural_enquirer.evaluation.templates import draw_operations, forms
from neural_enquirer.judge.candidates import gather
from neural_enquirer.judge.features import FEATURES, features
from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.real_questions.sets import HELD_OUT, AskedQuestion, read_set
from neural_enquirer.shipping.case_files import read_cases, write_cases
from neural_enquirer.shipping.problems import ShippingError
from neural_enquirer.shipping.temperature import BLOCKS
from neural_enquirer.shipping.workers import Told, nobody, predictor_of
from neural_enquirer.synthesis.open.sampler import ONE_TABLE
from neural_enquirer.tables import Table
from neural_enquirer.training.all_cores import map_on_all_cores
from neural_enquirer.training.judge_learning import Case

DRAWN: Final = 1_000
"""Questions of templates that are drawn over the tables of all sets together."""
FORMS: Final = 2
"""Blocks of template questions over drawn tables."""
_FIRST_FORMS: Final = BLOCKS
"""The first of these: those before it set the temperature."""
TEMPLATES: Final = "templates"
"""The source of questions that were drawn."""
Sources = Mapping[str, Sequence[AskedQuestion]]
"""Questions by the set that they are of."""
_BLOCK: Final = 32
"""Questions that a process answers at a time."""


@dataclass(frozen=True)
class _Block:
    """Some questions of one source."""

    source: str
    questions: tuple[AskedQuestion, ...]

    def digest(self, model: str) -> str:
        """What the block's cases depend on, in short."""
        texts = [model, self.source, *FEATURES]
        texts += [text for one in self.questions for text in (one.id, one.tables[0].name, one.question)]
        return hashlib.sha256("\n".join(texts).encode("utf-8")).hexdigest()


def read_sources(
    folders: Sequence[Path], tenth: int = 0, drawn: int = DRAWN, seed: int = 0, form_blocks: int = FORMS
) -> Sources:
    """Reads the held-out questions of sets that a model can be asked, and draws others.

    Some are drawn over the same tables, and some over drawn ones.

    Args:
        folders: of the sets.
        tenth: of their tables, from which the model learned nothing.
        drawn: about how many questions are drawn.
        seed: of these.
        form_blocks: how many blocks of questions are drawn with their tables.

    Raises:
        ShippingError: if a folder has no questions that are held out.
        RealDataError: if a folder holds no questions.
    """
    sources: dict[str, list[AskedQuestion]] = {}
    for folder in folders:
        questions = [question for question in read_set(folder, HELD_OUT, tenth) if can_ask(question.tables)]
        if not questions:
            raise ShippingError(f"{folder} has no questions about tables that are held out of training")
        sources.setdefault(_name(questions[0]), []).extend(questions)
    each = math.ceil(drawn / max(1, len(sources)))
    templates = [one for questions in sources.values() for one in _drawn(questions, each, seed)]
    for block in range(_FIRST_FORMS, _FIRST_FORMS + form_blocks):
        templates += [one.asked for one in forms(ONE_TABLE.block("validation", seed, block))]
    return sources | {TEMPLATES: templates}


def collect(
    run: Path, sources: Sources, temperature: float, kept: Path | None = None, told: Told = nobody
) -> list[Case]:
    """Lets an open model answer questions, and marks what was right.

    Args:
        run: the folder of the model.
        sources: the questions.
        temperature: of the model's cascade.
        kept: a folder to keep cases in, from which it goes on if it was stopped.
        told: hears how far it has come.
    """
    blocks = [block for source, questions in sources.items() for block in _blocks(source, questions)]
    total = sum(len(block.questions) for block in blocks)
    cases: list[Case] = []
    for found in _answered(run, temperature, blocks, kept):
        cases += found
        told("answering questions for the judge", len(cases), total)
    return cases


def cases_of(predictor: OpenPredictor, questions: Sequence[AskedQuestion], source: str) -> list[Case]:
    """Answers questions and marks what was right."""
    cases = []
    evidence = predictor.evidence([(one.tables, one.question) for one in questions])
    for question, found in zip(questions, evidence, strict=True):
        candidates = gather(found.ways, found.asked)
        answers = [question.is_right(one.texts) for one in candidates.answers]
        right = [*answers, not question.answerable]
        rows = features(found.asked, candidates, found.votes, found.says)
        cases.append(Case(rows, np.array([*right, not any(right)]), question.tables[0].name, source))
    return cases


def _name(question: AskedQuestion) -> str:
    """What the set of a question is called."""
    if question.real is None:
        return "everyday"
    return "wiki_table_questions" if question.real.query is None else "wikisql"


def _drawn(questions: Sequence[AskedQuestion], count: int, seed: int) -> Iterator[AskedQuestion]:
    """About so many questions of templates, as many over each of the tables that they are drawn over."""
    tables = list({tuple(map(id, one.tables)): one.tables for one in questions}.values())
    each = math.ceil(count / len(tables))
    chosen = tables[:: max(1, len(tables) * each // max(1, count))]
    jobs = [(own, seed * 1_000_003 + place) for place, own in enumerate(chosen)]
    for found in map_on_all_cores(partial(_drawn_over, each), jobs, chunksize=8):
        yield from found


def _drawn_over(count: int, job: tuple[tuple[Table, ...], int]) -> list[AskedQuestion]:
    tables, seed = job
    return [one.asked for one in draw_operations(tables, seed, count)]


def _blocks(source: str, questions: Sequence[AskedQuestion]) -> list[_Block]:
    """Questions about the same tables stand together, so that these are linked once."""
    ordered = sorted(questions, key=lambda one: [table.name for table in one.tables])
    return [_Block(source, tuple(ordered[i : i + _BLOCK])) for i in range(0, len(ordered), _BLOCK)]


def _answered(
    run: Path, temperature: float, blocks: Sequence[_Block], kept: Path | None
) -> Iterator[list[Case]]:
    """The cases of each block: read where they are kept, and else found and kept."""
    if kept is None:
        yield from map_on_all_cores(partial(_cases, run, temperature), blocks)
        return
    model = f"{hashlib.sha256((run / 'model.safetensors').read_bytes()).hexdigest()} {temperature}"
    files = [kept / f"{block.digest(model)}.npz" for block in blocks]
    known = {file for file in files if file.is_file()}
    missing = [block for block, file in zip(blocks, files, strict=True) if file not in known]
    fresh = map_on_all_cores(partial(_cases, run, temperature), missing)
    for file in files:
        found = read_cases(file) if file in known else next(fresh)
        if file not in known:
            write_cases(file, found)
        yield found


def _cases(run: Path, temperature: float, block: _Block) -> list[Case]:
    return cases_of(predictor_of(run, temperature), block.questions, block.source)


def weighed(cases: Sequence[Case]) -> list[Case]:
    """Lets a set weigh as the square root of how many questions it has: large ones rule, small ones count.

    The questions of all sets weigh one on average, as a drawn question does.
    """
    counts = Counter(case.source for case in cases if case.source != TEMPLATES)
    share = counts.total() / max(1.0, sum(map(math.sqrt, counts.values())))
    return [
        dataclasses.replace(case, weight=share / math.sqrt(counts[case.source]))
        if case.source in counts
        else case
        for case in cases
    ]
