"""Small open models with random weights that write programs about the games, in torch and in numpy."""

from collections.abc import Sequence
from dataclasses import replace

import torch

from asked_games import VOCABULARY, linked
from neural_enquirer.checkpoint import Checkpoint
from neural_enquirer.encoding.actions import Asked, Derivation
from neural_enquirer.encoding.open import OpenQuestion, prepare_all
from neural_enquirer.encoding.program_batch import ProgramBatch, collate, steps_of
from neural_enquirer.encoding.schema import empty_steps, fill_steps
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.runtime.heard import Heard
from neural_enquirer.runtime.open_model import OpenModel
from neural_enquirer.tables import Table

CONFIG = OpenConfig(
    executors=2,
    embedding_size=8,
    link_size=4,
    field_size=8,
    cell_size=6,
    annotation_size=6,
    hidden_size=8,
    state_size=5,
    attention_size=4,
    decoder_size=12,
    relation_size=8,
    relation_heads=2,
    unsaid=True,
)


def writing_model(seed: int = 0, scale: float = 0.5, executors: int = CONFIG.executors) -> OpenEnquirer:
    """A model no weight of which is zero, which would hide mistakes."""
    torch.manual_seed(seed)
    config = replace(CONFIG, executors=executors)
    model = OpenEnquirer(config, torch.randn(len(VOCABULARY) - 1, config.embedding_size)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(scale * torch.randn_like(parameter))
    return model


def in_numpy(model: OpenEnquirer) -> OpenModel:
    return Checkpoint(model, VOCABULARY, "natural").light().model


def heard_of(
    model: OpenEnquirer, questions: Sequence[tuple[str, tuple[Table, ...]]]
) -> list[tuple[Asked, Heard]]:
    """What a decoder hears of questions, without torch."""
    light, found = in_numpy(model), []
    for question, (text, tables) in zip(questions_of(questions), questions, strict=True):
        asked, indexes = linked(text, tables)
        found.append((asked, light.hear(light.read(question), asked, indexes)))
    return found


def questions_of(questions: Sequence[tuple[str, tuple[Table, ...]]]) -> list[OpenQuestion]:
    return prepare_all([(tables, text) for text, tables in questions], VOCABULARY)


def batch_of(
    questions: Sequence[tuple[str, tuple[Table, ...]]], derivations: Sequence[Sequence[Derivation]]
) -> ProgramBatch:
    """Questions with derivations, padded to the most and the longest."""
    longest = max(len(one) for some in derivations for one in some)
    steps = empty_steps(len(questions), max(map(len, derivations)), longest + 2)
    for i, ((_, tables), some) in enumerate(zip(questions, derivations, strict=True)):
        for j, one in enumerate(some):
            fill_steps({name: array[i, j] for name, array in steps.items()}, one, len(tables))
    return ProgramBatch(collate([linked(*question) for question in questions], VOCABULARY), steps_of(steps))
