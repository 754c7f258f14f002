"""The recurrence of the query encoder on a GPU: all words of a question in one kernel (Triton).

Libraries launch a kernel or more for each word. Here one program takes a few questions and one direction
through all their words, so a batch is two launches, one forward and one back. `recurrence` is the plain
fallback and says what is computed; a test holds the two against each other.
"""

from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

QUESTIONS = 16
"""Questions a program takes: the fewest that a matrix unit works on."""

SLICE = 32
"""How much of the state is multiplied at a time."""

LARGEST_STATE = 256


def usable(words: Tensor, state_size: int) -> bool:
    """Whether the kernels can run here."""
    return triton is not None and words.is_cuda and state_size <= LARGEST_STATE


def recur(
    terms: Float[Tensor, "word 2 gates"],
    words: Int[Tensor, "batch token"],
    gate_weight: Float[Tensor, "2 gates2 state"],
    candidate_weight: Float[Tensor, "2 state state"],
    *,
    reset_after: bool,
) -> Float[Tensor, "2 batch state"]:
    """Runs both directions over their words and returns the last states.

    Args:
        terms: W_z x, W_r x and W x side by side, for each word and direction.
        words: the questions, padded at the beginning.
        gate_weight: U_z and U_r, one above the other.
        candidate_weight: U.
        reset_after: which variant of the candidate state.
    """
    size = candidate_weight.shape[1]
    more = -size % SLICE  # units that stay zero, so that every row begins at a multiple of 16 bytes
    padded_terms = functional.pad(terms.unflatten(2, (3, size)), (0, more)).flatten(2)
    padded_gates = functional.pad(gate_weight.unflatten(1, (2, size)), (0, more, 0, more)).flatten(1, 2)
    padded_candidate = functional.pad(candidate_weight, (0, more, 0, more))
    last: Tensor = _FusedRecurrence.apply(  # type: ignore[no-untyped-call]
        padded_terms, words, padded_gates, padded_candidate, reset_after
    )
    return last[..., :size]


class Walk(NamedTuple):
    """What the way back needs of the way through the words, by direction, step and question.

    Attributes:
        padding: how many steps each question waits before its first word.
        gates: U_z and U_r, one above the other.
        candidate: U.
        activations: z, r and h̃, side by side.
        before: h_{t-1}.
        products: r ∘ h_{t-1}, or U h_{t-1} where the reset comes after.
        codes: the rows of the input terms that were read.
    """

    padding: Int[Tensor, "batch"]
    gates: Float[Tensor, "2 gates2 state"]
    candidate: Float[Tensor, "2 state state"]
    activations: Float[Tensor, "2 token batch gates"]
    before: Float[Tensor, "2 token batch state"]
    products: Float[Tensor, "2 token batch state"]
    codes: Int[Tensor, "2 token batch"]

    @classmethod
    def empty(cls, words: Tensor, gates: Tensor, candidate: Tensor) -> "Walk":
        """Makes room for what the kernel will write."""
        (batch, length), size = words.shape, candidate.shape[1]
        return cls(
            padding=(words == 0).sum(dim=1, dtype=torch.int32),
            gates=gates,
            candidate=candidate,
            activations=gates.new_empty(2, length, batch, 3 * size),
            before=gates.new_empty(2, length, batch, size),
            products=gates.new_empty(2, length, batch, size),
            codes=words.new_empty(2, length, batch),
        )


