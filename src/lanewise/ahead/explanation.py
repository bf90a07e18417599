# SPDX-License-Identifier: Apache-2.0
"""A function's report beside its source: `lanewise explain`.

With arguments the function is called once, and the report is that of `inspect()`. Without, what its loops are compiled
to follows from the annotations.
"""

import inspect
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final, NamedTuple

from lanewise.ahead.function_types import FunctionTypes, UnknownTypeError
from lanewise.ahead.user_module import jit_functions, user_module
from lanewise.device.base import Device
from lanewise.errors import Error, LaunchError
from lanewise.frontend.python.unrolling.shape import Offer
from lanewise.jit.function import JitFunction
from lanewise.jit.inspection import Fact, facts_of
from lanewise.jit.item_registers import NO_REGISTERS, ItemRegisters
from lanewise.jit.made_kernel import Made
from lanewise.jit.region_kernel import RegionKernel
from lanewise.program.selection import on

_MARGIN: Final = "|"


class Explanation(NamedTuple):
    """A function's name, file and source with the number of its first line, and the facts on its lines."""

    name: str
    file: str
    line: int
    source: Sequence[str]
    facts: Sequence[Fact]

    def text(self) -> str:
        """The source, with the facts on each line below it."""
        last = self.line + len(self.source) - 1
        width = len(str(last))
        shown = [f"{self.file}:{self.line}: {self.name}"]
        for number, text in enumerate(self.source, self.line):
            shown.append(f"{number:{width}}  {text}".rstrip())
            shown += self._below(width, [each for each in self.facts if each.line == number])
        others = [each for each in self.facts if not self.line <= each.line <= last]  # in functions that it calls
        return "\n".join([*shown, *self._below(width, others)])

    def _below(self, width: int, facts: Sequence[Fact]) -> list[str]:
        return list(dict.fromkeys(f"{'':{width}}  {_MARGIN} {'  ' * each.depth}{each.text}" for each in facts))


def function_named(target: str) -> tuple[Path, JitFunction]:
    """The function of `module.py:f`, and its file. Error if there is none."""
    path, colon, name = target.rpartition(":")
    if not colon or not name.isidentifier():
        path, name = target, ""
    functions = {each.py_func.__qualname__: each for each in jit_functions(user_module(Path(path)))}
    if not functions:
        raise Error(f"{path}: no function in it is marked with @lw.jit")
    if name not in functions:
        found = f"there is no function '{name}' with @lw.jit; it has" if name else "name a function"
        raise Error(f"{path}: {found}: {', '.join(f'{path}:{each}' for each in functions)}")
    return Path(path), functions[name]


def explained(path: Path, function: JitFunction, device: Device, arguments: Mapping[str, Any] | None) -> Explanation:
    """The report on a function, called with these arguments by name; None: not called. What it prints goes to standard
    error. Error if the types aren't known without a call."""
    if arguments is None:
        regions = _before_a_call(path, function, device)
    else:
        with on(device), redirect_stdout(sys.stderr):
            function(**arguments)
        regions = [(each, each.made) for each in function.parts().regions]
    parts = function.parts()
    lines, first = inspect.getsourcelines(function.py_func)
    file = inspect.getsourcefile(function.py_func) or str(path)
    facts = [_placed(each, file) for each in facts_of(regions, parts.expressions, parts.split.interpreted)]
    source = [line.rstrip("\n") for line in lines]
    return Explanation(function.py_func.__qualname__, str(path), first, source, facts)


def _before_a_call(path: Path, function: JitFunction, device: Device) -> list[tuple[RegionKernel, Sequence[Made]]]:
    """The kernels that follow from the annotations."""
    try:
        types = FunctionTypes(function)
    except UnknownTypeError as error:
        names = inspect.signature(function.py_func).parameters
        example = " ".join(f"--arg {name}=..." for name in names)
        raise LaunchError(
            f"{path}:{function.py_func.__code__.co_firstlineno}: '{function.py_func.__qualname__}': {error}; annotate "
            f"it, or give arguments for a call, in the forms of lanewise run: {example}"
        ) from None
    offered = device.capabilities
    registers = ItemRegisters(offered.vector_bytes)
    if offered.item_registers:
        registers = ItemRegisters(offer=Offer(offered.item_registers))
    if function.options.tiling not in ("auto", "rows"):
        registers = NO_REGISTERS
    regions: list[tuple[RegionKernel, Sequence[Made]]] = []
    for kernel, found in zip(types.parts.regions, types.types, strict=True):
        made = [kernel.compiled_for(each) for each in found]
        for place, each in enumerate(made):
            if each.grid is not None and (len(each.grid.axes) > 1 or registers.offer) and any(registers):
                made[place] = kernel.compiled_for(each.types, registers=registers)
        regions.append((kernel, made))
    return regions


def _placed(fact: Fact, file: str) -> Fact:
    """A fact that names a line of the file, on that line."""
    found = re.search(rf" \({re.escape(file)}:(\d+)\)", fact.text)
    return fact if found is None else Fact(int(found[1]), fact.depth, fact.text.replace(found[0], ""))
