# SPDX-License-Identifier: Apache-2.0
"""Tests of the accesses of a parallel loop whose iterations are run one after the other: `parallel_check=True`.

Two iterations conflict if one writes an element that the other reads or writes. Each access to an array that is passed
calls `watch`, which is itself Python, compiled with the loop. It keeps for each element who wrote and who read it, in
an array of 64-bit integers that a launch makes (`jit.conflict_check`):

    word 0      the conflict found first: 0 none, then a `CONFLICTS` number
    1 to 5      its address, the earlier and the later iteration, and the line of each access
    6, 7        the present iteration, and the number of arrays
    8 + 4 k     array k: its first address, the one after its end, bytes of a unit, and the place of its units' words;
                arrays that overlap are one
    a unit      who wrote it and in which line, who read it last and in which line, who read it before that and in
                which line

Iterations are counted from 1; 0 is nobody. Atomic sums in shared elements are no accesses.
"""

import ast
import functools
import inspect
from typing import Any, Final, NamedTuple

from lanewise.frontend.python.code import CompiledFunction, PythonCode
from lanewise.frontend.python.python_types import INT, INT64, Array
from lanewise.frontend.python.values import ArrayValue, NumberValue
from lanewise.ir import types as ty
from lanewise.ir.values import Value, i64

WATCHED: Final = "watched.elements"
"""The parameter that points to the array."""
CONFLICTS: Final = ("", "both write it", "the later one reads what the earlier one writes",
                    "the earlier one reads it, and the later one writes it")  # fmt: skip
ITERATION: Final = 6
ARRAYS: Final = 7
FIRST_ARRAY: Final = 8
WORDS_OF_ARRAY: Final = 4
WORDS_OF_UNIT: Final = 6


def watch(words: Any, address: int, size: int, writes: bool, line: int) -> None:
    """Note an access of `size` bytes by the present iteration, and a conflict with those before it."""
    if words[0] != 0:
        return
    me = words[6]
    for number in range(words[7]):
        array = 8 + 4 * number
        if address >= words[array] and address < words[array + 1]:
            offset = address - words[array]
            for unit in range(offset // words[array + 2], (offset + size - 1) // words[array + 2] + 1):
                place = words[array + 3] + 6 * unit
                kind, other, other_line = 0, 0, 0
                if words[place] != 0 and words[place] != me:
                    kind = 1 if writes else 2
                    other, other_line = words[place], words[place + 1]
                elif writes and words[place + 2] != 0 and words[place + 2] != me:
                    kind = 3
                    other, other_line = words[place + 2], words[place + 3]
                elif writes and words[place + 4] != 0:
                    kind = 3
                    other, other_line = words[place + 4], words[place + 5]
                if kind != 0:
                    words[0] = kind
                    words[1] = address
                    words[2] = other
                    words[3] = me
                    words[4] = other_line
                    words[5] = line
                    return
                if writes:
                    words[place] = me
                    words[place + 1] = line
                elif words[place + 2] != me:
                    words[place + 4] = words[place + 2]
                    words[place + 5] = words[place + 3]
                    words[place + 2] = me
                    words[place + 3] = line


class _Watch(NamedTuple):
    """`watch` as compiled code calls it."""

    name: str
    file: str
    parameters: tuple[str, ...]
    namespace: dict[str, Any]
    body: tuple[ast.stmt, ...]
    defaults: dict[str, Any]


@functools.cache
def _watch() -> CompiledFunction:
    """`watch` for compiled code."""
    (tree,) = ast.parse(inspect.getsource(watch)).body
    assert isinstance(tree, ast.FunctionDef)
    ast.increment_lineno(tree, watch.__code__.co_firstlineno - 1)
    return _Watch(watch.__name__, __file__, tuple(each.arg for each in tree.args.args), {}, tuple(tree.body), {})


def is_watch(function: CompiledFunction) -> bool:
    """True for the function that notes accesses, whose own accesses nobody notes."""
    return isinstance(function, _Watch)


def note(code: PythonCode, address: Value, size: int, *, writes: bool) -> None:
    """Note an access to memory, if accesses are watched."""
    if code.watched is None:
        return
    array = Array(INT64, 1)
    words = ArrayValue(array, code.watched, (code.constant(0),), (i64(8),))
    place = NumberValue(INT, code.build.cast("ptrtoint", address, ty.I64))
    code.program.call(
        code, _watch(), [words, place, code.constant(size), code.constant(writes), code.constant(code.line)]
    )
