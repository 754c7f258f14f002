"""Gives the reference the weights of a fast model, layer by layer, so that both compute the same."""

from collections.abc import Mapping

import torch
from torch import Tensor

from neural_enquirer.model.enquirer import ModelConfig, NeuralEnquirer
from neural_enquirer.model.reference import ReferenceEnquirer, ReferenceEnquirerM

INPUTS = (
    "value", "cell", "read", "field", "query", "rows", "other_rows", "table", "other_table",
    "relevant_rows", "relevant_table",
)  # fmt: skip
"""The order in which the paper concatenates the inputs of any layer, under the fast model's names."""


def reference_of(model: NeuralEnquirer) -> ReferenceEnquirer | ReferenceEnquirerM:
    """Returns the reference with the weights of a model."""
    kind = ReferenceEnquirerM if model.config.tables > 1 else ReferenceEnquirer
    reference = kind(model.config, model.known_codes).to(model.embedding)
    reference.load_state_dict(as_reference(model, model.state_dict()))
    return reference


def as_reference(model: NeuralEnquirer, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Turns named weights of a model, or their gradients, into those of its reference."""
    words = tensors["embedding"]
    padding, fixed = words.new_zeros(1, words.shape[1]), tensors.get("fixed_embedding", words[:0])
    result = {"embedding.weight": torch.cat((padding, words, fixed))} | _gru_weights(tensors)
    for ours, theirs in _layer_names(model).items():
        names = [f"{ours}.weight.{name}" for name in INPUTS]
        parts = [tensors[name] for name in (*names, f"{ours}.weight") if name in tensors]
        result[f"{theirs}.weight"] = torch.cat(parts, dim=1)
        if f"{ours}.bias" in tensors:
            result[f"{theirs}.bias"] = tensors[f"{ours}.bias"]
    if model.config.grounded:
        result["mention"] = tensors["table_encoder.mention"]
    return result


def _gru_weights(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    result = {}
    for direction, name in enumerate(("ahead", "back")):
        parts = (
            *tensors["query_encoder.input_weight"][direction].chunk(3),
            *tensors["query_encoder.gate_weight"][direction].chunk(2),
            tensors["query_encoder.candidate_weight"][direction],
        )
        for part, tensor in zip(("w_z", "w_r", "w", "u_z", "u_r", "u"), parts, strict=True):
            result[f"{name}.{part}.weight"] = tensor
    return result


def _layer_names(model: NeuralEnquirer) -> dict[str, str]:
    """Returns the reference's name of each linear layer."""
    names = {"table_encoder.compose": "dnn_0"}
    if model.config.tables == 1:
        executors = [f"executors.{layer}" for layer in range(model.config.executors - 1)]
        return names | _cascade_names(model.config, "cascade", executors, "answer")
    for k in range(model.config.executor_sets):
        ours = f"cascade.further.{k - 1}" if k else "cascade"
        later = [f"later.{layer}.{k}" for layer in range(model.config.executors - 2)]
        names |= _cascade_names(model.config, ours, [f"first.{k}", *later], f"answer.{k}")
        for layer, executor in enumerate(later):
            names[f"{ours}.attentions.{layer}.hidden"] = f"{executor}.gamma.0"
            names[f"{ours}.attentions.{layer}.score"] = f"{executor}.gamma.2"
    return names


def _cascade_names(config: ModelConfig, ours: str, executors: list[str], answer: str) -> dict[str, str]:
    names = {}
    for layer, executor in enumerate(executors):
        own = f"{ours}.executors.{layer}"
        names[f"{own}.reader.hidden"] = f"{executor}.dnn_1.0"
        names[f"{own}.reader.score"] = f"{executor}.dnn_1.2"
        names |= _dnn_names(f"{own}.annotator", f"{executor}.dnn_2", config.annotator_depth, "last")
    return names | _dnn_names(f"{ours}.answer_executor", f"{answer}.f_ans", config.answer_depth, "score")


def _dnn_names(ours: str, theirs: str, depth: int, last: str) -> dict[str, str]:
    """Returns the reference's name of each layer of a DNN; every second one is the tanh between two."""
    layers = ["first", *(f"hidden.{i}" for i in range(depth - 2)), last]
    return {f"{ours}.{layer}": f"{theirs}.{2 * position}" for position, layer in enumerate(layers)}
