# SPDX-License-Identifier: Apache-2.0
"""Options, architectures, include folders and dependencies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lanewise.errors import CompileError
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.frontend.cuda.architectures import PTX_VERSION

KERNEL = "__global__ void k(int *p) { p[0] = __CUDA_ARCH__; }"


@pytest.mark.parametrize("arch", PTX_VERSION)
def test_every_known_architecture_compiles(compiled: Callable, arch: str) -> None:
    number = int("".join(filter(str.isdigit, arch))) * 10
    assert f"store i32 {number}" in compiled(KERNEL, arch=arch).text


@pytest.mark.parametrize("arch", ["sm_999", "sm_35", "80", "", "sm_80 -v"])
def test_unknown_architectures_are_named_with_the_known_ones(compiled: Callable, arch: str) -> None:
    with pytest.raises(CompileError, match=r"unknown architecture '.*'; known are sm_50, .*sm_90a.*sm_121a"):
        compiled(KERNEL, arch=arch)


def test_notes_come_before_warnings(compiled: Callable) -> None:
    notes = compiled(KERNEL, options=("-Xptxas", "-v", "-lineinfo", "-O3")).warnings
    assert notes == ("note: option '-Xptxas -v' is ignored: ptxas, which turns PTX into machine code, isn't run",)


def test_defines_with_and_without_value(compiled: Callable) -> None:
    text = "__global__ void k(int *p) { p[0] = TILE * FLAG; p[1] = sizeof(TEXT); }"
    ir = compiled(text, defines=(("TILE", "16"), ("FLAG", None), ("TEXT", '"a b"'))).text
    assert "store i32 16" in ir
    assert "store i32 4" in ir


def test_options_override_the_defaults(compiled: Callable) -> None:
    assert (
        "fmul contract"
        not in compiled("__device__ float f(float x) { return x * x; }", options=("-ffp-contract=off",)).text
    )
    assert "fmul fast" in compiled("__device__ float f(float x) { return x * x; }", options=("-ffast-math",)).text


def test_warnings_are_collected(compiled: Callable) -> None:
    result = compiled("__global__ void k(int *p) {\n  int x;\n  p[0] = x;\n}", options=("-Wall",))
    assert result.warnings == (
        "<source>:3:10: warning: variable 'x' is uninitialized when used here [-Wuninitialized]",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-fno-such-thing",), "unknown argument: '-fno-such-thing'"),
        (("-std=c++99",), "invalid value 'c++99' in '-std=c++99'"),
        (("-Xclang",), "option '-Xclang' needs an argument after it"),
        (("-E",), r"clang wrote no LLVM IR: one of the options ['-E'] asks for something else"),
        (("-fsyntax-only",), "clang wrote no LLVM IR"),
        (("--cuda-gpu-arch=sm_70",), "the architecture is chosen by `arch`"),
        (("nothing.cu",), "no such file or directory: 'nothing.cu'"),
    ],
)
def test_wrong_options_are_one_clear_error(compiled: Callable, options: tuple[str, ...], message: str) -> None:
    with pytest.raises(CompileError) as caught:
        compiled(KERNEL, options=options)
    assert message in str(caught.value)


def test_an_output_option_is_refused_and_writes_no_file(
    compiled: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CompileError, match=r"option .-o stray\.ll. is refused"):
        compiled(KERNEL, options=("-o", "stray.ll"))
    assert list(tmp_path.iterdir()) == []


def test_includes_beside_the_file_and_in_folders_are_dependencies(tmp_path: Path) -> None:
    folder = tmp_path / "in c#l$ude"
    folder.mkdir()
    (folder / "far.h").write_text("#define FAR 7\n")
    (tmp_path / "near.cuh").write_text("#include <far.h>\n#define NEAR FAR\n")
    path = tmp_path / "kernel file.cu"
    path.write_text("not what is compiled: the text given is")
    text = '#include <cstdio>\n#include "near.cuh"\n__global__ void k(int *p) { p[0] = NEAR; }'
    result = compile_cuda(Source(text, path), CudaOptions(include_dirs=(str(folder),)))
    assert "store i32 7" in result.text
    assert set(result.dependencies) == {tmp_path / "near.cuh", folder / "far.h"}


def test_a_text_in_memory_includes_from_the_current_directory(
    compiled: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here.h").write_text("#define HERE 3\n")
    monkeypatch.chdir(tmp_path)
    result = compiled('#include "here.h"\n__global__ void k(int *p) { p[0] = HERE; }')
    assert result.dependencies == (tmp_path / "here.h",)


def test_equal_inputs_give_equal_ir(compiled: Callable) -> None:
    assert compiled(KERNEL).text == compiled(KERNEL).text
