# SPDX-License-Identifier: Apache-2.0
"""The figures of "CUDA: Compiling and Optimizing for a GPU Platform" (2012), and examples of gpucc's text, as kernels
of bench/gpu: their PTX is what the papers want."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from bench.gpu.suite import kernel
from bench.gpu.tools import find_tools
from bench.gpu.woven import loop_depths

import lanewise as lw

_ACCESS = r"^\s+(?:@\S+ )?(ld|st)((?:\.(?:global|shared|local|const|param))?)(?:\.nc)?(?:\.v\d)?\.b\d+\s"


def _ptx(source: str) -> str:
    return lw.compile(source, language="cuda").ptx("sm_80")


def _accesses(ptx: str) -> Counter[str]:
    """How many accesses there are of each kind, but for those of parameters: `ld.shared`, `ld` for a generic load."""
    found = re.findall(_ACCESS, ptx, re.MULTILINE)
    return Counter(f"{operation}{space}" for operation, space in found if space != ".param")


@pytest.mark.parametrize(
    ("figure", "name", "spaces"),
    [
        ("1a", "select_object", {"ld.global", "st.global"}),
        ("1b", "loop_object", {"ld.global", "st.global", "ld.shared", "st.shared"}),
        ("1c", "escaped_address", {"ld.global", "st.global", "ld.shared", "st.shared"}),
        ("1d", "spaces_across_calls", {"ld.global", "st.global", "ld.shared", "st.shared"}),
        ("3d", "select_arrays", {"ld.global", "st.global"}),
    ],
)
def test_the_memory_space_of_each_access_is_known(figure: str, name: str, spaces: set[str]) -> None:
    ptx = _ptx(kernel(name).source())
    assert set(_accesses(ptx)) == spaces, (
        f"Figure {figure}: `ld` and `st` would be generic, `.local` a pointer in memory"
    )
    assert "call.uni" not in ptx


def test_figure_2b_neighbours_of_a_structure_become_one_access() -> None:
    ptx = _ptx(kernel("adjacent_accesses").source())
    assert len(re.findall(r"ld\.global\.nc\.v4\.b32", ptx)) == 1  # nothing says that the 16 numbers of m are aligned
    assert _accesses(ptx) == {"ld.global": 17, "st.global": 1}
    assert len(re.findall(r"st\.global\.v4\.b32", ptx)) == 1


def test_figure_3c_what_a_loop_loads_from_one_place_is_loaded_before_it() -> None:
    rolled = kernel("select_arrays").source().replace("for (int t", "\n#pragma unroll 1\n    for (int t")
    ptx = _ptx(rolled)
    depths, lines = loop_depths(ptx), ptx.splitlines()
    loads = [depths.get(number, 0) for number, line in enumerate(lines, 1) if "ld.global" in line]
    assert sorted(loads) == [0, 0, 1]  # counts[i] and p[n], and in each turn p[t]


def test_section_42_an_array_that_loops_store_and_use_is_in_registers() -> None:
    ptx = _ptx(kernel("private_array").source())
    assert _accesses(ptx) == {"ld.global": 32, "st.global": 1}
    assert ".local" not in ptx


def test_gpucc_33_a_store_to_shared_memory_that_nobody_reads_goes() -> None:
    ptx = _ptx(kernel("dead_shared_store").source())
    assert _accesses(ptx)["st.shared"] == 1


def test_gpucc_36_one_test_decides_how_dependent_divisions_are_made() -> None:
    ptx = _ptx(kernel("division64").source())
    assert len(re.findall(r"\bdiv\.s64", ptx)) == len(re.findall(r"\bdiv\.u32", ptx)) == 2
    assert not re.search(r"\brem\.", ptx)


def test_gpucc_43_inlining_the_functions_of_dwt2d_costs_no_registers(tmp_path: Path) -> None:
    """It did in the paper, whose dwt2d got slower by inlining."""
    ptxas = find_tools(None).ptxas
    if ptxas is None:
        pytest.skip("ptxas is not installed: its numbers of registers are left out")

    def registers(source: str) -> tuple[int, ...]:
        (tmp_path / "k.ptx").write_text(_ptx(source))
        command = [ptxas, "-v", "-arch=sm_80", tmp_path / "k.ptx", "-o", tmp_path / "k.cubin"]
        said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
        spilled = re.search(r"_Z5dwt2d\w+\s+\d+ bytes stack frame, (\d+) bytes spill", said)
        used = re.search(r"Used (\d+) registers", said)
        assert spilled
        assert used
        return int(used[1]), int(spilled[1])

    source = kernel("dwt2d").source()
    inlined, apart = registers(source), registers(source.replace("__device__", "__device__ __noinline__"))
    assert inlined < apart
    assert inlined[1] == 0
