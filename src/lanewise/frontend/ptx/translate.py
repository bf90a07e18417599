# SPDX-License-Identifier: Apache-2.0
"""A module of PTX as a module of kernel IR, with the description of its kernels.

Functions that no kernel reaches are left out. A kernel that reaches something that has no translation is refused, with
the line; the others stay.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, final

from lanewise.errors import CompileError
from lanewise.frontend.clang.options import wants_lines, wants_positions
from lanewise.frontend.description import describe
from lanewise.frontend.info import ProgramInfo
from lanewise.frontend.ptx import kernels, variables
from lanewise.frontend.ptx.code import PtxCode
from lanewise.frontend.ptx.flushing import FLUSHED, flush_all
from lanewise.frontend.ptx.frame import PtxFrame
from lanewise.frontend.ptx.function import translate_body
from lanewise.frontend.ptx.instructions import ROWS
from lanewise.frontend.ptx.lines import PtxLines
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.frontend.ptx.signatures import SYSTEM_CALLS, function_type
from lanewise.ir.debug_info import LINES_WANTED, POSITIONS_WANTED
from lanewise.ir.function import Function
from lanewise.ir.line_nodes import LineNodes
from lanewise.ir.module import Module
from lanewise.ir.types import Type
from lanewise.ir.values import Argument, Global
from lanewise.passes import recover_pointers
from lanewise.ptx.language import module as ptx
from lanewise.ptx.language.parser import parse
from lanewise.ptx.language.statements import Declaration

_HEADER: Final = (
    'target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"',
    'target triple = "nvptx64-nvidia-cuda"',
)


class PtxProgram(NamedTuple):
    """A module and its description."""

    module: Module
    info: ProgramInfo


def translate(text: str, name: str, options: Sequence[str] = ()) -> PtxProgram:
    """The kernel IR of PTX. CompileError for what is no PTX, and if no kernel has a translation. `options` say whether
    failures and output name lines, as do those of clang."""
    source = parse(text, name)
    _require_one_definition(source)
    symbols = PtxSymbols(source)
    refused: dict[str, str] = {}
    for kernel in source.kernels:
        error = symbols.translate_kernel(kernel)
        if error is not None:
            refused[kernel.name] = symbols.told(error)
    if source.kernels and len(refused) == len(source.kernels):
        raise CompileError("\n".join(refused.values()), tuple(refused.values()))
    module = symbols.module
    for function in module.functions:
        recover_pointers.run(function)
    if "debug" in source.targets or wants_positions(options):
        module.metadata[POSITIONS_WANTED] = "!{}"
    if wants_lines(options):
        module.metadata[LINES_WANTED] = "!{}"
    info = describe(module, tuple(map(kernels.name_of, module.kernels)), {}, (), refused)
    return PtxProgram(module, kernels.described(info, source))


def _require_one_definition(source: ptx.Module) -> None:
    """CompileError for a function or kernel that is defined twice."""
    seen: set[str] = set()
    for function in source.functions:
        if function.name in seen:
            raise source.source.error(function.start, f"{function.name} is defined twice")
        seen.add(function.name)


@final
class PtxSymbols:
    """The symbols of a module, translated when something names them."""

    def __init__(self, source: ptx.Module, module: Module | None = None) -> None:
        """`module`: one that has more besides, whose other functions may not count denormals as zeros."""
        self.source: Final = source
        self.module: Final = Module() if module is None else module
        if module is None:
            self.module.header += _HEADER
        self._functions: Final = {each.name: each for each in source.items if isinstance(each, ptx.Function)}
        self._functions.update({each.name: each for each in source.functions})
        self._declarations: Final = {
            declarator.name: item
            for item in source.items
            if isinstance(item, Declaration)
            for declarator in item.declarators
        }
        self._made: Final[dict[str, Global]] = {}
        self._untranslated: Final[list[ptx.Function]] = []
        self.flushes: Final = module is None and flush_all(source)
        """All arithmetic in single precision has `.ftz`."""
        self._lines: Final = (
            PtxLines(source, LineNodes(self.module, source.source.file)) if module is None else None
        )  # the lines of others are those of what calls our functions

    # -- kernels -----------------------------------------------------------------------------------------------

    def translate_kernel(self, kernel: ptx.Function) -> RefusedError | None:
        """Translate a kernel and what it reaches. What is wrong, if something is: then nothing of it stays."""
        before = dict(self._made)
        known = dict(self.module.symbols)
        try:
            made = kernels.declare(kernel, self.module)
            if self.flushes:
                made.suffix = f"{made.suffix} {FLUSHED}".strip()
            self._made[kernel.name] = made
            self._translate(kernel, made)
            self._translate_reached()
        except RefusedError as error:
            self._untranslated.clear()
            self._made.clear()
            self._made.update(before)
            self.module.symbols.clear()
            self.module.symbols.update(known)
            return error
        return None

    def translate_function(self, name: str) -> Function:
        """Translate a function and what it reaches. RefusedError leaves nothing of it."""
        known = dict(self.module.symbols)
        try:
            made = self.function(name)
            self._translate_reached()
        except RefusedError:
            self.module.symbols.clear()
            self.module.symbols.update(known)
            raise
        return made

    def _translate_reached(self) -> None:
        while self._untranslated:
            function = self._untranslated.pop()
            found = self._made[function.name]
            assert isinstance(found, Function)
            self._translate(function, found)

    def _translate(self, source: ptx.Function, function: Function) -> None:
        if self._lines is not None:
            function.metadata = (("!dbg", self._lines.program(source)),)
        translate_body(PtxCode(source, function, self, PtxFrame(source, function)), ROWS)

    def place(self, start: int, function: Function) -> str | None:
        """The node of the place in the source of the statement that starts there; None if it isn't known."""
        return None if self._lines is None else self._lines.place(start, function.metadata[0][1])

    def told(self, error: RefusedError) -> str:
        """A refusal with its line."""
        if error.start < 0:
            return error.reason
        return str(self.source.source.error(error.start, error.reason))

    # -- addresses ---------------------------------------------------------------------------------------------

    def address(self, name: str) -> Global:
        """The variable or function of a name. RefusedError if the module has none."""
        known = self._made.get(name)
        if known is not None:
            return known
        if name in self._declarations:
            return self._keep(name, variables.declare(self._declarations[name], name, name, self))
        if name in self._functions or name in SYSTEM_CALLS:
            return self.function(name)
        raise RefusedError(f"no variable, function or register is called {name}")

    def declare_in(self, function: ptx.Function, declaration: Declaration, name: str) -> Global:
        """A variable that a function declares, under a name of its own if another has it."""
        symbol, number = name, 0
        while symbol in self.module.symbols or symbol in self._functions or symbol in self._declarations:
            number += 1
            symbol = f"{function.name}.{name}.{number}"
        return self._keep(symbol, variables.declare(declaration, name, symbol, self))

    def function(self, name: str) -> Function:
        """The function of a name, to be called."""
        known = self._made.get(name)
        if known is None:
            known = self._keep(name, self._declare(name))
        if not isinstance(known, Function):
            raise RefusedError(f"{name} is no function")
        return known

    def _declare(self, name: str) -> Function:
        source = self._functions.get(name)
        if source is None or source.body is None:
            type_ = SYSTEM_CALLS.get(name)
            if type_ is None:
                raise RefusedError(f"the function {name} is not defined")
            return self.module.declare(name, type_)
        made = _new_function(name, function_type(source.results, source.parameters))
        made.linkage = "internal"
        made.suffix = FLUSHED if self.flushes else ""
        self.module.add(made)
        self._untranslated.append(source)
        return made

    def _keep(self, name: str, symbol: Global) -> Global:
        self._made[name] = symbol
        return symbol


def _new_function(name: str, type_: Type) -> Function:
    return Function(name, type_, [Argument(parameter) for parameter in type_.fields])
