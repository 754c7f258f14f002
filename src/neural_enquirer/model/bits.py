"""Bits: flags taken apart, in a way that other runtimes know as well."""

import torch
from jaxtyping import UInt8
from torch import Tensor


def bits_of(flags: UInt8[Tensor, "*shape"], count: int) -> UInt8[Tensor, "*shape {count}"]:
    """Returns the lowest bits of flags, the lowest first."""
    masks = (2 ** torch.arange(count, device=flags.device)).to(flags.dtype)
    return (flags[..., None] & masks).ne(0).to(flags.dtype)
