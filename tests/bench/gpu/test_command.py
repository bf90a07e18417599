# SPDX-License-Identifier: Apache-2.0
"""The command python -m bench.gpu: its tables and means, what it makes of NVIDIA's words, wrong arguments."""

from __future__ import annotations

import json

import pytest
from bench.gpu.__main__ import main
from bench.gpu.compilers import left_out, ptx
from bench.gpu.measure import Figures, disagrees
from bench.gpu.report import RATIOS, as_json, from_json, means, ratio, remarks, table
from bench.gpu.suite import kernel
from bench.gpu.tools import Tools, resources

_NONE = Tools(None, None, None, ())
_SAID = """ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    240 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 31 registers, used 1 barriers, 512 bytes smem, 364 bytes cmem[0]
"""


def test_what_ptxas_says() -> None:
    found = resources(_SAID)
    assert (found.registers, found.stack, found.spill_stores, found.spill_loads, found.shared) == (31, 240, 12, 16, 512)


def _rows():
    ours = Figures(registers=20, spills=0, static=50, weighted=200, dynamic=300, occupancy=0.5)
    theirs = Figures(registers=40, spills=8, static=100, weighted=100, dynamic=200, occupancy=1.0, difference=0.5)
    same = {"lanewise": Figures(dynamic=8), "nvcc": Figures(dynamic=4)}
    refused = {"lanewise": Figures(dynamic=8), "nvcc": Figures(failure="nvcc: error")}
    both = {"lanewise": ours, "nvcc": theirs}
    return [(kernel("md"), both), (kernel("softmax"), same), (kernel("rope"), refused)]


def test_means_are_geometric_and_of_the_kernels_that_both_have() -> None:
    assert means(_rows(), "lanewise", "nvcc")["dynamic"] == pytest.approx((1.5 * 2) ** 0.5)
    assert means(_rows(), "lanewise", "nvcc")["weighted"] == pytest.approx(2)
    assert ratio(_rows()[2][1], "dynamic", "lanewise", "nvcc") is None


def test_remarks_name_what_is_far_off() -> None:
    said = "\n".join(remarks(_rows(), ("lanewise", "nvcc")))
    assert "geometric mean 1.732 of 2 (to reach: 0.92), least 1.50 (md), greatest 2.00 (softmax)" in said
    assert "dynamic SASS beyond 1.15 of nvcc's: 2: softmax 2.00, md 1.50" in said
    assert "results of nvcc differ: md" in said
    assert "spills more" not in said


def test_a_row_per_kernel() -> None:
    head, md, _, rope = table(_rows(), ("lanewise", "nvcc"))
    assert md[:4] == ["md", "SHOC", "20 | 40", "50 | 100"]
    assert md[head.index("dynamic, to nvcc")] == "1.50"
    assert rope[-1] == "nvcc: nvcc: error"


def test_numbers_as_json() -> None:
    data = json.loads(json.dumps(as_json(_rows(), ("lanewise", "nvcc"), "sm_80")))
    assert data["kernels"][0]["lanewise"]["registers"] == 20
    assert set(data["means"]["nvcc"]) == {each.field for each in RATIOS}
    rows, names = from_json(data)
    assert names == ("lanewise", "nvcc")
    assert [figures for _, figures in rows] == [figures for _, figures in _rows()]


def test_results_that_are_nan_disagree() -> None:
    assert disagrees(Figures(difference=float("nan")))
    assert not disagrees(Figures(difference=1e-6))


def test_llvm_as_it_comes_has_no_step_of_ours_that_can_be_left_out() -> None:
    assert "optimise" not in left_out()
    text = ptx("llvm", "__global__ void k(int *p) { p[threadIdx.x] = 1; }", "sm_80", _NONE)
    assert ".visible .entry" in text


def test_a_kernel_is_measured_without_nvidias_programs(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setattr("bench.gpu.__main__.find_tools", lambda path: _NONE)
    assert main(["saxpy_that_is_not_there"]) == 2
    assert "no kernel of bench/gpu is called 'saxpy_that_is_not_there'" in capsys.readouterr().err
    assert main(["adjacent_accesses", "--compilers", "lanewise", "--json", "-"]) == 0
    (data,) = json.loads(capsys.readouterr().out)
    figures = data["kernels"][0]["lanewise"]
    assert figures["registers"] is None
    assert figures["ptx"] > 0
    assert figures["sectors"] >= 2 * 16 * 32768 // 32  # each array once, 16 bytes of each of 32,768 threads


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--without", "optimize"], "no step is called 'optimize'"),
        (["--without", "contract-multiply-add"], "can't be disabled"),
        (["--compilers", "lanewise,gcc"], "no compiler is called 'gcc'"),
    ],
)
def test_what_there_is_not_is_named(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err
