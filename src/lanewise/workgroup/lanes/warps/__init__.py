# SPDX-License-Identifier: Apache-2.0
"""Operations of the warp as vector code, on warps of 32 lanes in lock-step, or of 64.

    warp         the warp that code is made for, and the parts that its operations are made from
    shuffles     shfl.sync
    votes        vote, activemask
    matches      match.sync
    reductions   redux.sync
    matrices     products of matrices that a warp holds
    matrix_rows  rows of matrices that a warp loads or stores
    wide         operations of warps of 64
    waits        barriers of some warps, waits for others
    tallies      counters of what a warp does
    known_costs, cost_functions
                 sectors and wavefronts of accesses, from the shapes of addresses and from all addresses
    warp_calls, warp_values
                 their calls in a kernel, the values of a unit as one vector

Operands are scalars, if all lanes have the same, or vectors with one element per lane; so are results. The lanes that
take part in a `.sync` operation are those of its member mask that are active. The mask may itself differ from lane to
lane, as it does when the tiles of a warp come to an operation together. Each lane then gets the result of the lanes
that its own mask names.

An operation does not wait for lanes that a mask names but that are elsewhere: lanes in lock-step can't. They count as
if they had exited.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanewise.ir.builder import Builder
from lanewise.ir.counters import TALLY
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import WARP_WAITS
from lanewise.ir.matrix_products import PRODUCTS
from lanewise.ir.matrix_rows import MATRIX_ROWS
from lanewise.ir.values import Value
from lanewise.workgroup.lanes.warps.matches import match_all, match_any
from lanewise.workgroup.lanes.warps.matrices import product
from lanewise.workgroup.lanes.warps.matrix_rows import access
from lanewise.workgroup.lanes.warps.reductions import REDUCTIONS, reduction
from lanewise.workgroup.lanes.warps.shuffles import MODES, shuffle, shuffle_with_predicate
from lanewise.workgroup.lanes.warps.votes import VOTES, active_mask, vote, vote_of_all_active
from lanewise.workgroup.lanes.warps.warp import Result, Warp
from lanewise.workgroup.lanes.warps.wide import EXPANSIONS as _WIDE_EXPANSIONS
from lanewise.workgroup.lowering.floats.builder import External

_NVVM: Final = "llvm.nvvm."
_OF_MATRICES: Final = frozenset(row.symbol for row in (*PRODUCTS, *MATRIX_ROWS))
_KINDS: Final = ("i32", "f32")


def expand(
    build: Builder, call: Instruction, operands: Sequence[Value], active: Value, external: External, scratch: Value
) -> Result:
    """The result of a warp operation: a scalar if it is the same in all lanes that get it, else a vector.

    `operands` are the call's arguments, `active` (<32 x i1>, <64 x i1>) the lanes that execute it, at least one.
    `scratch` points to 256 bytes, aligned to 64, that nothing else uses meanwhile. A call whose type is a structure has
    a tuple as result, bar.warp.sync None. A lane that is not active may bring poison, and gets anything.

    KeyError if it is no operation of the warp.
    """
    warp = Warp(build, active, external, scratch)
    return _EXPANSIONS[call.callee](warp, *map(warp.determined, operands))


def is_warp_operation(call: Instruction) -> bool:
    return call.callee in _EXPANSIONS or call.callee in WARP_WAITS or call.callee.startswith(TALLY)


def mask_position(symbol: str) -> int | None:
    """The index of the argument of a warp operation that is its member mask; None if it has none."""
    if ".sync" not in symbol and symbol not in _OF_MATRICES:
        return None
    return 1 if ".redux." in symbol else 0


def _nothing(warp: Warp, mask: Value) -> None:
    """Emit bar.warp.sync, which does nothing: lanes in lock-step have met."""


_EXPANSIONS: Final[dict[str, Callable[..., Result]]] = {
    _NVVM + "bar.warp.sync": _nothing,
    _NVVM + "activemask": active_mask,
    **{f"{_NVVM}shfl.sync.{mode}.{kind}": shuffle(mode) for mode in MODES for kind in _KINDS},
    **{f"{_NVVM}shfl.sync.{mode}.{kind}p": shuffle_with_predicate(mode) for mode in MODES for kind in _KINDS},
    **{f"{_NVVM}vote.{name}.sync": vote(decide) for name, decide in VOTES.items()},
    **{f"{_NVVM}vote.{name}": vote_of_all_active(decide) for name, decide in VOTES.items()},
    **{f"{_NVVM}match.any.sync.{kind}": match_any for kind in ("i32", "i64")},
    **{f"{_NVVM}match.all.sync.{kind}p": match_all for kind in ("i32", "i64")},
    **{f"{_NVVM}redux.sync.{name}": reduction(row) for name, row in REDUCTIONS.items()},
    **{row.symbol: product(row) for row in PRODUCTS},
    **{row.symbol: access(row) for row in MATRIX_ROWS},
    **_WIDE_EXPANSIONS,
}

OPERATIONS: Final = tuple(_EXPANSIONS)
"""The names of the operations, in a fixed order."""
