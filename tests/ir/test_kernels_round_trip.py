# SPDX-License-Identifier: Apache-2.0
"""Every kernel that the tests compile, as clang writes it and as LLVM optimises it, survives reader and writer."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.llvm import LlvmModule, Machine

KERNELS = sorted((Path(__file__).parents[1] / "kernels").rglob("*.cu"))
OPTIONS = {"concepts": ("-std=c++20",)}


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_kernel_file(path: Path) -> None:
    options = CudaOptions(options=OPTIONS.get(path.stem, ()))
    written = compile_cuda(Source(path.read_text(), path), options).text
    check(written)
    module = LlvmModule.parse(written)
    Machine.nvptx("sm_80", 78).optimise(module, level=2)
    check(module.text())


def check(text: str) -> None:
    module = read_module(text)
    verify(module)
    once = write_module(module)
    assert LlvmModule.parse(once).text() == LlvmModule.parse(text).text()
    assert write_module(read_module(once)) == once
