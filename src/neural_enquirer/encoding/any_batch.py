"""All kinds of encoded examples: what trainer, losses and evaluation take."""

from neural_enquirer.encoding.batch import Batch
from neural_enquirer.encoding.open_batch import OpenBatch
from neural_enquirer.encoding.program_batch import ProgramBatch

AnyBatch = Batch | OpenBatch

Shelf = AnyBatch | ProgramBatch
"""What a model may be trained on, padded to one size."""
