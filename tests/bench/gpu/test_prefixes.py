# SPDX-License-Identifier: Apache-2.0
"""Kernels of bench/gpu after each step of the GPU's pipeline: PTX of what there is by then gives the same results."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from bench.gpu.counted import counted
from bench.gpu.suite import HELD_OUT, SUITE, kernel
from bench.gpu.tools import Tools
from tests.sampling import EVERY_SHAPE, day

from bench.gpu import compilers
from lanewise.pipelines.gpu import GPU
from lanewise.pipelines.step import names

_NAMES = [each.name for each in (*SUITE, *HELD_OUT) if each.name != "compaction"]  # whose order is that of atomics
_ROUNDS = 4  # of a day per kernel, until PTX after each step has run
_NONE = Tools(None, None, None, ())


def _chosen() -> list[str]:
    """One kernel a day: it is compiled a few times and run as often as its PTX changes."""
    return _NAMES if EVERY_SHAPE else [_NAMES[day() % len(_NAMES)]]


def _after_each_step(source: str) -> Iterator[tuple[str, str]]:
    """The steps that may be left out, those that wait to be asked for among them, each with the PTX without the steps
    after it: the first, the last and a few others a day."""
    steps = [name for name in names(GPU) if name in compilers.left_out()]
    for number, name in enumerate(steps):
        if not EVERY_SHAPE and 0 < number < len(steps) - 1 and (number + day() // len(_NAMES)) % _ROUNDS:
            continue
        later = frozenset(steps[number + 1 :])
        yield name, compilers.ptx("lanewise", source, "sm_80", _NONE, later, frozenset(steps) - later)


@pytest.mark.parametrize("name", _chosen())
def test_results_are_the_same_after_each_step(name: str) -> None:
    chosen = kernel(name)
    found: dict[str, list[bytes]] = {}
    for step, ptx in _after_each_step(chosen.source()):
        if ptx not in found:
            found[ptx] = [each.tobytes() for each in counted(ptx, chosen.launch()).arrays]
        assert found[ptx] == next(iter(found.values())), f"after {step}"