class _FusedRecurrence(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, terms: Tensor, words: Tensor, gates: Tensor, candidate: Tensor, reset_after: bool
    ) -> Tensor:
        (batch, length), size = words.shape, candidate.shape[1]
        walk = Walk.empty(words, gates, candidate)
        last = terms.new_empty(2, batch, size)
        settings = _settings(size, reset_after)
        # States and weights are of moderate size: half precision rounds like TF32 at half the traffic.
        weight_type = torch.float16 if settings["PRECISION"] == "tf32" else torch.float32
        _forward_kernel[_grid(batch)](
            terms.contiguous(),
            words.contiguous(),
            walk.padding,
            gates.transpose(1, 2).to(weight_type).contiguous(),
            candidate.transpose(1, 2).to(weight_type).contiguous(),
            walk.activations,
            walk.before,
            walk.products,
            walk.codes,
            last,
            batch,
            length,
            **settings,
        )
        ctx.save_for_backward(*walk)
        ctx.settings, ctx.word_count = settings, len(terms)
        return last

    @staticmethod
    def backward(ctx: Any, d_last: Tensor) -> tuple[Tensor | None, ...]:
        walk = Walk(*ctx.saved_tensors)
        _, length, batch, size = walk.before.shape
        gradient = torch.empty_like(walk.activations)  # with respect to what goes into σ, σ and tanh
        d_products = torch.empty_like(walk.products)  # only where the reset comes after
        _backward_kernel[_grid(batch)](
            d_last.contiguous(),
            walk.padding,
            walk.gates.contiguous(),
            walk.candidate.contiguous(),
            walk.activations,
            walk.before,
            walk.products,
            gradient,
            d_products,
            batch,
            length,
            **ctx.settings,
        )
        d_gates = _summed_product(gradient[..., : 2 * size], walk.before)
        if ctx.settings["RESET_AFTER"]:
            d_candidate = _summed_product(d_products, walk.before)
        else:
            d_candidate = _summed_product(gradient[..., 2 * size :], walk.products)
        d_terms = torch.ops.aten.embedding_dense_backward(gradient, walk.codes, 2 * ctx.word_count, -1, False)
        return d_terms.view(ctx.word_count, 2, 3 * size), None, d_gates, d_candidate, None


def _summed_product(
    delta: Float[Tensor, "2 token batch output"], value: Float[Tensor, "2 token batch input"]
) -> Float[Tensor, "2 output input"]:
    """Sums delta ⊗ value over words and questions: a product for each word, so that all of the GPU works."""
    return torch.matmul(delta.transpose(2, 3), value).sum(dim=1)


def _grid(batch: int) -> tuple[int, int]:
    return (triton.cdiv(batch, QUESTIONS), 2)


def _settings(size: int, reset_after: bool) -> dict[str, Any]:
    exact = torch.get_float32_matmul_precision() == "highest"
    return {
        "STATE": size,
        "WIDTH": triton.next_power_of_2(size),
        "QUESTIONS": QUESTIONS,
        "SLICE": SLICE,
        "RESET_AFTER": reset_after,
        "PRECISION": "tf32x3" if exact else "tf32",
        "num_warps": 8,
    }


