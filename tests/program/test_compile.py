# SPDX-License-Identifier: Apache-2.0
"""`lw.compile`: files, texts, macros, include folders, options, host code."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw


def value_of(module: lw.Module) -> Any:
    out = np.zeros(1, np.float64)
    module["k"][1, 1](out)
    return out[0]


def kernel(expression: str) -> str:
    return f"__global__ void k(double *out) {{ *out = {expression}; }}"


@pytest.mark.parametrize(("value", "seen"), [(16, 16), ("3 + 4", 7), (2.5, 2.5), (True, 1), (False, 0), ("", 0)])
def test_defines(value: Any, seen: float):
    assert value_of(lw.compile(kernel("TILE + 0"), language="cuda", defines={"TILE": value})) == seen


def test_defines_without_value_and_with_parameters():
    text = "#ifndef FLAG\n#error no flag\n#endif\n" + kernel("TWICE(21)")
    assert value_of(lw.compile(text, language="cuda", defines={"FLAG": None, "TWICE(x)": "(2 * (x))"})) == 42


def test_include_folders_and_files_beside_the_source(tmp_path: Path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "far.h").write_text("#define FAR 5\n")
    (tmp_path / "near.h").write_text("#define NEAR 30\n")
    source = tmp_path / "k.cu"
    source.write_text('#include "near.h"\n#include <far.h>\n' + kernel("NEAR + FAR"))
    for given in (source, str(source)):
        assert value_of(lw.compile(given, include_dirs=[tmp_path / "far"])) == 35
    with pytest.raises(lw.CompileError, match=r"k\.cu:2:10: fatal error: 'far\.h' file not found"):
        lw.compile(source)


def test_a_changed_header_is_noticed(tmp_path: Path):
    header, source = tmp_path / "h.h", tmp_path / "k.cu"
    source.write_text('#include "h.h"\n' + kernel("VALUE"))
    for value in (1, 2, 1):
        header.write_text(f"#define VALUE {value}\n")
        assert value_of(lw.compile(source)) == value


def test_options_go_to_the_compiler():
    text = "template <class T> concept Any = true; template <Any T> __device__ T f(T a) { return a; }\n" + kernel(
        "f(1.0)"
    )
    assert value_of(lw.compile(text, language="cuda", options=["-std=c++20"])) == 1
    with pytest.raises(lw.CompileError):
        lw.compile(text, language="cuda", options=["-std=c++14"])


@pytest.mark.parametrize("language", ["cuda", "opencl"])
@pytest.mark.parametrize("option", ["-O7", "-O4", "-Osize"])
def test_an_unknown_level_of_optimisation_is_an_error(language: str, option: str):
    with pytest.raises(
        lw.CompileError, match=f"^option '{option}': the levels of optimisation are -O0, .* and -Ofast$"
    ):
        lw.compile("void f() {}", language=language, options=[option])


@pytest.mark.parametrize("options", [["-O1", "-Os"], ["--optimize=3"], ["-I", "-O7"]])
def test_a_known_level_of_optimisation_is_taken(options: list[str]):
    lw.compile(kernel("1"), language="cuda", options=options)


def test_the_architecture_is_seen():
    for arch, number in (("sm_75", 750), ("sm_90", 900)):
        assert value_of(lw.compile(kernel("__CUDA_ARCH__"), language="cuda", arch=arch)) == number


def test_warnings_are_kept():
    module = lw.compile("#warning beware\n" + kernel("1"), language="cuda")
    (warning,) = module.warnings
    assert warning.startswith("<source>:1:2: warning: beware")


def test_a_file_with_host_code_is_parsed_not_run():
    module = lw.compile(
        """
        #include <cstdio>
        #include <vector>
        template <typename T> __global__ void add(T *p, T v) { p[threadIdx.x] += v; }
        int main(int argc, char **argv) {
            std::vector<float> host(16, 1.0f); float *p; cudaMalloc(&p, 64);
            cudaMemcpy(p, host.data(), 64, cudaMemcpyHostToDevice);
            add<<<1, 16>>>(p, 2.0f); cudaDeviceSynchronize();
            printf("%f\\n", host[0]); return 1;
        }""",
        language="cuda",
    )
    p = np.ones(16, np.float32)
    module["add"][1, 16](p, 2.0)
    assert (p == 3).all()


def test_kernel_ir_is_a_language(tmp_path: Path):
    text = lw.compile(kernel("threadIdx.x + 1.5"), language="cuda").ir()
    path = tmp_path / "k.ll"
    path.write_text(text)
    for module in (lw.compile(text, language="ir"), lw.compile(path)):
        (name,) = module.kernels
        out = np.zeros(1)
        module[name][1, 1](out)
        assert out[0] == 1.5


def test_a_file_in_another_encoding_than_utf_8(tmp_path: Path):
    path = tmp_path / "old.cu"
    path.write_bytes(b'// caf\xe9 \x92\n__global__ void k(char *p) { *p = "\xe9"[0]; }\n')
    out = np.zeros(1, np.uint8)
    for _ in range(2):  # compiled, then from the cache
        lw.compile(path)["k"][1, 1](out)
        assert out[0] == 0xE9
