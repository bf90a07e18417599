# SPDX-License-Identifier: Apache-2.0
"""LLVM bitcode for spir64, as clang makes it, in place of source: the same results on each device."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.frontend.opencl.compile import HEADERS
from lanewise.toolchain import clang_command

SOURCE = """
typedef struct { float4 v; int n; } S;
constant int table[4] = {1, 2, 3, 4};
kernel void k(global float *out, global const float *in, local float *t, float a, constant int *c, S s, float3 w) {
  size_t l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a * t[get_local_size(0) - 1 - l] + c[l] + table[l & 3] + s.v.y * s.n + w.z;
}
kernel void mixed(global float4 *out, constant float4 *in) {
  float whole;
  float part = fract(in[0].x, &whole);
  out[0] = (float4)(part, whole, sin(in[0].y), convert_float(clamp(7, 1, 5)));
  out[1] = vload4(0, (constant float *)in);
}
"""
GENERIC = """
int last(const int *p, int n) { return p[n - 1]; }
kernel void k(global int *out, global const int *in, local int *t) {
  int own[2] = {3, 4};
  t[0] = 5;
  out[0] = last(in, 2) + 10 * last(t, 1) + 100 * last(own, 2);
}
"""


def bitcode(folder: Path, source: str, version: str = "CL1.2", target: str = "spir64") -> bytes:
    file = folder / "program.cl"
    file.write_text(source)
    words = ["-x", "cl", f"-cl-std={version}", "-target", target, "-nogpulib", "-nostdinc", "-cl-no-stdinc"]
    words += ["-Xclang", "-fdeclare-opencl-builtins", "-include", str(HEADERS / "opencl-c-base.h"), "-O1"]
    words += ["-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", str(file), "-o", "-"]
    return subprocess.run([*clang_command(), *words], capture_output=True, check=True).stdout


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_bitcode_runs_like_its_source(tmp_path: Path, device: str) -> None:
    module = lw.compile(bitcode(tmp_path, SOURCE))
    assert module.kernels == ("k", "mixed")
    out, x = np.zeros(8, np.float32), np.arange(8, dtype=np.float32)
    s = np.zeros((), np.dtype([("v", "f4", 4), ("n", "i4"), ("padding", "V12")]))
    s["v"], s["n"] = [1, 2, 3, 4], 10
    given = np.frombuffer(s.tobytes(), np.uint8), np.array([1, 2, 3, 0], np.float32)
    numbers = np.array([1, 2, 3, 4], np.int32)
    module["k"].ndrange(8, 4, device=device)(out, x, lw.local(16), 2.0, numbers, *given)
    assert out.tolist() == [2 * x[4 * (i // 4) + 3 - i % 4] + 2 * (i % 4 + 1) + 20 + 3 for i in range(8)]
    out, x = np.zeros(8, np.float32), np.array([2.25, 0.5, 8, 9], np.float32)
    module["mixed"].ndrange(1, device=device)(out, x)
    np.testing.assert_allclose(out, [0.25, 2, np.sin(0.5), 5, *x], rtol=1e-6)


def test_generic_pointers(tmp_path: Path) -> None:
    out = np.zeros(1, np.int32)
    lw.compile(bitcode(tmp_path, GENERIC, "CL2.0"))["k"].ndrange(1)(out, np.array([1, 2], np.int32), lw.local(4))
    assert out.tolist() == [452]


def test_what_is_refused(tmp_path: Path) -> None:
    image = "kernel void k(read_only image2d_t i, global float4 *p) { p[0] = read_imagef(i, (int2)(0)); }"
    good = bitcode(tmp_path, GENERIC, "CL2.0")
    refused = [
        (bitcode(tmp_path, image), "is not taken, only its source"),
        (bitcode(tmp_path, "kernel void k(global int *p) { p[0] = 1; }", target="spir"), "compile it for spir64"),
        (
            bitcode(tmp_path, "kernel void k(global int *p) { p[0] = 1; }", target="amdgcn"),
            "the bitcode is for 'amdgcn'",
        ),
        (good[:200], "LLVM can't read the bitcode"),
        (b"text", "neither LLVM bitcode, which begins with"),
    ]
    for data, message in refused:
        with pytest.raises(lw.CompileError, match=message):
            lw.compile(data)
    with pytest.raises(lw.Error, match="the program has been compiled"):
        lw.compile(good, defines={"N": 1})
