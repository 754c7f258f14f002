"""Training data: an experiment's task, drawn and encoded."""

from dataclasses import dataclass, replace

from jaxtyping import Bool
from torch import Tensor

from neural_enquirer.encoding.any_batch import AnyBatch
from neural_enquirer.encoding.closed import encode, type_names, vocabulary_of
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.program_batch import ProgramBatch
from neural_enquirer.encoding.words import Vocabulary
from neural_enquirer.synthesis.examples import PROGRAM_TYPES, ExampleSet
from neural_enquirer.synthesis.tasks import generate
from neural_enquirer.training.experiment import Experiment, TaskConfig
from neural_enquirer.training.forms import TrainingForms


def draw_examples(task: TaskConfig) -> tuple[ExampleSet, ExampleSet]:
    """Draws the training and the validation examples of a closed task."""
    train = generate(task.name, "train", seed=task.seed, examples=task.examples)
    return train, generate(task.name, "validation", seed=task.seed, examples=task.held_out)


@dataclass(frozen=True)
class TrainingData:
    """Encoded training and validation examples with their vocabulary and the names of their types.

    What lies on further shelves is padded to other sizes; real questions have shelves of their own. Where
    questions are renamed, `allowed` says which values make which patterns of logical forms ones of training.
    """

    vocabulary: Vocabulary
    train: AnyBatch
    validation: AnyBatch
    type_names: tuple[str, ...] = PROGRAM_TYPES
    further_train: tuple[OpenBatch, ...] = ()
    real_train: tuple[OpenBatch, ...] = ()
    further_validation: tuple[OpenBatch, ...] = ()
    programs: tuple[ProgramBatch, ...] = ()
    program_validation: tuple[ProgramBatch, ...] = ()
    allowed: Bool[Tensor, "pattern code"] | None = None

    @classmethod
    def of(cls, experiment: Experiment, train: ExampleSet, validation: ExampleSet) -> "TrainingData":
        """Encodes examples; the vocabulary is that of the training examples."""
        vocabulary = vocabulary_of(train)
        form = experiment.task.form
        encoded = encode(train, vocabulary, form, by_value=experiment.task.answer == "value")
        forms = TrainingForms.of(train, vocabulary) if experiment.training.renaming else None
        return cls(
            vocabulary,
            encoded if forms is None else replace(encoded, forms=forms.places),
            encode(validation, vocabulary, form),
            type_names(train),
            allowed=None if forms is None else forms.allowed,
        )
