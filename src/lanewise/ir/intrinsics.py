# SPDX-License-Identifier: Apache-2.0
"""The table of intrinsics: the `llvm.*` functions that have a meaning in the kernel IR.

One row serves all types of an overloaded intrinsic: the row of `llvm.fma.v4f32` is `llvm.fma`. An intrinsic
without a row is unknown to every pass: it may read and write anything, varies, and is not moved. Back ends refuse it
by name.

Sources: LLVM Language Reference, "Intrinsic Functions"; LLVM "User Guide for NVPTX Back-end"; least sm and PTX
version from the PTX ISA manual, clause "Target ISA Notes" and "PTX ISA Notes" of each instruction.
"""

import re
from typing import Final, NamedTuple

from lanewise.ir.counters import KINDS, TALLY
from lanewise.ir.matrix_products import PRODUCTS
from lanewise.ir.matrix_rows import MATRIX_ROWS
from lanewise.ir.ops import Divergence
from lanewise.ir.types import Type


class Intrinsic(NamedTuple):
    """Facts that all calls of an intrinsic share."""

    name: str
    divergence: Divergence
    members: int | None = None
    """Number of the argument that is the mask of the members of a warp that take part; None: the hardware knows."""
    reads: bool = False
    writes: bool = False
    convergent: bool = False
    """May not be made control dependent on more conditions than the source says, nor be copied."""
    ends: bool = False
    """May not return: it ends the work-item or the program."""
    ignorable: bool = False
    """Means nothing to execution: a hint, a marker, an assumption."""
    sm: int = 50
    """Least target, times ten: 80 is sm_80."""
    ptx: int = 40
    """Least PTX ISA version, times ten."""


def _sreg(name: str, divergence: Divergence, sm: int = 50, ptx: int = 40) -> Intrinsic:
    return Intrinsic("llvm.nvvm.read.ptx.sreg." + name, divergence, sm=sm, ptx=ptx)


def _pure(*names: str) -> tuple[Intrinsic, ...]:
    return tuple(Intrinsic("llvm." + name, "operands") for name in names)


def _marker(*names: str) -> tuple[Intrinsic, ...]:
    return tuple(Intrinsic("llvm." + name, "operands", ignorable=True) for name in names)


def _warp(
    *names: str, divergence: Divergence = "varying", members: int | None = None, sm: int = 50, ptx: int = 60
) -> tuple[Intrinsic, ...]:
    return tuple(
        Intrinsic("llvm.nvvm." + name, divergence, members, reads=True, writes=True, convergent=True, sm=sm, ptx=ptx)
        for name in names
    )


def _wide(*names: str, divergence: Divergence, members: int | None = None) -> tuple[Intrinsic, ...]:
    return tuple(
        Intrinsic(WIDE + name, divergence, members, reads=True, writes=True, convergent=True) for name in names
    )


def _barrier(*names: str) -> tuple[Intrinsic, ...]:
    return _warp(*names, divergence="uniform", ptx=40)


WIDE: Final = "lw.wide."
"""Start of the names of operations among 64 work-items in linear order, a warp of twice the usual size. Member masks
have 64 bits. A kernel with any has no other operations of a warp. PTX has no such warps."""

_AXES: Final = ("x", "y", "z")

_ROUNDINGS: Final = ("rn", "rz", "rm", "rp")
"""To nearest, towards zero, down, up."""

