# SPDX-License-Identifier: Apache-2.0
"""The ablation of bench/gpu: what is left out, its tables and charts, and LLVM's own values of switches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.gpu.ablation import GROUPS, as_json, cumulative, effects, from_json, parts, settings, tables
from bench.gpu.compilers import check_steps, ptx
from bench.gpu.llvms_own import SWITCHES
from bench.gpu.suite import kernel
from bench.gpu.tools import Tools

from lanewise.errors import Error

_NONE = Tools(None, None, None, ())
_LOOP = """__global__ void k(float *out, const float *a, int n) {
    for (int i = 0; i < n; i++) out[threadIdx.x] += a[i] * a[i + 1] + a[i + 2] * a[i + 3] + a[i + 4] * a[i + 5];
}"""


def _counts():
    """100 and 50 instructions, 60 where the first part of the second group is left out."""
    counts = {without: {"md": 100, "rope": 50} for without in settings()}
    for without in counts:
        if _part() in without:
            counts[without]["rope"] = 60
    return counts


def _part() -> str:
    return next(iter(list(GROUPS.values())[1]))


def test_each_part_is_left_out_alone_and_belongs_to_one_group():
    everything = [part for group in GROUPS.values() for part in group]
    assert sorted(everything) == sorted(parts())
    assert "step-pointers" in parts()
    assert "optimise" not in parts()
    assert settings()[0] == frozenset()
    assert {frozenset({part}) for part in parts()} | {frozenset(parts())} <= set(settings())


def test_the_effect_of_a_part_is_what_its_absence_costs():
    assert effects(_counts())[_part()] == {"md": 1.0, "rope": 1.2}
    first, second, *_ = cumulative(_counts()).values()
    assert first == {"md": 1.0, "rope": 1.0}
    assert second == {"md": 1.0, "rope": 1.2}


def test_tables_tell_kernels_that_gain_and_lose():
    lines = list(tables(_counts()))
    assert f"| `{_part()}` | 1 | 1 | 0 | 0.0 | 20.0 | 1.095 | `rope` |" in lines
    assert f"| `{parts()[-1]}` | 0 | 2 | 0 | 0.0 | 0.0 | 1.000 |  |" in lines
    assert lines[-1].startswith(f"| {list(GROUPS)[-1]} | ")
    assert lines[-1].endswith(" | 1.095 | 1.200 of 1 |")


def test_counts_survive_a_file_and_those_of_another_pipeline_are_refused():
    data = json.loads(json.dumps(as_json(_counts())))
    assert from_json(data) == _counts()
    with pytest.raises(Error, match="the pipeline was another one"):
        from_json(data[:-1])


def test_charts_are_drawn(tmp_path: Path):
    pytest.importorskip("matplotlib", reason="charts are drawn by matplotlib")
    from bench.gpu.ablation_chart import draw_groups, draw_parts

    for number, draw in enumerate((draw_groups, draw_parts)):
        draw(_counts(), tmp_path / f"{number}.png")
        assert (tmp_path / f"{number}.png").read_bytes().startswith(b"\x89PNG")


def test_a_switch_is_llvms_own_for_one_compilation_alone():
    before, without, after = (
        ptx("lanewise", _LOOP, "sm_80", _NONE, frozenset(parts)).count("ld.global")
        for parts in (["keep-debug-directives"], ["unroll-threshold-aggressive"], ["keep-debug-directives"])
    )
    assert without < before == after


def test_a_switch_is_llvms_own_where_a_step_simplifies_functions():
    """LLVM's simplification has the switches of a CPU."""
    text = ptx("lanewise", kernel("sha256").source(), "sm_80", _NONE, frozenset({"disable-lsr"}))
    assert ".local" not in text


def test_switches_are_no_steps_that_are_unknown():
    check_steps(frozenset(SWITCHES))
    with pytest.raises(Error, match="no step is called 'disable-gvn'"):
        check_steps(frozenset({"disable-gvn"}))
