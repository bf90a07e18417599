# SPDX-License-Identifier: Apache-2.0
"""Kernels of bench/gpu that a step of the GPU's pipeline changes: the same results with and without the step."""

from __future__ import annotations

import pytest
from bench.gpu.counted import counted
from bench.gpu.suite import kernel
from bench.gpu.tools import find_tools

from bench.gpu import compilers

UNASKED = (
    ("version-by-alignment", "gesummv"),
    ("version-by-alignment", "select_arrays"),
    ("hoist-address-terms", "histo"),
)


@pytest.mark.parametrize(("step", "name"), [*UNASKED, ("speculate", "hotspot")])
def test_results_do_not_depend_on_a_step(step: str, name: str) -> None:
    chosen = kernel(name)
    tools = find_tools(None)
    neutral = frozenset({"hide-other-kernels"})  # so that both come from the same function
    with_it = compilers.ptx("lanewise", chosen.source(), "sm_80", tools, neutral, frozenset({step}))
    without = compilers.ptx("lanewise", chosen.source(), "sm_80", tools, neutral | {step})
    assert with_it != without
    one, other = (counted(text, chosen.launch()).arrays for text in (with_it, without))
    assert [each.tobytes() for each in one] == [each.tobytes() for each in other]
