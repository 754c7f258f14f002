"""Program decoder: writes a program action by action, from what the encoders say of question and fields.

A GRU starts at q. At each step it hears the action before, the symbol whose turn it is and the production
that asks for it, attends to the question's states, and knows which of the question's words are accounted for
by what was chosen so far. Productions are scored by a linear layer; fields, mentions, quantities and tables
by products with their vectors. It never sees a row.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

from neural_enquirer.encoding.actions import PRODUCTIONS, Pool, Symbol
from neural_enquirer.encoding.actions.grammar import COMPARING, HOMES
from neural_enquirer.encoding.linking import FOUND
from neural_enquirer.encoding.mentions import How
from neural_enquirer.encoding.program_batch import Schema, Steps
from neural_enquirer.encoding.schema import ANY, DATE, NUMBER, ORDERED
from neural_enquirer.model.layers import linear
from neural_enquirer.model.reading import Reading, inside_spans
from neural_enquirer.model.relational_encoder import Linked, RelationalEncoder

COUNT = len(PRODUCTIONS)
NEVER = -1e9
"""The score of what cannot be chosen."""
_KINDS = {Symbol.TERM: ANY, Symbol.NUMBER: NUMBER, Symbol.ORDERED: ORDERED, Symbol.DATE: DATE}


@dataclass(frozen=True)
class RelationSizes:
    """How large the encoder is by which words, fields and values look at each other."""

    size: int
    heads: int
    layers: int


@dataclass(frozen=True)
class Heard:
    """What a decoder can point at and attend to.

    Attributes:
        query: q.
        states: the question's states h_t.
        spoken: which words are there.
        fields: the fields' vectors f_n.
        pointers: the vectors of all that can be pointed at, as inputs: fields, mentions, quantities, tables.
        mentions: the mean state of the words of each mention.
        trusted: how much each mention is trusted for the way in which it was recognised.
        quantities: the same for each quantity.
        tables: the mean vector of the fields of each table.
        says: how much each word speaks of each pointer.
        wants: how much each production that asks wants each field.
        allowed: which pointers there are for which symbol.
        linked: which fields have which mention.
        compared: which fields compare with which quantity.
        productions: which productions can be completed.
    """

    query: Float[Tensor, "batch states"]
    states: Float[Tensor, "batch token states"]
    spoken: Bool[Tensor, "batch token"]
    fields: Float[Tensor, "batch field size"]
    pointers: Float[Tensor, "batch pointer hidden"]
    mentions: Float[Tensor, "batch mention states"]
    trusted: Float[Tensor, "batch mention"]
    quantities: Float[Tensor, "batch quantity states"]
    tables: Float[Tensor, "batch table size"]
    says: Float[Tensor, "batch token pointer"]
    wants: Float[Tensor, "batch field parent"]
    allowed: Bool[Tensor, "batch symbol pointer"]
    linked: Bool[Tensor, "batch mention field"]
    compared: Bool[Tensor, "batch quantity field"]
    productions: Bool[Tensor, "batch production"]

    def offset(self, pool: Pool) -> int:
        """Where the choices of a pool begin among all."""
        sizes = (COUNT, self.fields.shape[1], self.mentions.shape[1], self.quantities.shape[1])
        return sum(sizes[: int(pool)])


@dataclass(frozen=True)
class Turn:
    """What is to be chosen now, in each of several derivations of each question.

    Attributes:
        symbols: the symbol that is expanded.
        parents: the production that asks for it.
        given: the mention or quantity chosen last.
        previous: the choice before, among all; -1 at the beginning.
    """

    symbols: Int[Tensor, "batch way"]
    parents: Int[Tensor, "batch way"]
    given: Int[Tensor, "batch way"]
    previous: Int[Tensor, "batch way"]


@dataclass(frozen=True)
class Memory:
    """What a decoder remembers from step to step."""

    hidden: Float[Tensor, "batch way hidden"]
    context: Float[Tensor, "batch way states"]
    used: Float[Tensor, "batch way token"]


@dataclass(frozen=True)
class ProgramOutput:
    """The log-probabilities of several derivations of each question; very low where there are fewer."""

    scores: Float[Tensor, "batch way"]

    def found(self) -> Bool[Tensor, "batch"]:
        """Whether the derivations of a question together are likelier than all others."""
        return self.scores.logsumexp(dim=1).exp() > 0.5


class ProgramDecoder(nn.Module):
    """p(program | Q, schema) = Π p(action | actions before, Q, schema)."""

    homes: Bool[Tensor, "symbol production"]
    comparing: Bool[Tensor, "parent"]
    needs: Bool[Tensor, "production symbol"]

    def __init__(
        self,
        states_size: int,
        field_size: int,
        hidden_size: int,
        dropout: float,
        sizes: RelationSizes,
        value_size: int | None = None,
    ) -> None:
        """Makes a decoder; `value_size` is that of the vectors of unsaid values, where it may use them."""
        super().__init__()
        self.dropout = dropout
        size = hidden_size
        self.relations = RelationalEncoder(
            states_size, field_size, sizes.size, sizes.heads, sizes.layers, dropout
        )
        self.production = nn.Parameter(0.3 * torch.randn(COUNT + 1, size))
        self.symbol = nn.Parameter(0.3 * torch.randn(len(Symbol), size))
        self.parent = nn.Parameter(0.3 * torch.randn(COUNT + 1, size))
        self.from_field = linear(field_size, size)
        self.from_mention = linear(states_size, size)
        self.from_quantity = linear(states_size, size)
        self.from_table = linear(field_size, size)
        self.unsaid = None if value_size is None else linear(value_size, states_size)
        self.start = linear(states_size, size)
        self.recurrence = nn.GRUCell(size + states_size, size)
        self.attention = linear(size, states_size, bias=False)
        self.attention_used = linear(size, 1)
        self.mix = linear(size + 2 * states_size, size)
        self.to_production = linear(size, COUNT)
        self.to_field = linear(size, field_size)
        self.to_mention = linear(size, states_size)
        self.to_quantity = linear(size, states_size)
        self.to_table = linear(size, field_size)
        self.how = nn.Parameter(torch.zeros(len(How) + 1))
        self.field_wanted = linear(field_size, COUNT + 1)
        self.attended = nn.Parameter(torch.tensor([1.0, 1.0, 1.0, 0.0]))
        self.repeated = nn.Parameter(torch.tensor([0.0, -1.0, -1.0, 0.0]))
        self.register_buffer("homes", torch.tensor(HOMES), persistent=False)
        needs = [[symbol in production.arguments for symbol in Symbol] for production in PRODUCTIONS]
        self.register_buffer("needs", torch.tensor(needs), persistent=False)
        self.register_buffer("comparing", torch.tensor(COMPARING), persistent=False)

    def hear(
        self,
        schema: Schema,
        reading: Reading,
        unsaid: tuple[Float[Tensor, "batch mention value"], Float[Tensor, "batch token mention"]],
    ) -> Heard:
        """Gathers what all steps share; `unsaid` is about the values that nobody says."""
        states, alpha, fields = reading.states, reading.alpha, reading.fields
        mentions, quantities = reading.evidence[0].mentions, reading.evidence[0].quantities
        spans = [inside_spans(span, states.shape[1]) for span in (schema.mentions, schema.quantities)]
        speaks = [span.to(alpha.dtype).transpose(1, 2) for span in spans]
        is_unsaid = (schema.unsaid > 0).any(dim=2)
        if self.unsaid is not None:
            values, links = unsaid
            mentions = mentions + self.unsaid(values) * is_unsaid[..., None]
            speaks[0] = speaks[0] + links
        there = (
            schema.words > 0,
            schema.owners > 0,
            spans[0].any(dim=2) | is_unsaid,
            spans[1].any(dim=2),
        )
        states, fields, mentions, quantities = self._related(
            schema, alpha, speaks, there, (states, fields, mentions, quantities)
        )
        most = schema.table_mask.shape[1]
        numbers = torch.arange(1, most + 1, device=fields.device)
        own = (schema.owners[..., None] == numbers).to(fields.dtype)
        tables = own.transpose(1, 2) @ fields / own.sum(dim=1).clamp(min=1)[..., None]
        none = alpha.new_zeros(len(states), states.shape[1], most)
        pointers = (
            self.from_field(fields),
            self.from_mention(mentions),
            self.from_quantity(quantities),
            self.from_table(tables),
        )
        compared = schema.quantity_fields > 0
        allowed = _allowed(schema, spans[1].any(dim=2))
        return Heard(
            query=functional.dropout(reading.query, self.dropout, self.training),
            states=functional.dropout(states, self.dropout, self.training),
            spoken=schema.words > 0,
            fields=fields,
            pointers=torch.cat(pointers, dim=1),
            mentions=mentions,
            trusted=self.how[schema.mention_hows.long()],
            quantities=quantities,
            tables=tables,
            says=torch.cat((alpha, *speaks, none), dim=2),
            wants=self.field_wanted(fields),
            allowed=allowed,
            linked=schema.mention_fields,
            compared=compared & (schema.kinds > 0)[:, None],
            productions=~(self.needs & ~_there(schema, allowed)[:, None]).any(dim=2),
        )

    def _related(
        self,
        schema: Schema,
        alpha: Float[Tensor, "batch token field"],
        speaks: Sequence[Float[Tensor, "batch token _"]],
        there: tuple[Bool[Tensor, "batch _"], ...],
        vectors: tuple[Float[Tensor, "batch _ _"], ...],
    ) -> tuple[Float[Tensor, "batch _ _"], ...]:
        """The vectors of words, fields, mentions and quantities, as the others change them."""
        kind = alpha.dtype
        linked = Linked(
            alpha,
            speaks[0],
            speaks[1],
            schema.mention_fields.to(kind),
            (schema.quantity_fields > 0).to(kind),
            (schema.quantity_fields == FOUND).to(kind),
            schema.owners.to(kind),
        )
        related: tuple[Tensor, ...] = self.relations(vectors, there, linked)
        return tuple(own * mask[..., None] for own, mask in zip(related, there, strict=True))

    def begin(self, heard: Heard, ways: int) -> Memory:
        """The memory before the first step."""
        batch, tokens, states = heard.states.shape
        hidden = torch.tanh(self.start(heard.query))[:, None].expand(-1, ways, -1)
        zeros = heard.states.new_zeros
        return Memory(hidden, zeros(batch, ways, states), zeros(batch, ways, tokens))

    def step(
        self, heard: Heard, memory: Memory, turn: Turn
    ) -> tuple[Float[Tensor, "batch way choice"], Memory]:
        """Returns the log-probabilities of all choices, and the memory after the step."""
        used = (memory.used + self._newly_used(heard, turn.previous)).clamp(max=1)
        memory, weights = self._attend(heard, replace(memory, used=used), self._input(heard, turn))
        return self._choose(heard, turn, memory, weights), memory

    def _attend(
        self, heard: Heard, memory: Memory, inputs: Float[Tensor, "batch way hidden"]
    ) -> tuple[Memory, Float[Tensor, "batch way token"]]:
        """Returns the memory after a step and the weights of words in it: all that needs the step before."""
        batch, ways, size = inputs.shape
        hidden = self.recurrence(
            torch.cat((inputs, memory.context), dim=2).flatten(0, 1), memory.hidden.reshape(-1, size)
        ).view(batch, ways, size)
        keys = self.attention(hidden) / math.sqrt(heard.states.shape[2])
        scores = torch.bmm(keys, heard.states.transpose(1, 2)) + memory.used * self.attention_used(hidden)
        weights = scores.masked_fill(~heard.spoken[:, None], NEVER).softmax(dim=2)
        return Memory(hidden, torch.bmm(weights, heard.states), memory.used), weights

    def _choose(
        self, heard: Heard, turn: Turn, memory: Memory, weights: Float[Tensor, "batch way token"]
    ) -> Float[Tensor, "batch way choice"]:
        """Returns the log-probabilities of all choices, from the memory after the step."""
        left = (1 - memory.used) * heard.says.amax(dim=2)[:, None]
        unused = torch.bmm(left, heard.states) / left.sum(dim=2, keepdim=True).clamp(min=1)
        mixed = torch.tanh(self.mix(torch.cat((memory.hidden, memory.context, unused), dim=2)))
        mixed = functional.dropout(mixed, self.dropout, self.training)
        scores = self._scores(heard, turn, mixed, weights, memory.used)
        return scores.masked_fill(~self._allowed_now(heard, turn), NEVER).log_softmax(dim=2)

    def _input(self, heard: Heard, turn: Turn) -> Float[Tensor, "batch way hidden"]:
        """The vectors of the action before, the symbol, and who asks for it."""
        chosen = turn.previous
        produced = functional.embedding(chosen.remainder(COUNT + 1).clamp(max=COUNT), self.production)
        place = (chosen - COUNT).clamp(min=0)[..., None].expand(-1, -1, heard.pointers.shape[2])
        pointed = heard.pointers.gather(1, place)
        before = torch.where((chosen >= COUNT)[..., None], pointed, produced)
        return (
            before
            + functional.embedding(turn.symbols, self.symbol)
            + functional.embedding(turn.parents, self.parent)
        )

    def _newly_used(
        self, heard: Heard, previous: Int[Tensor, "batch way"]
    ) -> Float[Tensor, "batch way token"]:
        """The words that speak of what was pointed at last."""
        place = (previous - COUNT).clamp(min=0)[:, None].expand(-1, heard.says.shape[1], -1)
        return heard.says.gather(2, place).transpose(1, 2) * (previous >= COUNT)[..., None]

    def _scores(
        self,
        heard: Heard,
        turn: Turn,
        mixed: Float[Tensor, "batch way hidden"],
        weights: Float[Tensor, "batch way token"],
        used: Float[Tensor, "batch way token"],
    ) -> Float[Tensor, "batch way choice"]:
        own = turn.parents[..., None].expand(-1, -1, heard.fields.shape[1])
        wanted = heard.wants.transpose(1, 2).gather(1, own)
        pointed = (
            torch.bmm(self.to_field(mixed), heard.fields.transpose(1, 2)) + wanted,
            torch.bmm(self.to_mention(mixed), heard.mentions.transpose(1, 2)) + heard.trusted[:, None],
            torch.bmm(self.to_quantity(mixed), heard.quantities.transpose(1, 2)),
            torch.bmm(self.to_table(mixed), heard.tables.transpose(1, 2)),
        )
        said = heard.says / heard.says.sum(dim=1, keepdim=True).clamp(min=1)
        attended, repeated = torch.bmm(weights, heard.says), torch.bmm(used, said)
        links = attended * _spread(self.attended, pointed) + repeated * _spread(self.repeated, pointed)
        return torch.cat((self.to_production(mixed), torch.cat(pointed, dim=2) + links), dim=2)

    def _allowed_now(self, heard: Heard, turn: Turn) -> Bool[Tensor, "batch way choice"]:
        productions = self.homes[turn.symbols] & heard.productions[:, None]
        row = turn.symbols[..., None].expand(-1, -1, heard.allowed.shape[2])
        pointers = heard.allowed.gather(1, row)
        sizes = [part.shape[1] for part in (heard.fields, heard.mentions, heard.quantities, heard.tables)]
        fields, mentions, quantities, tables = pointers.split(sizes, dim=2)
        for symbol, has in ((Symbol.LINKED, heard.linked), (Symbol.COMPARED, heard.compared)):
            place = turn.given.clamp(max=has.shape[1] - 1)[..., None].expand(-1, -1, has.shape[2])
            fields = fields | (has.gather(1, place) & (turn.symbols == symbol)[..., None])
        # A quantity that no field compares with leads nowhere.
        alone = ~heard.compared.any(dim=2)[:, None]
        quantities = quantities & ~(self.comparing[turn.parents][..., None] & alone)
        return torch.cat((productions, fields, mentions, quantities, tables), dim=2)

    def follow(
        self, heard: Heard, steps: Steps
    ) -> tuple[Float[Tensor, "batch way step choice"], Int[Tensor, "batch way step"]]:
        """Returns the log-probabilities of all choices at each step of derivations, and the choices made.

        What is chosen is known, so that only the recurrence goes step by step; all else is done for all steps
        at once, as if they were further ways.
        """
        ways, length = steps.choices.shape[1:]
        offsets = sum((steps.pools == pool) * heard.offset(pool) for pool in list(Pool)[1:])
        choices = steps.choices.long().clamp(min=0) + offsets
        previous = functional.pad(choices[..., :-1], (1, 0), value=-1)
        told = (steps.symbols.long(), steps.parents.long(), steps.given.long(), previous)
        turn = Turn(*(part.flatten(1) for part in told))
        used = self._newly_used(heard, turn.previous).unflatten(1, (ways, length)).cumsum(dim=2).clamp(max=1)
        inputs = self._input(heard, turn).unflatten(1, (ways, length))
        memory, memories, weights = self.begin(heard, ways), [], []
        for own, words in zip(inputs.unbind(dim=2), used.unbind(dim=2), strict=True):
            memory, attended = self._attend(heard, replace(memory, used=words), own)
            memories.append(memory)
            weights.append(attended)
        whole = Memory(
            _all_steps([one.hidden for one in memories]),
            _all_steps([one.context for one in memories]),
            used.flatten(1, 2),
        )
        scores = self._choose(heard, turn, whole, _all_steps(weights))
        return scores.unflatten(1, (ways, length)), choices

    def log_probabilities(self, heard: Heard, steps: Steps) -> Float[Tensor, "batch way"]:
        """Returns the log-probability of each of several derivations of each question."""
        scores, choices = self.follow(heard, steps)
        made = scores.gather(3, choices[..., None]).squeeze(3)
        there = steps.choices >= 0
        return made.where(there, 0.0).sum(dim=2).masked_fill(~there[..., 0], NEVER)


def _all_steps(parts: Sequence[Float[Tensor, "batch way size"]]) -> Float[Tensor, "batch way_step size"]:
    """Puts the steps of each way beside each other, as if they were ways."""
    return torch.stack(tuple(parts), dim=2).flatten(1, 2)


def _spread(weights: Float[Tensor, "pool"], parts: Sequence[Tensor]) -> Float[Tensor, "pointer"]:
    """A weight for each pointer, that of its pool."""
    return torch.cat([weight.expand(part.shape[2]) for weight, part in zip(weights, parts, strict=True)])


def _allowed(
    schema: Schema, quantities: Bool[Tensor, "batch quantity"]
) -> Bool[Tensor, "batch symbol pointer"]:
    """Which pointers there are for which symbol, whatever was chosen before."""
    mentions = schema.mention_fields.any(dim=2)
    parts = (schema.kinds > 0, mentions, quantities, schema.table_mask)
    rows = []
    for symbol in Symbol:
        own = [torch.zeros_like(part) for part in parts]
        if symbol in _KINDS:
            own[0] = (schema.kinds & _KINDS[symbol]) > 0
        if symbol is Symbol.MENTION:
            own[1] = mentions
        if symbol in (Symbol.QUANTITY, Symbol.COUNT):
            own[2] = quantities
        if symbol is Symbol.TABLE:
            own[3] = schema.table_mask
        rows.append(torch.cat(own, dim=1))
    return torch.stack(rows, dim=1)


def _there(schema: Schema, allowed: Bool[Tensor, "batch symbol pointer"]) -> Bool[Tensor, "batch symbol"]:
    """Which symbols can be expanded: what they point at is there."""
    there = torch.ones(len(schema), len(Symbol), dtype=torch.bool, device=schema.words.device)
    for symbol in (*_KINDS, Symbol.MENTION, Symbol.QUANTITY):
        there[:, symbol] = allowed[:, symbol].any(dim=1)
    there[:, Symbol.COMPARED] = (
        ((schema.quantity_fields > 0) & (schema.kinds > 0)[:, None]).flatten(1).any(dim=1)
    )
    return there
