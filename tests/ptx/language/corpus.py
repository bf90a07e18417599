# SPDX-License-Identifier: Apache-2.0
"""Real PTX: of kernels of the tests as Lanewise compiles them, and of the programs beside this file as nvcc does."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import lanewise as lw

HERE = Path(__file__).parent
KERNELS = HERE.parents[1] / "kernels"
TEXTS = sorted((HERE / "texts").glob("*.ptx"))
NVCC = shutil.which("nvcc")


@dataclass(frozen=True)
class Unit:
    """A source with the target and the options that it is compiled with."""

    path: Path
    arch: str
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "-".join((self.path.stem, self.arch, *(option.lstrip("-") for option in self.options)))


OURS = [
    Unit(KERNELS / path, arch, options)
    for path, arch, options in (
        ("language/atomics.cu", "sm_90", ()),
        ("language/calls.cu", "sm_75", ("-g",)),
        ("language/control.cu", "sm_80", ("-gline-tables-only",)),
        ("language/cooperative_groups.cu", "sm_90", ()),
        ("language/output.cu", "sm_100", ()),
        ("language/variables.cu", "sm_75", ("-g",)),
        ("textures/surfaces.cu", "sm_80", ()),
        ("warps/shuffles.cu", "sm_90", ()),
    )
]

NVIDIAS = [
    Unit(HERE / "programs" / path, arch, options)
    for path, arch, options in (
        ("calls.cu", "sm_75", ("-O3",)),
        ("calls.cu", "sm_80", ("-G",)),
        ("calls.cu", "sm_90", ("-rdc=true", "-lineinfo")),
        ("control.cu", "sm_75", ()),
        ("control.cu", "sm_100a", ("-lineinfo",)),
        ("data.cu", "sm_80", ()),
        ("data.cu", "sm_90a", ("-G",)),
        ("hopper.cu", "sm_90a", ()),
        ("hopper.cu", "sm_100a", ("-lineinfo",)),
        ("mathematics.cu", "sm_75", ()),
        ("mathematics.cu", "sm_80", ("-G",)),
        ("tensor.cu", "sm_75", ("-lineinfo",)),
        ("tensor.cu", "sm_80", ()),
        ("textures.cu", "sm_75", ()),
    )
]


@cache
def compiled_by_us(unit: Unit) -> str:
    return lw.compile(unit.path, arch=unit.arch, options=unit.options).ptx(arch=unit.arch)


@cache
def compiled_by_nvcc(unit: Unit) -> str:
    assert NVCC is not None
    with TemporaryDirectory() as folder:
        output = Path(folder, "nvcc.ptx")
        command = [NVCC, "-ptx", "-std=c++17", "-w", f"-arch={unit.arch}", *unit.options, "-o", output, unit.path]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        return output.read_text()
