# SPDX-License-Identifier: Apache-2.0
"""The symbols of modules, translated into one module of kernel IR when something names them.

A name means what its own module defines, or the definition of another module that `linking` chooses. Names that only
one module sees may occur in several; the second one is called `name.1` in the kernel IR.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, final

from lanewise.frontend.ptx import kernels, variables
from lanewise.frontend.ptx.code import PtxCode
from lanewise.frontend.ptx.counting.weave import Counting
from lanewise.frontend.ptx.flushing import FLUSHED
from lanewise.frontend.ptx.frame import PtxFrame
from lanewise.frontend.ptx.function import translate_body
from lanewise.frontend.ptx.instructions import ROWS
from lanewise.frontend.ptx.lines import PtxLines
from lanewise.frontend.ptx.linking import is_external
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.frontend.ptx.signatures import SYSTEM_CALLS, function_type
from lanewise.ir.function import Function
from lanewise.ir.line_nodes import LineNodes
from lanewise.ir.module import Module
from lanewise.ir.values import Argument, Global
from lanewise.ptx.language import module as ptx
from lanewise.ptx.language.statements import Declaration

_NO_OWNERS: Final[Mapping[str, int]] = {}


@final
class PtxProgram:
    """All modules that become one, `module`, which may have more besides.

    `owners`: the number of the module that defines an external name. `nodes` makes debug information; without it, code
    has no places. `flushes`: all arithmetic in single precision counts denormals as zeros. `counts`: code counts what
    it executes.
    """

    def __init__(
        self,
        sources: Sequence[ptx.Module],
        module: Module,
        owners: Mapping[str, int] = _NO_OWNERS,
        nodes: LineNodes | None = None,
        flushes: bool = False,
        counts: bool = False,
    ) -> None:
        self.module: Final = module
        self.owners: Final = owners
        self.flushes: Final = flushes
        self.references: Final[dict[Global, str]] = {}
        """Textures and surfaces by name, and the kind of each."""
        self.parts: Final = [PtxSymbols(number, source, self, nodes) for number, source in enumerate(sources)]
        self.made: Final[dict[tuple[int, str], Global]] = {}
        """The translated symbols, by the number of their module and their name there."""
        self.untranslated: Final[list[tuple[PtxSymbols, ptx.Function, Function]]] = []
        """Functions that are known and have no body yet."""
        self.counting: Final = Counting(sources, module) if counts else None

    @contextmanager
    def all_or_nothing(self) -> Generator[None, None, None]:
        """Keep what is made within if no RefusedError ends it. All functions that are called are translated."""
        made, known = dict(self.made), dict(self.module.symbols)
        try:
            yield
            while self.untranslated:
                symbols, source, function = self.untranslated.pop()
                symbols.translate(source, function)
        except RefusedError:
            self.untranslated.clear()
            self.made.clear()
            self.made.update(made)
            self.module.symbols.clear()
            self.module.symbols.update(known)
            raise

    def free_name(self, name: str, number: int) -> str:
        """A name in the kernel IR for a symbol of the module `number`."""
        symbol, count = name, 0
        while symbol in self.module.symbols or self.owners.get(symbol, number) != number:
            count += 1
            symbol = f"{name}.{count}"
        return symbol


@final
class PtxSymbols:
    """The symbols that one module of PTX sees. `number` is its place in `program`."""

    def __init__(self, number: int, source: ptx.Module, program: PtxProgram, nodes: LineNodes | None) -> None:
        self._number: Final = number
        self._source: Final = source
        self._program: Final = program
        self.module: Final = program.module
        self.flushes: Final = program.flushes
        self.references: Final = program.references
        self._lines: Final = None if nodes is None else PtxLines(source, nodes)
        self._functions: Final = {each.name: each for each in source.items if isinstance(each, ptx.Function)}
        self._functions.update({each.name: each for each in source.functions})
        self._declarations: Final[dict[str, Declaration]] = {}
        for item in source.items:
            if isinstance(item, Declaration):
                for declarator in item.declarators:
                    if ".extern" not in item.linkage or declarator.name not in self._declarations:
                        self._declarations[declarator.name] = item

    # -- kernels and functions ---------------------------------------------------------------------------------

    def translate_kernel(self, kernel: ptx.Function) -> RefusedError | None:
        """Translate a kernel and what it reaches. What is wrong, if something is: then nothing of it stays."""
        try:
            with self._program.all_or_nothing():
                with self._told_here():
                    made = kernels.declare(kernel, self.module)
                if self.flushes:
                    made.suffix = f"{made.suffix} {FLUSHED}".strip()
                self._keep(kernel.name, made)
                self.translate(kernel, made)
        except RefusedError as error:
            return error
        return None

    def translate_function(self, name: str) -> Function:
        """Translate a function and what it reaches. RefusedError leaves nothing of it."""
        with self._program.all_or_nothing():
            return self.function(name)

    def translate(self, source: ptx.Function, function: Function) -> None:
        """Translate the body of a function."""
        if self._lines is not None:
            function.metadata = (("!dbg", self._lines.program(source)),)
        code = PtxCode(source, function, self, PtxFrame(source, function))
        if self._program.counting is not None:
            code.counters = self._program.counting.of(code, self._number)
        with self._told_here():
            translate_body(code, ROWS)

    def place(self, start: int, function: Function) -> str | None:
        """The node of the place in the source of the statement that starts there; None if it isn't known."""
        return None if self._lines is None else self._lines.place(start, function.metadata[0][1])

    @contextmanager
    def _told_here(self) -> Generator[None, None, None]:
        """A RefusedError within is about this module, if it isn't yet about another one."""
        try:
            yield
        except RefusedError as error:
            if error.start >= 0 and error.source is None:
                error.source = self._source.source
            raise

    # -- addresses ---------------------------------------------------------------------------------------------

    def address(self, name: str) -> Global:
        """The variable or function of a name. RefusedError if there is none."""
        owner = self._owner(name)
        if owner is not self:
            return owner.address(name)
        known = self._program.made.get((self._number, name))
        if known is not None:
            return known
        if name in self._declarations:
            return self._keep(name, self._variable(self._declarations[name], name, name))
        if name in self._functions or name in SYSTEM_CALLS:
            return self.function(name)
        raise RefusedError(f"no variable, function or register is called {name}")

    def declare_in(self, function: ptx.Function, declaration: Declaration, name: str) -> Global:
        """A variable that a function declares, under a name of its own if another has it."""
        taken = name in self.module.symbols or name in self._functions or name in self._declarations
        return self._variable(declaration, name, f"{function.name}.{name}" if taken else name)

    def function(self, name: str) -> Function:
        """The function of a name, to be called."""
        owner = self._owner(name)
        if owner is not self:
            return owner.function(name)
        known = self._program.made.get((self._number, name))
        if known is None:
            with self._told_here():
                known = self._keep(name, self._declare(name))
        if not isinstance(known, Function):
            raise RefusedError(f"{name} is no function")
        return known

    def _owner(self, name: str) -> PtxSymbols:
        """The symbols that have the definition of a name."""
        function, declaration = self._functions.get(name), self._declarations.get(name)
        own = declaration if function is None else function
        if own is None or not is_external(own):
            return self
        return self._program.parts[self._program.owners.get(name, self._number)]

    def _declare(self, name: str) -> Function:
        source = self._functions.get(name)
        if source is None or source.body is None:
            type_ = SYSTEM_CALLS.get(name)
            if type_ is None:
                raise RefusedError(f"the function {name} is not defined")
            return self.module.declare(name, type_)
        type_ = function_type(source.results, source.parameters)
        symbol = self._program.free_name(name, self._number)
        made = Function(symbol, type_, [Argument(parameter) for parameter in type_.fields], linkage="internal")
        made.suffix = FLUSHED if self.flushes else ""
        self.module.add(made)
        self._program.untranslated.append((self, source, made))
        return made

    def _variable(self, declaration: Declaration, name: str, wanted: str) -> Global:
        symbol = self._program.free_name(wanted, self._number)
        with self._told_here():
            return variables.declare(declaration, name, symbol, self)

    def _keep(self, name: str, symbol: Global) -> Global:
        self._program.made[self._number, name] = symbol
        return symbol
