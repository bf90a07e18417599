# SPDX-License-Identifier: Apache-2.0
"""Those who are compared, each as its process sees it: `open_peer(name)` imports what it needs and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple, Protocol

from ..order import Order
from ..problem import Array


class Prepared(NamedTuple):
    """A compiled kernel, bound to its data."""

    launch: Callable[[], object]
    """Launches it and waits until it is done."""
    results: Callable[[], list[Array]]
    put_back: Callable[[], object] = lambda: None
    """Comes before each launch, and is not timed."""
    is_settled: Callable[[], bool] = lambda: True
    """False while launches still decide how later ones run."""


class Peer(Protocol):
    version: str

    def prepare(self, order: Order) -> Prepared: ...


def open_peer(name: str) -> Peer:
    """The peer of that name: `lanewise`, `lanewise:MAPPING`, `intel`, `pocl` or `numba`."""
    module, _, mapping = name.partition(":")
    if module in ("intel", "pocl"):
        return import_module("bench.cpu.peers.opencl").OpenCl(module)
    if module == "numba":
        return import_module("bench.cpu.peers.loops").Loops()
    return import_module("bench.cpu.peers.ours").Lanewise(mapping)
