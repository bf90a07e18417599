# SPDX-License-Identifier: Apache-2.0
"""All OpenCL C of PolyBench-ACC, Rodinia 3.1 and SHOC compiles for the CPU, with the options that their hosts pass.

They need checkouts, whose paths are in the environment:

    git clone https://github.com/cavazos-lab/PolyBench-ACC; git clone https://github.com/yuhc/gpu-rodinia
    git clone https://github.com/vetter/shoc
    LANEWISE_POLYBENCH=PolyBench-ACC LANEWISE_RODINIA=gpu-rodinia LANEWISE_SHOC=shoc pytest tests/opencl_suites
"""

import os
from pathlib import Path
from typing import NamedTuple

import pytest

import lanewise as lw


class Suite(NamedTuple):
    variable: str
    folder: str
    files: int
    """How many there are."""


POLYBENCH = Suite("LANEWISE_POLYBENCH", "OpenCL", 21)
RODINIA = Suite("LANEWISE_RODINIA", "opencl", 31)
SHOC = Suite("LANEWISE_SHOC", "src/opencl", 38)
SUITES = (POLYBENCH, RODINIA, SHOC)

OPTIONS = {
    "b+tree": "-DDEFAULT_ORDER=256 -DDEFAULT_ORDER_2=256", "hotspot": "-DBLOCK_SIZE=16", "lud": "-DBLOCK_SIZE=16",
    "nw": "-DBLOCK_SIZE=16", "heartwall": "-I {}", "srad": "-I {}",
}  # fmt: skip
"""Of Rodinia's programs; {} is the program's folder, where it runs."""
OF_SHOC = "-DDIM=24 -DN_GP=13824 -DLROWS=8 -DLCOLS=256"


def sources(suite: Suite) -> list[Path]:
    root = os.environ.get(suite.variable, "")
    return sorted((Path(root) / suite.folder).rglob("*.cl")) if root else []


def builds() -> list[tuple[Path, str]]:
    found = [(path, "") for path in sources(POLYBENCH)]
    for path in sources(RODINIA):
        folder = Path(os.environ[RODINIA.variable]) / RODINIA.folder
        program = folder / path.relative_to(folder).parts[0]
        found.append((path, OPTIONS.get(program.name, "").format(program)))
    for precision in ("SINGLE_PRECISION", "K_DOUBLE_PRECISION"):
        found += [(path, f"{OF_SHOC} -D{precision}") for path in sources(SHOC)]
    return found


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.folder)
def test_all_files_are_there(suite: Suite):
    if not os.environ.get(suite.variable):
        pytest.skip(f"{suite.variable}, the path of a checkout, is not set")
    assert len(sources(suite)) == suite.files


@pytest.mark.parametrize(("path", "options"), builds(), ids=lambda value: value.stem if isinstance(value, Path) else "")
def test_compiles(path: Path, options: str):
    module = lw.compile(path, options=options)
    assert module.kernels
    for kernel in module:
        module.ir("simplify", kernel=kernel.symbol)
