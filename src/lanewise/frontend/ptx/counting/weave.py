# SPDX-License-Identifier: Apache-2.0
"""Counters woven into a function while it is translated, so that they count the text as it stands.

Each lane of a warp keeps numbers of its own in registers, and adds them to the module's counters at the end of the
kernel. Only one lane has a warp's number, the others have 0, see `source/warp_counts.c`. A function that is called adds
its numbers at once, since its caller's end may never come: `exit` ends the thread.

Calls of warp operations keep LLVM from merging, copying or moving blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from lanewise.frontend.ptx.counting.library import PREFIX
from lanewise.frontend.ptx.counting.sites import SYMBOL, Site, count_of, sites_of
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.module import GlobalVariable
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, i64, int_constant
from lanewise.ptx.language.operands import Operand

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode
    from lanewise.ir.module import Module as KernelIr
    from lanewise.ptx.language.module import Module

_INDEX: Final = {"ld": 1, "ldu": 1, "st": 0, "atom": 1, "red": 0}
"""The operand that is the address."""


@final
class Counting:
    """The counters of a module."""

    def __init__(self, source: Module, module: KernelIr) -> None:
        sites = sites_of(source)
        type_ = ty.array(max(1, count_of(sites)), ty.I64)
        self._module: Final = module
        self.variable: Final = GlobalVariable(
            SYMBOL, type_, Constant(type_, "zeroinitializer"), prefix=("dso_local", "global")
        )
        module.add(self.variable)
        self._sites: Final[dict[str, dict[tuple[int, bool], list[Site]]]] = {}
        for site in sites:
            places = self._sites.setdefault(site.function, {})
            places.setdefault((site.steps[0], site.kind == "block"), []).append(site)
        self._at_once: Final = _may_exit_in_functions(source)

    def of(self, code: PtxCode) -> FunctionCounters:
        """The counters of a function that is to be translated."""
        adds_at_once = self._at_once or not code.function.is_kernel
        return FunctionCounters(code, self.variable, self._sites.get(code.source.name, {}), adds_at_once)


def _may_exit_in_functions(source: Module) -> bool:
    return any("exit" in source.source.text[f.start : f.end] for f in source.functions if not f.is_kernel)


@final
class FunctionCounters:
    """The counters of one function."""

    def __init__(
        self, code: PtxCode, variable: Value, sites: dict[tuple[int, bool], list[Site]], adds_at_once: bool
    ) -> None:
        self._code: Final = code
        self._variable: Final = variable
        self._sites: Final = sites
        self._adds_at_once: Final = adds_at_once
        self._own: Final[dict[int, Value]] = {}

    # -- places ------------------------------------------------------------------------------------------------

    def enter(self, place: int) -> None:
        """Count the warp that comes to the block that begins with this step."""
        for site in self._sites.get((place, True), ()):
            self._add(site.first, self._call("warp", ty.I32))
            self._add(site.first + 1, i32(1))

    def branch(self, place: int, taken: Value) -> None:
        """Count a guarded branch."""
        for site in self._sites.get((place, False), ()):
            if site.kind == "branch":
                self._add(site.first, self._call("divergent", ty.I32, taken))

    def access(self, place: int) -> None:
        """Count an access that is about to be made."""
        for site in self._sites.get((place, False), ()):
            if site.kind == "copy":
                to, from_, *_ = self._code.step.instruction.operands
                self._global(site, site.first, self._address(from_, "global"))
                self._shared(site, site.first + 3, self._address(to, "shared"))
            elif site.kind != "branch":
                self._access(site)

    def _access(self, site: Site) -> None:
        instruction = self._code.step.instruction
        operand = instruction.operands[_INDEX[instruction.name]]
        space = site.kind.partition(" ")[0]
        address = self._address(operand, "" if space == "generic" else space)
        if space == "generic":
            pointer = self._code.build.cast("inttoptr", address, ty.PTR)
            is_shared = self._code.intrinsic("nvvm.isspacep.shared", ty.I1, pointer)
            self._where(is_shared, lambda: self._shared(site, site.first + 3, address))
            outside = self._code.build.binary("xor", is_shared, int_constant(ty.I1, 1))
            self._where(outside, lambda: self._global(site, site.first, address))
        elif space == "shared":
            self._shared(site, site.first, address)
        else:
            self._global(site, site.first, address)
        if site.kind.endswith("atomic"):
            self._add(site.first + len(site.counters) - 1, self._call("repeats", ty.I32, address, i32(site.size)))

    def _global(self, site: Site, first: int, address: Value) -> None:
        size = i32(site.size)
        self._add(first, self._call("warp", ty.I32))
        self._add(first + 1, self._call("sectors", ty.I32, address, size))
        self._add(first + 2, self._call("ideal_sectors", ty.I32, size))

    def _shared(self, site: Site, first: int, address: Value) -> None:
        size = i32(site.size)
        self._add(first, self._call("warp", ty.I32))
        self._add(first + 1, self._call("wavefronts", ty.I32, address, size))
        self._add(first + 2, self._call("ideal_wavefronts", ty.I32, size))

    def leave(self) -> None:
        """Add what the threads have counted, at the end of the kernel."""
        for number, own in self._own.items():
            counted = self._code.build.load(ty.I32, own, align=4)
            self._call("add", ty.VOID, self._counter(number), counted)

    # -- code --------------------------------------------------------------------------------------------------

    def _where(self, condition: Value, count: Callable[[], None]) -> None:
        """Count only the lanes for which a condition holds."""
        code = self._code
        inside, after = code.new_block("counted", 1), code.new_block("after", 2)
        code.branch_if(condition, inside, after)
        code.build.block = inside
        count()
        code.branch(after)
        code.build.block = after

    def _address(self, operand: Operand, space: str) -> Value:
        return self._code.build.cast("ptrtoint", self._code.pointer(operand, space), ty.I64)

    def _counter(self, number: int) -> Value:
        made = Made("getelementptr", ty.PTR, (self._variable, i64(number)), source_type=ty.I64)
        return self._code.build.emit(made)

    def _add(self, number: int, counted: Value) -> None:
        if self._adds_at_once:
            self._call("add", ty.VOID, self._counter(number), counted)
            return
        own = self._own.get(number)
        if own is None:
            own = self._own[number] = self._code.entry.alloca(ty.I32, align=4)
            self._code.entry.store(i32(0), own, align=4)
        build = self._code.build
        build.store(build.binary("add", build.load(ty.I32, own, align=4), counted), own, align=4)

    def _call(self, name: str, result: Type, *arguments: Value) -> Value:
        type_ = ty.function(result, tuple(argument.type for argument in arguments))
        function = self._code.symbols.module.declare(f"{PREFIX}{name}", type_)
        return self._code.build.call_function(function, arguments)
