# SPDX-License-Identifier: Apache-2.0
"""Counters woven into a function while it is translated, so that they count the text as it stands.

Each place that is counted becomes calls, which all active lanes of a warp make: see `ir/counters.py`. Calls of warp
operations keep LLVM from merging, copying or moving blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, final

from lanewise.frontend.ptx.counting.sites import CountedAccess, Site, distance_of, sites_of
from lanewise.ir import types as ty
from lanewise.ir.counters import COPY_BITS, COUNT, VARIABLE
from lanewise.ir.module import GlobalVariable
from lanewise.ir.values import Constant, Value, i32, int_constant

if TYPE_CHECKING:
    from lanewise.frontend.ptx.code import PtxCode
    from lanewise.ir.module import Module as KernelIr
    from lanewise.ptx.language.module import Module

_Sites = dict[int, list[Site]]
"""Sites by their first steps."""
_IDEAL: Final = ("global_ideal_sectors", "shared_ideal_wavefronts")
_COSTS: Final = ("global_sectors", "shared_wavefronts")


@final
class Counting:
    """The counters of all modules that become one."""

    def __init__(self, sources: Sequence[Module], module: KernelIr) -> None:
        sites = sites_of(sources)
        self._distance: Final = distance_of(sites)
        type_ = ty.array(self._distance << COPY_BITS, ty.I64)
        zeros = Constant(type_, "zeroinitializer")
        self._variable: Final = GlobalVariable(VARIABLE, type_, zeros, prefix=("dso_local", "global"))
        module.add(self._variable)
        self._sites: Final[dict[tuple[int, str], _Sites]] = {}
        for site in sites:
            if site.steps:
                self._sites.setdefault((site.module, site.function), {}).setdefault(site.steps[0], []).append(site)

    def of(self, code: PtxCode, number: int) -> FunctionCounters:
        """The counters of a function of the module `number` that is to be translated."""
        sites = self._sites.get((number, code.source.name), {})
        return FunctionCounters(code, self._variable, self._distance, sites)


@final
class FunctionCounters:
    """The counters of one function."""

    def __init__(self, code: PtxCode, variable: Value, distance: int, sites: _Sites) -> None:
        """`distance`: the number of counters from one copy to the next."""
        self._code: Final = code
        self._variable: Final = variable
        self._distance: Final = distance
        self._sites: Final = sites

    # -- places ------------------------------------------------------------------------------------------------

    def enter(self, place: int) -> None:
        """Count the warp that comes to the block that begins with this step."""
        for site in self._sites.get(place, ()):
            if site.kind == "block":
                for number, name in enumerate(site.counters, site.first):
                    kind, _, size = name.partition(".")
                    self._add(number, kind, int(size or 0))

    def branch(self, place: int, taken: Value) -> None:
        """Count a guarded branch."""
        for site in self._sites.get(place, ()):
            if site.kind == "branch":
                self._call("divergent", site.first, taken)

    def access(self, place: int) -> None:
        """Count an instruction that is about to be executed, by those lanes whose guard is true."""
        for site in self._sites.get(place, ()):
            if site.kind == "guard":
                self._call("lanes", site.first)
            elif site.kind == "access" and site.access is not None:
                self._count_access(site, site.access)

    def part(self, place: int, pointer: Value, size: int) -> None:
        """Count one of the accesses of an instruction that loads or stores a matrix."""
        address = self._code.build.cast("ptrtoint", pointer, ty.I64)
        for site in self._sites.get(place, ()):
            if site.kind == "matrix" and site.access is not None:
                self._count_in(site, site.access.space, size, address)

    # -- accesses ----------------------------------------------------------------------------------------------

    def _count_access(self, site: Site, access: CountedAccess) -> None:
        build = self._code.build
        address = build.cast("ptrtoint", self._code.pointer(access.address, access.space), ty.I64)
        if not access.is_of_all:
            lane = self._code.intrinsic("nvvm.read.ptx.sreg.laneid", ty.I32)
            accesses = build.compare("ult", lane, i32(access.lanes))
            self._where(accesses, lambda: self._count(site, access.size, address, ""))
        else:
            self._count_in(site, access.space, access.size, address)
        if access.is_atomic:
            self._call("repeats", site.first + site.counters.index("repeats"), address, i32(access.size))

    def _count_in(self, site: Site, space: str, size: int, address: Value) -> None:
        """Count an access of a space, or wherever a generic address leads."""
        if space:
            self._count(site, size, address, "")
            return
        pointer = self._code.build.cast("inttoptr", address, ty.PTR)
        is_shared = self._code.intrinsic("nvvm.isspacep.shared", ty.I1, pointer)
        self._where(is_shared, lambda: self._count(site, size, address, "shared"))
        elsewhere = self._code.build.binary("xor", is_shared, int_constant(ty.I1, 1))
        self._where(elsewhere, lambda: self._count(site, size, address, "global"))

    def _count(self, site: Site, size: int, address: Value, space: str) -> None:
        """Count an access in those of the site's counters that are of `space`; "": all."""
        for number, name in enumerate(site.counters, site.first):
            if name != "repeats" and name.startswith(space):
                self._add(number, name, size, address)

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

    def _add(self, number: int, name: str, size: int, address: Value | None = None) -> None:
        """Add to the counter of a name."""
        if name in _COSTS:
            assert address is not None
            self._call(name.partition("_")[2], number, address, i32(size))
        elif name in _IDEAL:
            self._call(name.partition("_")[2], number, i32(size))
        else:
            self._call("lanes" if name == "lanes" else "warps", number)

    def _call(self, kind: str, number: int, *more: Value) -> None:
        operands = (self._variable, i32(number), i32(self._distance), *more)
        type_ = ty.function(ty.VOID, tuple(operand.type for operand in operands))
        function = self._code.symbols.module.declare(f"{COUNT}{kind}", type_)
        self._code.build.call_function(function, operands)