_ROWS: Final = (
    # -- place of a work-item
    *(_sreg(f"tid.{axis}", "varying") for axis in _AXES),
    *(_sreg(f"{name}.{axis}", "uniform") for name in ("ntid", "ctaid", "nctaid") for axis in _AXES),
    _sreg("laneid", "varying"),
    _sreg("warpid", "varying"),
    _sreg("nwarpid", "uniform"),
    _sreg("warpsize", "uniform"),
    _sreg("smid", "uniform"),
    _sreg("nsmid", "uniform"),
    _sreg("gridid", "uniform"),
    *(_sreg(f"lanemask.{relation}", "varying") for relation in ("eq", "le", "lt", "ge", "gt")),
    *(
        Intrinsic("llvm.nvvm.read.ptx.sreg." + name, "varying", reads=True, writes=True)
        for name in ("clock", "clock64", "globaltimer")
    ),
    # -- barriers of the work-group
    *_barrier("barrier0", "barrier.cta.sync.aligned.all", "barrier.cta.sync.all"),
    *_barrier("barrier0.popc", "barrier0.and", "barrier0.or"),
    *_barrier(
        "barrier.cta.red.popc.aligned.all",
        "barrier.cta.red.and.aligned.all",
        "barrier.cta.red.or.aligned.all",
    ),
    # -- barriers that may be of some warps of the work-group: (number, work-items or 0 for all[, predicate])
    *_warp(
        *(f"barrier.cta.{kind}{form}.count" for kind in ("sync", "arrive") for form in (".aligned", "")),
        *(f"barrier.cta.red.{kind}{form}.count" for kind in ("popc", "and", "or") for form in (".aligned", "")),
        divergence="warp",
        ptx=40,
    ),
    # -- a turn of a loop that waits for other warps of the work-group
    Intrinsic("__lw_await_warps", "warp", reads=True, writes=True, convergent=True),
    # -- fences
    *(Intrinsic("llvm.nvvm.membar." + scope, "uniform", reads=True, writes=True) for scope in ("cta", "gl", "sys")),
    # -- operations of the warp
    *_warp("bar.warp.sync"),
    *_warp(*(f"shfl.sync.{mode}.{kind}" for mode in ("up", "down", "bfly", "idx") for kind in ("i32", "f32"))),
    *_warp(*(f"shfl.sync.{mode}.{kind}p" for mode in ("up", "down", "bfly", "idx") for kind in ("i32", "f32"))),
    *_warp(*(f"vote.{kind}.sync" for kind in ("all", "any", "uni", "ballot")), divergence="warp", members=0),
    *_warp(*(f"vote.{kind}" for kind in ("all", "any", "uni", "ballot")), divergence="warp"),
    *_warp(*(f"match.any.sync.{kind}" for kind in ("i32", "i64")), sm=70),
    *_warp(*(f"match.all.sync.{kind}p" for kind in ("i32", "i64")), sm=70),
    *_warp(
        *(f"redux.sync.{kind}" for kind in ("add", "umin", "umax", "min", "max", "and", "or", "xor")),
        divergence="warp",
        members=1,
        sm=80,
        ptx=70,
    ),
    *_warp("activemask", divergence="warp", ptx=62),
    # -- operations of a warp of 64: who is active, (mask, predicate), (mask), (mask, value, number of the other lane)
    *_wide("active", divergence="warp"),
    *_wide("ballot.sync", divergence="warp", members=0),
    *_wide("barrier.sync", *(f"{mode}.sync" for mode in ("up", "down", "across", "lane")), divergence="varying"),
    # -- counters of what a warp does: see `ir/counters.py`
    *(Intrinsic(f"{TALLY}{kind}", "warp", reads=True, writes=True, convergent=True) for kind in KINDS),
    # -- products of matrices that a warp holds
    *(Intrinsic(row.symbol, "varying", reads=True, writes=True, convergent=True) for row in PRODUCTS),
    # -- rows of matrices that a warp loads or stores
    *(Intrinsic(row.symbol, "varying", reads=True, writes=True, convergent=True) for row in MATRIX_ROWS),
    # -- memory
    Intrinsic("llvm.memcpy", "operands", reads=True, writes=True),
    Intrinsic("llvm.memcpy.inline", "operands", reads=True, writes=True),
    Intrinsic("llvm.memmove", "operands", reads=True, writes=True),
    Intrinsic("llvm.memset", "operands", writes=True),
    Intrinsic("llvm.memset.inline", "operands", writes=True),
    Intrinsic("llvm.masked.load", "operands", reads=True),
    Intrinsic("llvm.masked.store", "operands", writes=True),
    Intrinsic("llvm.nvvm.ldg.global.i", "operands", reads=True),
    Intrinsic("llvm.nvvm.ldg.global.f", "operands", reads=True),
    Intrinsic("llvm.nvvm.ldg.global.p", "operands", reads=True),
    Intrinsic("llvm.nvvm.ldu.global.i", "operands", reads=True),
    Intrinsic("llvm.nvvm.ldu.global.f", "operands", reads=True),
    *(Intrinsic("llvm.nvvm.isspacep." + space, "operands") for space in ("global", "shared", "local", "const")),
    Intrinsic("llvm.nvvm.texsurf.handle.internal", "operands", reads=True),
    Intrinsic("llvm.stacksave", "varying", writes=True),
    Intrinsic("llvm.stackrestore", "varying", writes=True),
    # -- the report of a check: see `checks/fault.py`
    Intrinsic("__lw_check_fault", "uniform", writes=True),
    Intrinsic("__lw_check_shared", "uniform", writes=True),
    Intrinsic("__lw_check_meeting", "uniform", writes=True),
    Intrinsic("__lw_check_global", "uniform", writes=True),
    Intrinsic("__lw_memory_start", "operands"),
    Intrinsic("__lw_memory_bytes", "operands"),
    # -- the end of a work-item, or of all
    Intrinsic("llvm.trap", "uniform", writes=True, ends=True),
    Intrinsic("llvm.debugtrap", "uniform", writes=True),
    Intrinsic("llvm.nvvm.exit", "uniform", writes=True, ends=True),
    Intrinsic("llvm.nvvm.nanosleep", "uniform", reads=True, writes=True, sm=70, ptx=63),
    # -- arithmetic
    *_pure("abs", "smin", "smax", "umin", "umax", "bitreverse", "bswap", "ctpop", "ctlz", "cttz", "fshl", "fshr"),
    *_pure("sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "sshl.sat", "ushl.sat", "scmp", "ucmp"),
    *_pure(*(f"{sign}{op}.with.overflow" for sign in "su" for op in ("add", "sub", "mul"))),
    *_pure("fabs", "copysign", "sqrt", "fma", "fmuladd", "floor", "ceil", "trunc", "rint", "nearbyint", "round"),
    *_pure("roundeven", "minnum", "maxnum", "minimum", "maximum", "minimumnum", "maximumnum", "canonicalize"),
    *_pure("is.fpclass", "fptosi.sat", "fptoui.sat", "ldexp", "frexp", "ptrmask", "lround", "llround", "lrint"),
    *_pure("llrint", "sin", "cos", "tan", "exp", "exp2", "exp10", "log", "log2", "log10", "pow", "powi"),
    *_pure(*(f"vector.reduce.{op}" for op in ("add", "mul", "and", "or", "xor", "smin", "smax", "umin", "umax"))),
    *_pure("vector.reduce.fadd", "vector.reduce.fmul", "vector.reduce.fmin", "vector.reduce.fmax"),
    *_pure(
        *(
            f"nvvm.{op}.{mode}.{kind}"
            for op in ("add", "mul", "div", "rcp", "sqrt", "fma")
            for mode in _ROUNDINGS
            for kind in "fd"
        )
    ),
    *_pure(*(f"nvvm.{f}2{i}.{mode}" for f in "fd" for i in ("i", "ui", "ll", "ull") for mode in _ROUNDINGS)),
    *_pure(*(f"nvvm.{i}2{f}.{mode}" for f in "fd" for i in ("i", "ui", "ll", "ull") for mode in _ROUNDINGS)),
    *_pure(*(f"nvvm.d2f.{mode}" for mode in _ROUNDINGS)),
    *_pure(*(f"nvvm.{op}.approx.f" for op in ("sin", "cos", "lg2", "div", "sqrt", "rsqrt"))),
    *_pure("nvvm.ex2.approx", "nvvm.saturate.f", "nvvm.saturate.d"),
    *_pure(*(f"nvvm.{op}.approx.ftz.f" for op in ("lg2", "rcp", "sqrt", "rsqrt")), "nvvm.ex2.approx.ftz"),
    *_pure("nvvm.rcp.approx.ftz.d"),
    *_pure("nvvm.prmt", "nvvm.mulhi.i", "nvvm.mulhi.ui", "nvvm.mulhi.ll", "nvvm.mulhi.ull"),
    *_pure(
        "expect",
        "expect.with.probability",
        "launder.invariant.group",
        "strip.invariant.group",
        "is.constant",
        "objectsize",
    ),
    *_pure("threadlocal.address", "ssa.copy", "nvvm.reflect"),
    # -- markers
    *_marker("assume", "lifetime.start", "lifetime.end", "invariant.start", "invariant.end", "donothing"),
    *_marker("sideeffect", "experimental.noalias.scope.decl", "dbg.declare", "dbg.value", "dbg.label", "prefetch"),
    *_marker("dbg.assign", "fake.use", "var.annotation", "pseudoprobe"),
)

INTRINSICS: Final = {row.name: row for row in _ROWS}

_SPELLS_TYPE: Final = re.compile(r"(?:nxv\d+|v\d+)?(?:i\d+|bf16|f\d+|p\d+|a\d+\w+|sl?_\w+)").fullmatch
"""Pattern of a type in the name of an overloaded intrinsic: i32, v4f32, p1, a4i8, sl_i32i1s."""

CHECK_FAULT: Final = "__lw_check_fault"
"""(report, number of the place, what was wrong, a number): tells of a fault of a checked kernel. A defined function,
which devices may do otherwise."""

CHECK_SHARED: Final = "__lw_check_shared"
"""(report, number of the place, address, offset in the array, size, flags, value, barriers, operations of the warp):
looks whether an access to shared memory races with another one. The runtime core has it; other devices do nothing."""

CHECK_GLOBAL: Final = "__lw_check_global"
"""The same for global memory."""

MEMORY_START: Final = "__lw_memory_start"
"""(address): the start of the allocation that an address is in, as an i64; the address itself if none is known. The
runtime core knows allocations; for other devices it is a function that knows none."""

MEMORY_BYTES: Final = "__lw_memory_bytes"
"""(address): the size of that allocation in bytes, an i64: 0 if it has been freed, `UNKNOWN_BYTES` if none is known."""

UNKNOWN_BYTES: Final = 1 << 62

CHECK_MEETING: Final = "__lw_check_meeting"
"""(report, number of the place, flags, mask, count): tells that a work-item waits at a barrier, takes part in an
operation of its warp, or ends. The runtime core and the reference device have it; other devices do nothing."""

AWAIT_WARPS: Final = "__lw_await_warps"
"""A turn of a loop that waits for other warps of the work-group."""

PARTIAL_BARRIERS: Final = frozenset(
    row.name for row in _ROWS if row.name.startswith("llvm.nvvm.barrier") and row.name.endswith(".count")
)
"""Barriers that some warps of the work-group meet at, or arrive at without waiting."""

WARP_WAITS: Final = PARTIAL_BARRIERS | {AWAIT_WARPS}
"""Operations at which a warp may wait for others, that go on meanwhile."""

BARRIERS: Final = frozenset(row.name for row in _ROWS if row.name.startswith("llvm.nvvm.barrier")) - PARTIAL_BARRIERS
"""Barriers of the whole work-group, with and without a reduction."""

EXCHANGES: Final = frozenset(row.name for row in _ROWS if row.convergent) - BARRIERS - WARP_WAITS
"""Operations of a warp: lanes exchange values, or load and store rows of a matrix together."""


def is_wide(symbol: str) -> bool:
    """Return whether a function is an operation of a warp of 64."""
    return symbol.startswith(WIDE)


def intrinsic_of(symbol: str) -> Intrinsic | None:
    """The row of `llvm.fma.v4f32` and the like: suffixes that spell types are taken off until a row is found."""
    name = symbol
    while (row := INTRINSICS.get(name)) is None:
        name, _, suffix = name.rpartition(".")
        if not name or not _SPELLS_TYPE(suffix):
            return None
    return row


def spelled(type_: Type) -> str:
    """The spelling of a number or a vector of numbers in the name of an overloaded intrinsic: f32, v4i16."""
    scalar = type_.scalar
    word = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}.get(scalar.kind, f"i{scalar.bits}")
    return f"{'nx' if type_.scalable else ''}v{type_.count}{word}" if type_.is_vector else word
