"""The recurrence of the query encoder: two gated recurrent units, one in each reading direction.

The update rule is that of the paper's appendix, without bias:

    z_t = σ(W_z x_t + U_z h_{t-1}),  r_t = σ(W_r x_t + U_r h_{t-1})
    h̃_t = tanh(W x_t + U (r_t ∘ h_{t-1}))          reset before the product (the paper)
    h̃_t = tanh(W x_t + r_t ∘ (U h_{t-1}))          reset after it (cuDNN's and `nn.GRU`'s variant)
    h_t = z_t h_{t-1} + (1 - z_t) h̃_t

Without bias a zero input leaves a zero state at zero, so padding at the beginning changes nothing: this is
why the questions are padded there, and why the words of padding need not be computed at all.
"""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional

from neural_enquirer.model.layers import tanh_

State = Float[Tensor, "2 batch state"]


def recur(
    terms: Float[Tensor, "term gates"],
    codes: tuple[Int[Tensor, "2 _"], ...],
    gate_weight: Float[Tensor, "2 state gates2"],
    candidate_weight: Float[Tensor, "2 state state"],
    *,
    reset_after: bool,
) -> State:
    """Runs both directions over their words and returns the last states.

    Args:
        terms: W_z x, W_r x and W x side by side, a row for each word and direction.
        codes: for each step the rows of `terms` that the two directions read. Questions are sorted by length,
            the longest first: a step names the words of those that have begun, and the others, still padding,
            are not computed. All have begun at the last step.
        gate_weight: U_z and U_r, transposed and side by side.
        candidate_weight: U, transposed.
        reset_after: which variant of the candidate state.
    """
    if torch.is_grad_enabled():
        last: State = _Recurrence.apply(  # type: ignore[no-untyped-call]
            terms, codes, gate_weight, candidate_weight, reset_after
        )
        return last
    state = terms.new_zeros(2, codes[-1].shape[1], candidate_weight.shape[1])
    for step in codes:
        before = state[:, : step.shape[1]]
        activations = functional.embedding(step, terms)
        _advance(activations, before, gate_weight, candidate_weight, reset_after, out=before)
    return state


def _advance(
    activations: Tensor, before: Tensor, gates: Tensor, candidate: Tensor, reset_after: bool, out: Tensor
) -> Tensor:
    """Computes one step; `activations` holds the input terms and is overwritten with z, r and h̃.

    Returns:
        What the gradient of U needs: r ∘ h, or U h where the reset comes after.
    """
    size = before.shape[-1]
    z, r, new = activations.split(size, dim=-1)
    activations[..., : 2 * size].baddbmm_(before, gates).sigmoid_()
    if reset_after:
        product = torch.bmm(before, candidate)
        tanh_(new.addcmul_(r, product))
    else:
        product = r * before
        tanh_(new.baddbmm_(product, candidate))
    torch.lerp(new, before, z, out=out)
    return product


class _Recurrence(torch.autograd.Function):
    """The loop with its gradient written out.

    Steps lie one after the other in a packed axis, so that the gradient of each weight is one matrix product
    over the words that are there.
    """

    @staticmethod
    def forward(
        ctx: Any,
        terms: Tensor,
        codes: tuple[Tensor, ...],
        gates: Tensor,
        candidate: Tensor,
        reset_after: bool,
    ) -> Tensor:
        packed = torch.cat(codes, dim=1)
        size = candidate.shape[1]
        activations = functional.embedding(packed, terms)
        before = terms.new_empty(2, packed.shape[1], size)
        products = torch.empty_like(before)
        state = terms.new_zeros(2, codes[-1].shape[1], size)
        start = 0
        for step in codes:
            n = step.shape[1]
            now = slice(start, start + n)
            before[:, now] = state[:, :n]
            products[:, now] = _advance(
                activations[:, now], before[:, now], gates, candidate, reset_after, out=state[:, :n]
            )
            start += n
        ctx.save_for_backward(packed, activations, before, products, gates, candidate)
        ctx.begun, ctx.term_count, ctx.reset_after = [c.shape[1] for c in codes], len(terms), reset_after
        return state

    @staticmethod
    def backward(ctx: Any, last: Tensor) -> tuple[Tensor | None, ...]:
        packed, activations, all_before, products, gates, candidate = ctx.saved_tensors
        size = candidate.shape[1]
        gradient = torch.empty_like(activations)  # with respect to what goes into σ, σ and tanh
        back_gates, back_candidate = gates.transpose(1, 2), candidate.transpose(1, 2)
        state, end = last.clone(), packed.shape[1]
        for n in reversed(ctx.begun):
            now = slice(end - n, end)
            end -= n
            before, delta, product = all_before[:, now], state[:, :n], products[:, now]
            z, r, new = activations[:, now].split(size, dim=-1)
            d_z, d_r, d_new = gradient[:, now].split(size, dim=-1)
            torch.mul(delta * (1 - z), 1 - new * new, out=d_new)
            torch.mul(delta * (before - new), z * (1 - z), out=d_z)
            if ctx.reset_after:
                torch.mul(d_new * product, r * (1 - r), out=d_r)
                carried = torch.bmm(d_new * r, back_candidate)
            else:
                d_product = torch.bmm(d_new, back_candidate)
                torch.mul(d_product * before, r * (1 - r), out=d_r)
                carried = d_product.mul_(r)
            carried.addcmul_(delta, z)
            state[:, :n] = carried.baddbmm_(gradient[:, now, : 2 * size], back_gates)
        d_terms = torch.ops.aten.embedding_dense_backward(gradient, packed, ctx.term_count, -1, False)
        d_gates = torch.bmm(all_before.transpose(1, 2), gradient[..., : 2 * size])
        d_new = gradient[..., 2 * size :]
        if ctx.reset_after:
            d_candidate = torch.bmm(all_before.transpose(1, 2), d_new * activations[..., size : 2 * size])
        else:
            d_candidate = torch.bmm(products.transpose(1, 2), d_new)
        return d_terms, None, d_gates, d_candidate, None
