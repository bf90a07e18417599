# SPDX-License-Identifier: Apache-2.0
"""Kernels of bench/gpu that a step of the GPU's pipeline changes: the same results with and without the step."""

from __future__ import annotations

import pytest
from bench.gpu.counted import counted
from bench.gpu.suite import kernel
from bench.gpu.tools import find_tools

from bench.gpu import compilers

CHANGED = {"version-by-alignment": ("gesummv", "select_arrays"), "speculate": ("hotspot",)}


@pytest.mark.parametrize(("step", "name"), [(step, name) for step, names in CHANGED.items() for name in names])
def test_results_do_not_depend_on_a_step(step: str, name: str) -> None:
    chosen = kernel(name)
    tools = find_tools(None)
    neutral = frozenset({"hide-other-kernels"})  # so that both come from the same function
    texts = [
        compilers.ptx("lanewise", chosen.source(), "sm_80", tools, neutral | more) for more in ({step}, set[str]())
    ]
    assert texts[0] != texts[1]
    without, with_it = (counted(text, chosen.launch()).arrays for text in texts)
    assert [each.tobytes() for each in without] == [each.tobytes() for each in with_it]
