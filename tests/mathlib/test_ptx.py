# SPDX-License-Identifier: Apache-2.0
"""The PTX of every function of the mathematical library as all devices have it, and what NVIDIA's assembler says."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from bench.ulp import kernels, table

import lanewise as lw

PTXAS = shutil.which("ptxas")
ROWS = table.rows()
PARTS = [ROWS[start : start + 40] for start in range(0, len(ROWS), 40)]


@pytest.mark.parametrize("rows", PARTS, ids=lambda rows: f"{rows[0].name} to {rows[-1].name}")
@pytest.mark.parametrize("arch", ["sm_75", "sm_90"])
def test_all_functions(rows: list[table.Row], arch: str, tmp_path: Path) -> None:
    text = lw.compile(kernels.source(rows), language="cuda", math="same-bits").ptx(arch)
    assert all(f".entry {kernels.over_points(number)}(" in text for number in range(len(rows)))
    assert ".extern" not in text
    assert not re.search(r"\b(sin|cos|ex2|lg2|tanh|div|rcp|sqrt|rsqrt)\.approx", text), "not as exact as on the CPU"
    if PTXAS is None:
        pytest.skip("ptxas is not on the PATH: its check of our PTX is left out")
    source = tmp_path / "functions.ptx"
    source.write_text(text)
    command = [PTXAS, "-O0", f"-arch={arch}", str(source), "-o", str(tmp_path / "functions.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
