# SPDX-License-Identifier: Apache-2.0
"""Regions with exchanges: their work-items are to run in step, a warp at a time, as a GPU runs them.

A loop over work-items keeps no warp in step. So regions with an exchange become lanes in code for any local size, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lanewise.analysis.exchanges import Exchanges
from lanewise.analysis.uniformity import Uniformity, uniformity
from lanewise.ir.function import Function
from lanewise.ir.types import Type
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.regions.cuts import MIN_WIDTH, find_cuts
from lanewise.workgroup.regions.regions import Region, RegionGraph

EXCHANGE: Final = "work-items exchange values in shared memory without a barrier"


def regions_in_step(
    graph: RegionGraph, facts: Uniformity, block: Extent | None, types: Mapping[str, Type | None]
) -> frozenset[Region]:
    """Regions with an exchange, for a local size or (None) for any."""
    exchanges = Exchanges(graph.kernel, facts, block, types)
    return frozenset(region for region in graph if exchanges.within(region.inside) is not None)


def has_exchanges(kernel: Function, types: Mapping[str, Type | None]) -> bool:
    """Some region of a kernel has one, for some local size."""
    facts = uniformity(kernel)
    graph = RegionGraph(kernel, find_cuts(kernel, facts, MIN_WIDTH), facts.exit_edges)
    return bool(regions_in_step(graph, facts, None, types))