if triton is not None:

    @triton.jit
    def _tanh(x):  # type: ignore[no-untyped-def]
        return 2 * tl.sigmoid(2 * x) - 1

    @triton.jit
    def _left(start, rows, row_stride, k, in_batch, STATE: tl.constexpr):  # type: ignore[no-untyped-def]
        """Loads a slice of the states (or the like) of the program's questions."""
        inside = in_batch[:, None] & (k < STATE)[None, :]
        return tl.load(start + rows[:, None] * row_stride + k[None, :], mask=inside, other=0.0)

    @triton.jit
    def _right(start, row_stride, k, units, STATE: tl.constexpr):  # type: ignore[no-untyped-def]
        """Loads a slice of a weight."""
        inside = (k < STATE)[:, None] & (units < STATE)[None, :]
        return tl.load(start + k[:, None] * row_stride + units[None, :], mask=inside, other=0.0)

    @triton.jit
    def _forward_kernel(  # type: ignore[no-untyped-def]
        terms,
        words,
        padding,
        gates,  # [2, STATE, 2 STATE]: transposed
        candidate,  # [2, STATE, STATE]: transposed
        activations,
        before,
        products,
        codes,
        last,
        batch,
        length,
        STATE: tl.constexpr,
        WIDTH: tl.constexpr,
        QUESTIONS: tl.constexpr,
        SLICE: tl.constexpr,
        RESET_AFTER: tl.constexpr,
        PRECISION: tl.constexpr,
    ):
        direction = tl.program_id(1)
        questions = tl.program_id(0) * QUESTIONS + tl.arange(0, QUESTIONS)
        units = tl.arange(0, WIDTH)
        in_batch = questions < batch
        pad = tl.load(padding + questions, mask=in_batch, other=length)
        first = tl.min(pad, axis=0)
        tile = in_batch[:, None] & (units < STATE)[None, :]
        gates += direction * 2 * STATE * STATE
        candidate += direction * STATE * STATE
        state = tl.zeros([QUESTIONS, WIDTH], dtype=tl.float32)
        for t in range(first):  # nobody has begun
            rows = (direction * length + t) * batch + questions
            at = rows[:, None] * STATE + units[None, :]
            tl.store(before + at, state, mask=tile)
            tl.store(products + at, state, mask=tile)
            tl.store(codes + rows, tl.zeros([QUESTIONS], dtype=tl.int32), mask=in_batch)
        for t in range(first, length):
            begun = t >= pad
            rows = (direction * length + t) * batch + questions
            at = rows[:, None] * STATE + units[None, :]
            three = activations + rows[:, None] * (3 * STATE) + units[None, :]
            position = t + direction * (length - 1 - 2 * t + pad)  # backwards: from the end of the question
            word = tl.load(words + questions * length + position, mask=begun & in_batch, other=0)
            code = 2 * word + direction
            tl.store(codes + rows, code, mask=in_batch)
            tl.store(before + at, state, mask=tile)
            tl.debug_barrier()  # what the program's threads stored, all may load
            x = terms + code[:, None] * (3 * STATE) + units[None, :]
            z = tl.load(x, mask=tile, other=0.0)
            r = tl.load(x + STATE, mask=tile, other=0.0)
            new = tl.load(x + 2 * STATE, mask=tile, other=0.0)
            product = tl.zeros([QUESTIONS, WIDTH], dtype=tl.float32)
            for start in range(0, STATE, SLICE):
                k = start + tl.arange(0, SLICE)
                left = _left(before, rows, STATE, k, in_batch, STATE).to(gates.dtype.element_ty)
                z = tl.dot(left, _right(gates, 2 * STATE, k, units, STATE), z, input_precision=PRECISION)
                r = tl.dot(
                    left, _right(gates + STATE, 2 * STATE, k, units, STATE), r, input_precision=PRECISION
                )
                if RESET_AFTER:
                    right = _right(candidate, STATE, k, units, STATE)
                    product = tl.dot(left, right, product, input_precision=PRECISION)
            z, r = tl.sigmoid(z), tl.sigmoid(r)
            if RESET_AFTER:
                tl.store(products + at, product, mask=tile)
                new += r * product
            else:
                tl.store(products + at, r * state, mask=tile)
                tl.debug_barrier()
                for start in range(0, STATE, SLICE):
                    k = start + tl.arange(0, SLICE)
                    left = _left(products, rows, STATE, k, in_batch, STATE).to(gates.dtype.element_ty)
                    new = tl.dot(
                        left, _right(candidate, STATE, k, units, STATE), new, input_precision=PRECISION
                    )
            new = _tanh(new)
            tl.store(three, z, mask=tile)
            tl.store(three + STATE, r, mask=tile)
            tl.store(three + 2 * STATE, new, mask=tile)
            state = tl.where(begun[:, None], z * state + (1 - z) * new, 0.0)
        at = (direction * batch + questions)[:, None] * STATE + units[None, :]
        tl.store(last + at, state, mask=tile)

    @triton.jit
    def _backward_kernel(  # type: ignore[no-untyped-def]
        d_last,
        padding,
        gates,  # [2, 2 STATE, STATE]
        candidate,  # [2, STATE, STATE]
        activations,
        before,
        products,
        gradient,
        d_products,
        batch,
        length,
        STATE: tl.constexpr,
        WIDTH: tl.constexpr,
        QUESTIONS: tl.constexpr,
        SLICE: tl.constexpr,
        RESET_AFTER: tl.constexpr,
        PRECISION: tl.constexpr,
    ):
        direction = tl.program_id(1)
        questions = tl.program_id(0) * QUESTIONS + tl.arange(0, QUESTIONS)
        units = tl.arange(0, WIDTH)
        in_batch = questions < batch
        pad = tl.load(padding + questions, mask=in_batch, other=length)
        first = tl.min(pad, axis=0)
        tile = in_batch[:, None] & (units < STATE)[None, :]
        gates += direction * 2 * STATE * STATE
        candidate += direction * STATE * STATE
        nothing = tl.zeros([QUESTIONS, WIDTH], dtype=tl.float32)
        for t in range(first):
            rows = (direction * length + t) * batch + questions
            three = gradient + rows[:, None] * (3 * STATE) + units[None, :]
            tl.store(three, nothing, mask=tile)
            tl.store(three + STATE, nothing, mask=tile)
            tl.store(three + 2 * STATE, nothing, mask=tile)
            if RESET_AFTER:
                tl.store(d_products + rows[:, None] * STATE + units[None, :], nothing, mask=tile)
        at = (direction * batch + questions)[:, None] * STATE + units[None, :]
        delta = tl.load(d_last + at, mask=tile, other=0.0)
        for back in range(length - first):
            t = length - 1 - back
            begun = (t >= pad)[:, None]
            rows = (direction * length + t) * batch + questions
            at = rows[:, None] * STATE + units[None, :]
            three = rows[:, None] * (3 * STATE) + units[None, :]
            z = tl.load(activations + three, mask=tile, other=0.0)
            r = tl.load(activations + three + STATE, mask=tile, other=0.0)
            new = tl.load(activations + three + 2 * STATE, mask=tile, other=0.0)
            state = tl.load(before + at, mask=tile, other=0.0)
            delta = tl.where(begun, delta, 0.0)
            d_new = delta * (1 - z) * (1 - new * new)
            d_z = delta * (state - new) * z * (1 - z)
            carried = delta * z
            tl.store(gradient + three, d_z, mask=tile)
            tl.store(gradient + three + 2 * STATE, d_new, mask=tile)
            if RESET_AFTER:
                product = tl.load(products + at, mask=tile, other=0.0)
                tl.store(gradient + three + STATE, d_new * product * r * (1 - r), mask=tile)
                tl.store(d_products + at, d_new * r, mask=tile)
            else:
                tl.debug_barrier()  # what the program's threads stored, all may load
                d_product = nothing
                for start in range(0, STATE, SLICE):
                    k = start + tl.arange(0, SLICE)
                    left = _left(gradient + 2 * STATE, rows, 3 * STATE, k, in_batch, STATE)
                    right = _right(candidate, STATE, k, units, STATE)
                    d_product = tl.dot(left, right, d_product, input_precision=PRECISION)
                tl.store(gradient + three + STATE, d_product * state * r * (1 - r), mask=tile)
                carried += d_product * r
            tl.debug_barrier()
            for start in range(0, STATE, SLICE):
                k = start + tl.arange(0, SLICE)
                left = _left(gradient, rows, 3 * STATE, k, in_batch, STATE)
                carried = tl.dot(
                    left, _right(gates, STATE, k, units, STATE), carried, input_precision=PRECISION
                )
                left = _left(gradient + STATE, rows, 3 * STATE, k, in_batch, STATE)
                right = _right(gates + STATE * STATE, STATE, k, units, STATE)
                carried = tl.dot(left, right, carried, input_precision=PRECISION)
                if RESET_AFTER:
                    left = _left(d_products, rows, STATE, k, in_batch, STATE)
                    right = _right(candidate, STATE, k, units, STATE)
                    carried = tl.dot(left, right, carried, input_precision=PRECISION)
            delta = carried
