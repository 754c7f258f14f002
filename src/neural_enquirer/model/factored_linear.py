"""A linear layer over several inputs side by side, whose parts can be computed where they belong."""

import torch
from torch import nn


class FactoredLinear(nn.Module):
    """W [x; y; …] + b = W_x x + W_y y + … + b.

    The paper writes the concatenation. Taken apart, what depends on the question alone is computed once a
    question, not once a row or a cell. Each part starts as a layer of its own would (Glorot and Bengio), so
    that the long query embedding does not drown the short annotations.
    """

    def __init__(self, outputs: int, **inputs: int) -> None:
        """Makes the layer for inputs of these names and sizes."""
        super().__init__()
        self.weight = nn.ParameterDict()  # filled one by one: it would sort the names of a whole dict
        for name, size in inputs.items():
            self.weight[name] = nn.Parameter(nn.init.xavier_uniform_(torch.empty(outputs, size)))
        self.bias = nn.Parameter(torch.zeros(outputs))


def linear(inputs: int, outputs: int, *, bias: bool = True) -> nn.Linear:
    """Returns a linear layer that starts in the same way."""
    layer = nn.Linear(inputs, outputs, bias=bias)
    nn.init.xavier_uniform_(layer.weight)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer
