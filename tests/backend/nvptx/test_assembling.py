# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's assembler takes the PTX of every kernel of the tests, each for one GPU, or for all with
LANEWISE_TEST_ALL_SHAPES=1."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.errors import CompileError
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.pipelines.gpu import compile_ptx
from lanewise.program.source.libraries import link_for_gpus

PTXAS = shutil.which("ptxas")
KERNELS = sorted((Path(__file__).parents[2] / "kernels").rglob("*.cu"))
OPTIONS = {"concepts": ("-std=c++20",)}
REFUSED = frozenset({"wide_conversions"})
"""Files with conversions for which PTX has no instruction."""
REDUCE_IN_WARPS = frozenset({"flows", "idioms", "parting", "values"})
"""Files of tests/kernels/warps with reductions over the warp, which sm_80 is the first to have."""
NEED_SM_80 = frozenset({("warps", "matrices")})
"""Folders and files with what sm_80 is the first to have: tensor cores' tf32."""
NEED_SM_90 = frozenset({("waiting", "barriers")})
"""Folders and files with what sm_90 is the first to have, in PTX 8.0: bulk copies in <cuda/ptx>."""
ALWAYS = REFUSED | REDUCE_IN_WARPS | {"barriers"}
"""Files that usual runs take for each GPU."""

ARCHS = ("sm_75", "sm_80", "sm_90")
CACHE = Cache(None)

needs_ptxas = pytest.mark.skipif(PTXAS is None, reason="ptxas is not on the PATH: its check of our PTX is left out")


def ptx_of(path: Path, arch: str) -> str:
    options = CudaOptions(arch=arch, options=OPTIONS.get(path.stem, ()))
    text = compile_cuda(Source(path.read_text(), path), options).text
    module = read_module(text)
    link_for_gpus(module, CACHE, hardware=True)
    version = 80 if (path.parent.name, path.stem) in NEED_SM_90 else None
    return compile_ptx(write_module(module), arch, version)


def paths_and_archs() -> list[object]:
    every = os.environ.get("LANEWISE_TEST_ALL_SHAPES") == "1"
    return [
        pytest.param(path, arch, id=f"{path.parent.name}-{path.stem}-{arch}")
        for place, path in enumerate(KERNELS)
        for turn, arch in enumerate(ARCHS)
        if every or (place + turn) % len(ARCHS) == 0 or path.stem in ALWAYS
        if arch != "sm_75" or (path.parent.name, path.stem) not in NEED_SM_80
        if arch == "sm_90" or (path.parent.name, path.stem) not in NEED_SM_90
    ]


@needs_ptxas
@pytest.mark.parametrize(("path", "arch"), paths_and_archs())
def test_ptxas_takes_it(path: Path, arch: str, tmp_path: Path) -> None:
    if path.stem in REFUSED:
        with pytest.raises(CompileError, match="for which PTX has no instruction"):
            ptx_of(path, arch)
        return
    if arch == "sm_75" and path.parent.name == "warps" and path.stem in REDUCE_IN_WARPS:
        with pytest.raises(CompileError, match="undeclared identifier '__reduce_"):
            ptx_of(path, arch)
        return
    assemble(ptx_of(path, arch), arch, tmp_path)


@needs_ptxas
@pytest.mark.parametrize("arch", ["sm_50", "sm_61", "sm_70"])
def test_ptx_of_older_targets_assembles_for_a_newer_one(arch: str, tmp_path: Path) -> None:
    path = next(p for p in KERNELS if p.stem == "atomics")
    assemble(ptx_of(path, arch), "sm_75", tmp_path)


def assemble(text: str, arch: str, folder: Path) -> None:
    assert PTXAS is not None
    source = folder / "kernels.ptx"
    source.write_text(text)
    command = [PTXAS, "-O0", f"-arch={arch}", str(source), "-o", str(folder / "kernels.cubin")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
