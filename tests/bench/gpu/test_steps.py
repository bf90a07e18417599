# SPDX-License-Identifier: Apache-2.0
"""Kernels of bench/gpu that a step of the GPU's pipeline changes: the same results with and without the step, and the
same code with and without lines."""

from __future__ import annotations

import re

import pytest
from bench.gpu.counted import counted
from bench.gpu.suite import kernel
from bench.gpu.tools import find_tools

import lanewise as lw
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


@pytest.mark.parametrize("name", ["fft", "sad"])
def test_lines_change_no_instruction(name: str) -> None:
    """Records of variables made a loop of fft too long for hoist-address-terms, and were users of a sum in sad."""
    source = kernel(name).source()
    without, with_lines = (
        lw.compile(source, language="cuda", options=options).ptx("sm_80") for options in ([], ["-lineinfo"])
    )
    assert ".loc" in with_lines
    assert _instructions(with_lines) == _instructions(without)


def _instructions(ptx: str) -> list[str]:
    """The lines of PTX that are instructions, or declare registers."""
    return re.findall(r"^\t(?:@|[a-z{]|\.reg|\.pragma).*", ptx, re.MULTILINE)
