# SPDX-License-Identifier: Apache-2.0
"""The language of a source, by its text or the end of its file's name; `main`, which isn't run."""

from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.frontend.cuda.host_main import line_of_main
from lanewise.program.source.language import language_of_text

CUDA = "__global__ void k(int *p) { *p = 7; }"
OPENCL = "__kernel void k(__global int *p) { *p = 7; }"
PROGRAM = """\
__global__ void k(int *p) { *p = 7; }
// int main() { is said twice }
int main(int argc, char **argv)
{ k<<<1, 1>>>(nullptr); }
"""


@pytest.mark.parametrize("text", [CUDA, CUDA + "\n", OPENCL, "kernel void k(global int *p) { *p = 7; }\n"])
def test_a_text_without_a_language_is_what_its_marks_say(text: str):
    out = np.zeros(1, np.int32)
    lw.compile(text)["k"].launch(1, 1, (out,))
    assert out[0] == 7


def test_kernel_ir_is_told_by_its_calling_convention():
    out = np.zeros(1, np.int32)
    lw.compile(lw.compile(CUDA).ir())["_Z1kPi"].launch(1, 1, (out,))
    assert out[0] == 7


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("__device__ int f();", "cuda"),
        ("/* __global__ */ __kernel void k() {}", "opencl"),
        ('"__global__" kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k() {}', "opencl"),
        ("__global__ void k() {} __kernel void l() {}", None),
        ("int kernel(void);", None),
    ],
)
def test_marks(text: str, language: str | None):
    found = language_of_text(text)
    assert (found.language if found is not None else None) == language


def test_a_text_that_could_be_anything_is_not_printed_whole():
    with pytest.raises(lw.Error) as raised:
        lw.compile("int f(int a) { return a; }\n" * 1000)
    assert str(raised.value) == (
        "the language of the source text ('int f(int a) { return a; }') can't be told by __global__ or __kernel in it: "
        'give language="cuda", "opencl", "ir" or "ptx"'
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("k.cpp", "the end of the name ('.cpp') tells no language; known are cuda (.cu, .cuh), opencl (.cl), ir"),
        ("kernels", "the end of the name (no ending) tells no language; known are"),
        ("k.lwo", "is a saved module, compiled already: lw.load("),
    ],
)
def test_a_file_that_is_no_source_by_its_name(tmp_path: Path, name: str, said: str):
    (tmp_path / name).write_text(CUDA)
    with pytest.raises(lw.Error) as raised:
        lw.compile(tmp_path / name)
    assert said in str(raised.value)


def test_main_is_told_of(tmp_path: Path):
    assert line_of_main(PROGRAM) == 3
    assert line_of_main(CUDA + "int main(); int domain(int x) { return x; }") is None
    path = tmp_path / "program.cu"
    path.write_text(PROGRAM)
    module = lw.compile(path)
    (warning,) = module.warnings
    assert warning == (
        f"{path}:3: warning: main() is host code, of which a module has nothing: `lanewise run` runs whole programs; "
        'here, launch the kernels, as in mod["k"][grid, block](...); kernels: k'
    )
    with pytest.raises(lw.CompileError, match=r"program\.cu:3: error: main\(\) is host code, .* runs whole programs"):
        module["main"]
    assert lw.compile(CUDA).warnings == ()
