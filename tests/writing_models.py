"""Small open models with random weights that write programs about the games, in torch and in numpy."""

from collections.abc import Sequence

import torch

from asked_games import VOCABULARY, linked
from neural_enquirer.encoding.actions import Asked, Derivation
from neural_enquirer.encoding.program_batch import ProgramBatch
from neural_enquirer.encoding.schema import collate, empty_steps, fill_steps, sizes_of, steps_of
from neural_enquirer.model.open_enquirer import OpenConfig, OpenEnquirer
from neural_enquirer.prediction.predictors import _alone
from neural_enquirer.runtime.decoder import Decoder, Heard
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
)


def writing_model(seed: int = 0, scale: float = 0.5) -> OpenEnquirer:
    """A model no weight of which is zero, which would hide mistakes."""
    torch.manual_seed(seed)
    model = OpenEnquirer(CONFIG, torch.randn(len(VOCABULARY) - 1, CONFIG.embedding_size)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(scale * torch.randn_like(parameter))
    return model


def in_numpy(model: OpenEnquirer) -> Decoder:
    return Decoder({name: weight.numpy() for name, weight in model.decoder.state_dict().items()})


@torch.no_grad()
def heard_of(
    model: OpenEnquirer, questions: Sequence[tuple[str, tuple[Table, ...]]]
) -> list[tuple[Asked, Heard]]:
    """Questions of one padded batch, each without the padding."""
    each = [linked(*question) for question in questions]
    heard = model.hear(collate(each, VOCABULARY))
    return [(asked, _alone(heard, i, sizes_of(asked, indexes))) for i, (asked, indexes) in enumerate(each)]


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
