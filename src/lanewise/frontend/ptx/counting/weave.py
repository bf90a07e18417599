# SPDX-License-Identifier: Apache-2.0
"""Counters woven into a function while it is translated, so that they count the text as it stands.

Each lane of a warp keeps numbers of its own in registers, and adds them to the module's counters at the end of the
kernel. Only one lane has a warp's number, the others have 0, see `source/warp_counts.c`. A function that is called adds
its numbers at once, since its caller's end may never come: `exit` ends the thread.

Calls of warp operations keep LLVM from merging, copying or moving blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, final

from lanewise.frontend.ptx.counting.library import PREFIX
from lanewise.frontend.ptx.counting.sites import (
    COPY_BITS,
    SYMBOL,
    CountedAccess,
    Site,
    distance_of,
    exits_in_functions,
    sites_of,
)
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction as Made
from lanewise.ir.module import GlobalVariable
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i32, i64, int_constant

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode
    from lanewise.ir.module import Module as KernelIr
    from lanewise.ptx.language.module import Module

_Sites = dict[int, list[Site]]
"""Sites by their first steps."""
_SPREAD: Final = i32(0x9E3779B1 - (1 << 32))
"""2 to the power of 32 over the golden ratio, odd. The upper bits of a block's number times it differ for blocks that
are next to each other, and for those at the same place of equal shares of the grid: workers run either side by side.
Source: Knuth, The Art of Computer Programming, volume 3, 6.4, multiplicative hashing."""


@final
class Counting:
    """The counters of all modules that become one."""

    def __init__(self, sources: Sequence[Module], module: KernelIr) -> None:
        sites = sites_of(sources)
        self._distance: Final = distance_of(sites)
        type_ = ty.array(self._distance << COPY_BITS, ty.I64)
        zeros = Constant(type_, "zeroinitializer")
        self._variable: Final = GlobalVariable(SYMBOL, type_, zeros, prefix=("dso_local", "global"))
        module.add(self._variable)
        self._sites: Final[dict[tuple[int, str], _Sites]] = {}
        for site in sites:
            if site.steps:
                self._sites.setdefault((site.module, site.function), {}).setdefault(site.steps[0], []).append(site)
        self._at_once: Final = any(map(exits_in_functions, sources))

    def of(self, code: PtxCode, number: int) -> FunctionCounters:
        """The counters of a function of the module `number` that is to be translated."""
        adds_at_once = self._at_once or not code.function.is_kernel
        sites = self._sites.get((number, code.source.name), {})
        return FunctionCounters(code, self._variable, self._distance, sites, adds_at_once)


@final
class FunctionCounters:
    """The counters of one function."""

    def __init__(self, code: PtxCode, variable: Value, distance: int, sites: _Sites, adds_at_once: bool) -> None:
        """`distance`: the number of counters from one copy to the next."""
        self._code: Final = code
        self._variable: Final = variable
        self._distance: Final = distance
        self._sites: Final = sites
        self._adds_at_once: Final = adds_at_once
        self._own: Final[dict[int, Value]] = {}

    # -- places ------------------------------------------------------------------------------------------------

    def enter(self, place: int) -> None:
        """Count the warp that comes to the block that begins with this step."""
        for site in self._sites.get(place, ()):
            if site.kind == "block":
                for number, name in enumerate(site.counters, site.first):
                    kind, _, size = name.partition(".")
                    self._add(number, self._number(kind, int(size or 0)))

    def branch(self, place: int, taken: Value) -> None:
        """Count a guarded branch."""
        for site in self._sites.get(place, ()):
            if site.kind == "branch":
                self._add(site.first, self._call("divergent", ty.I32, taken))

    def access(self, place: int) -> None:
        """Count an instruction that is about to be executed, by those lanes whose guard is true."""
        for site in self._sites.get(place, ()):
            if site.kind == "guard":
                self._add(site.first, i32(1))
            elif site.access is not None:
                self._count_access(site, site.access)

    def leave(self) -> None:
        """Add what the threads have counted, at the end of the kernel."""
        for number, own in self._own.items():
            counted = self._code.build.load(ty.I32, own, align=4)
            self._call("add", ty.VOID, self._counter(number), counted)

    # -- accesses ----------------------------------------------------------------------------------------------

    def _count_access(self, site: Site, access: CountedAccess) -> None:
        build = self._code.build
        address = build.cast("ptrtoint", self._code.pointer(access.address, access.space), ty.I64)
        if access.space:
            self._count(site, access.size, address, "")
        else:
            pointer = build.cast("inttoptr", address, ty.PTR)
            is_shared = self._code.intrinsic("nvvm.isspacep.shared", ty.I1, pointer)
            self._where(is_shared, lambda: self._count(site, access.size, address, "shared"))
            elsewhere = self._code.build.binary("xor", is_shared, int_constant(ty.I1, 1))
            self._where(elsewhere, lambda: self._count(site, access.size, address, "global"))
        if access.is_atomic:
            repeats = self._call("repeats", ty.I32, address, i32(access.size))
            self._add(site.first + site.counters.index("repeats"), repeats)

    def _count(self, site: Site, size: int, address: Value, space: str) -> None:
        """Count an access in those of the site's counters that are of `space`; "": all."""
        for number, name in enumerate(site.counters, site.first):
            if name != "repeats" and name.startswith(space):
                self._add(number, self._number(name, size, address))

    def _number(self, name: str, size: int, address: Value | None = None) -> Value:
        """The number to add to a counter."""
        match name:
            case "lanes":
                return i32(1)
            case "global_sectors" | "shared_wavefronts":
                assert address is not None
                return self._call(name.partition("_")[2], ty.I32, address, i32(size))
            case "global_ideal_sectors" | "shared_ideal_wavefronts":
                return self._call(name.partition("_")[2], ty.I32, i32(size))
            case _:
                return self._call("warp", ty.I32)

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

    def _counter(self, number: int) -> Value:
        build = self._code.build
        x, y, z = (self._code.intrinsic(f"nvvm.read.ptx.sreg.ctaid.{axis}", ty.I32) for axis in "xyz")
        block = build.binary("add", build.binary("add", x, y), z)
        copy = build.binary("lshr", build.binary("mul", block, _SPREAD), i32(ty.I32.bits - COPY_BITS))
        first = build.binary("mul", build.cast("zext", copy, ty.I64), i64(self._distance))
        index = build.binary("add", first, i64(number))
        return build.emit(Made("getelementptr", ty.PTR, (self._variable, index), source_type=ty.I64))

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
