# SPDX-License-Identifier: Apache-2.0
"""The shapes of a work-item's ids under a plan, and the divergence of its code that follows from them."""

from __future__ import annotations

from typing import Final, final

from lanewise.analysis.divergence import Divergence
from lanewise.analysis.flow import Flow
from lanewise.analysis.shapes import EXACT, VARYING, Shape, normal
from lanewise.ir.function import Block
from lanewise.ir.layout import NamedTypes
from lanewise.ir.values import Constant, Value
from lanewise.workgroup.items.item_code import ItemCode
from lanewise.workgroup.lanes.analysis.plan import Plan


def flow_of(item: ItemCode) -> Flow:
    """The control flow of a work-item's code."""
    return Flow(item.first, item.last, lambda block: list(dict.fromkeys(block.successors)) or [item.last])


@final
class RegionAnalyses:
    """The divergence of a work-item's code, analysed once for each plan that it is asked for."""

    def __init__(self, item: ItemCode, types: NamedTypes) -> None:
        self._item: Final = item
        self._types: Final = types
        self._known: Final[dict[tuple[Plan, frozenset[Block], Shape | None], Divergence]] = {}
        self._flow: Flow | None = None

    def flow(self) -> Flow:
        """The control flow of the code."""
        if self._flow is None:
            item = self._item
            self._flow = Flow(item.first, item.last, lambda block: list(dict.fromkeys(block.successors)) or [item.last])
        return self._flow

    def under(self, plan: Plan, checks: frozenset[Block] = frozenset(), masked: Shape | None = None) -> Divergence:
        """The divergence in units of `plan`. `checks`: branches on which all work-items are taken to agree. `masked`:
        the shape of the mask that the code starts with, if there is one."""
        key = (plan, checks, masked)
        found = self._known.get(key)
        if found is None:
            shapes = _shapes(self._item, plan)
            found = self._known[key] = Divergence(self.flow(), shapes, plan.extent, self._types, checks, masked)
        return found

    def forget(self) -> None:
        """Analyse anew from now on, since the code has changed."""
        self._known.clear()
        self._flow = None


def _shapes(item: ItemCode, plan: Plan) -> dict[Value, Shape]:
    extent = plan.extent
    found: dict[Value, Shape] = {}
    if plan.axis == "linear":
        is_line = item.size.known is not None and sum(size > 1 for size in item.size.known) <= 1
        ids = Shape(1, 0, extent.lanes, EXACT, extent.lanes)
        found[item.ids.linear] = ids
        for index in item.indices:
            if index is not None:
                found[index] = ids if is_line else VARYING
    else:
        beside = plan.axis == "x"
        shapes = (
            Shape(1, 0, extent.lanes if beside else 0, EXACT, extent.lanes),
            Shape(0, 1, 0 if beside else extent.rows),
            Shape(0),
        )
        for index, shape in zip(item.indices, shapes, strict=True):
            if index is not None:
                found[index] = shape
    return {value: normal(shape, extent) for value, shape in found.items() if not isinstance(value, Constant)}
