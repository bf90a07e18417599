# SPDX-License-Identifier: Apache-2.0
"""The functions that GPUs have a form of their own of: errors within CUDA's with models of the approximate instructions
at the stated errors, on all sides (`make ulp HARDWARE=1` looks at all floats), the special values of C's annex F, and
the PTX that has them."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.ulp import hardware, kernels, sweep, table
from bench.ulp.judge import Judge

import lanewise as lw

from .special_values import number, same, specials

POINTS = 3000
PTXAS = shutil.which("ptxas")
ROWS = hardware.hardware_rows()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_function(row: table.Row) -> None:
    found = hardware.at_points(row, POINTS, 1)
    assert not found.wrong, f"{row.name}{found.wrong[0]}"
    assert hardware.exceeded(row, found) is None, f"{found.ulp.error} ulp at {row.name}{found.ulp}"

    of: type[np.floating[Any]] = np.float32 if row.type == "float" else np.float64
    cases = [
        special
        for special in specials()
        if special.function == row.function and not (of is np.float32 and _is_approximated(row, special.result))
    ]
    for directions in hardware.all_directions(row) if cases else []:
        columns = [
            np.array([number(text, of) for text in texts]) for texts in zip(*(c.arguments for c in cases), strict=True)
        ]
        got = hardware.results(row, columns, directions)
        assert [(case, value) for case, value in zip(cases, got, strict=True) if not same(value, case.result)] == []


def _is_approximated(row: table.Row, result: str) -> bool:
    """A number that isn't 0 comes from the instruction as near as its error lets it."""
    limits = {0.0, np.inf, -np.inf}
    return row.symbol in {"coshf", "exp2f", "powf", "rsqrtf"} and number(result, np.float32) not in limits


def test_errors_beyond_the_stated_ones_are_found() -> None:
    """The bounds themselves: results that are 2 ulp off one that is allowed a single one."""
    (row,) = table.rows(["logf"])
    x = np.linspace(0.1, 9, 50, dtype=np.float32)
    judge = Judge(row)
    good = hardware.results(row, [x])
    judge.add([x], good + 2 * np.spacing(good))
    assert hardware.exceeded(row, judge.outcome) is not None


def test_sides_of_the_instructions_differ() -> None:
    """The model's errors reach the results, and none is left out of the sides."""
    (row,) = table.rows(["tanhf"])
    x = np.linspace(1, 4, 999, dtype=np.float32)
    by_side = [hardware.results(row, [x], directions) for directions in hardware.all_directions(row)]
    assert len(by_side) == 5  # ex2 and rcp, up and down each, and at random
    assert len({result.tobytes() for result in by_side}) == 5


@pytest.mark.parametrize("arch", ["sm_75", "sm_90"])
def test_ptx_of_all_functions(arch: str, tmp_path: Path) -> None:
    text = lw.compile(kernels.source(ROWS), language="cuda").ptx(arch)
    assert ".extern" not in text
    for instruction in (
        "ex2.approx",
        "lg2.approx.ftz",
        "rcp.approx.ftz.f64",
        "rsqrt.approx.ftz.f64",
        "rsqrt.approx.f32",
    ):
        assert re.search(rf"\b{re.escape(instruction)}", text), instruction
    if PTXAS is None:
        pytest.skip("ptxas is not on the PATH: its check of our PTX is left out")
    source = tmp_path / "functions.ptx"
    source.write_text(text)
    command = [PTXAS, "-O0", f"-arch={arch}", str(source), "-o", str(tmp_path / "functions.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_choice() -> None:
    """Bits on the simulated GPU, with each choice and with none, and the PTX of each."""
    (row,) = table.rows(["exp10f"])  # it has no approximate instruction, of which the model would be off
    x = [np.linspace(-20, 20, 4096, dtype=np.float32)]
    modules = {math: lw.compile(kernels.source([row]), language="cuda", math=math) for math in (None, *CHOICES)}
    on_cpu = {math: sweep.results(module, 0, x) for math, module in modules.items()}
    with lw.on("simt"):
        on_simt = {math: sweep.results(module, 0, x) for math, module in modules.items()}
    assert len({result.tobytes() for result in [*on_cpu.values(), on_simt[None], on_simt["same-bits"]]}) == 1
    assert on_simt["hardware"].tobytes() == hardware.results(row, x).tobytes() != on_cpu[None].tobytes()
    ptx = {math: module.ptx("sm_80") for math, module in modules.items()}
    assert ptx[None] == ptx["hardware"] != ptx["same-bits"]


CHOICES = ("same-bits", "hardware")


def test_choice_is_saved(tmp_path: Path) -> None:
    source = "__global__ void k(float *p) { p[threadIdx.x] = rsqrtf(p[threadIdx.x]); }"
    for math, instruction in (("same-bits", "sqrt.rn"), ("hardware", "rsqrt.approx"), (None, "rsqrt.approx")):
        lw.compile(source, math=math).save(tmp_path / "k.lwo")
        assert instruction in lw.load(tmp_path / "k.lwo").ptx("sm_80")


def test_no_such_choice() -> None:
    with pytest.raises(lw.Error, match="math must be 'same-bits' or 'hardware', not 'fast'"):
        lw.compile("__global__ void k() {}", math="fast")
