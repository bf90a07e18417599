# SPDX-License-Identifier: Apache-2.0
"""Line tables: which place in the source each machine instruction that may fail comes from.

Why     A fault is known by the address of the instruction that was refused. With a table in the machine code's file it
        becomes a file and a line, at no cost while kernels run: a debugger and `perf` read the same table.
Method  `keep_lines`, before functions are inlined: of the front end's debug information stay a DISubprogram for each
        function of the user's, and a DILocation, without a column, for each call and each access to memory that is not
        a local variable's. Functions of our own headers have none, so LLVM gives what is inlined of them the place of
        the call. `flatten_lines`, when all is inlined: each place becomes one of the kernel itself, in the file and at
        the line where the code stands, so that the code of a work-group needs no chain of inlined calls.

Source: LLVM, "Source Level Debugging with LLVM"; Language Reference, "Specialized Metadata Nodes".
"""

from pathlib import Path
from typing import Final, NamedTuple

from lanewise.ir.debug_info import UNITS, DebugInfo, Location
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.line_nodes import LineNodes
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.strip_debug import strip_debug_info
from lanewise.ir.writer import write_module
from lanewise.pipelines.positions import may_fail
from lanewise.toolchain import zig_library

_OURS: Final = str(Path(__file__).parents[1])


def keep_lines(module: Module) -> None:
    """Reduce debug information to what line tables are made of, before anything is inlined."""
    hidden = (_OURS, str(zig_library()))
    info = DebugInfo(module.metadata)
    found: list[_Lines] = []
    for function in module.functions:
        start = _start(function, info)
        if start is not None and not start.file.startswith(hidden):
            accesses = [i for i in function.instructions() if may_fail(i)]
            # LLVM wants a place at each call of a function that has debug information.
            found.append(_Lines(function, start, [(i, _place(i, info) or start) for i in accesses]))
    _replace(module, found)


def flatten_lines(module: Module) -> bool:
    """Make all places those of the functions that they are in, after calls have been inlined; returns whether there
    are any."""
    info = DebugInfo(module.metadata)
    found: list[_Lines] = []
    for function in module.functions:
        start = _start(function, info)
        if start is not None:
            places = [(i, _place(i, info)) for i in function.instructions() if may_fail(i)]
            found.append(_Lines(function, start, [(i, place) for i, place in places if place is not None]))
    if found or UNITS in module.metadata:
        _replace(module, found)
    return bool(found)


def text_without_lines(module: Module) -> str:
    """The module as text for people."""
    if UNITS not in module.metadata:
        return write_module(module)
    copy = read_module(write_module(module))
    strip_debug_info(copy)
    return write_module(copy)


class _Lines(NamedTuple):
    """The place of a function in the source, and of instructions of it."""

    function: Function
    start: Location
    places: list[tuple[Instruction, Location]]


def _start(function: Function, info: DebugInfo) -> Location | None:
    program = dict(function.metadata).get("!dbg", "")
    node = info.node(program) if function.blocks else None
    return None if node is None else Location(info.file(program), node.number("line"), 0)


def _place(instruction: Instruction, info: DebugInfo) -> Location | None:
    """The place that an instruction comes from; None if nobody knows, as where LLVM has made one of two."""
    place = info.location(instruction.metadata_of("!dbg") or "")
    return place if place is not None and place.line else None


def _replace(module: Module, lines: list[_Lines]) -> None:
    """Have these places, and no other debug information."""
    strip_debug_info(module)
    nodes = LineNodes(module)
    for function, start, places in lines:
        program = nodes.program(function.symbol, start)
        function.metadata += (("!dbg", program),)
        for instruction, place in places:
            instruction.metadata += (("!dbg", nodes.location(place, program)),)
