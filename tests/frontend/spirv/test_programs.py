# SPDX-License-Identifier: Apache-2.0
"""Programs in OpenCL C, compiled by clang to SPIR-V, do what their sources do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.fuzz.opencl.running import spirv

import lanewise as lw

from .assembler import KERNEL, assembled

Launch = Callable[[lw.Module, str], list[Any]]

MANY = """
constant float table[4] = {1, 2, 3, 4};
typedef struct { float2 v; char c; } Pair;
int last(const int *p, int n) { return p[n - 1]; }
kernel void k(global int *out, global int *in, local int *t, Pair s, float3 w) {
  local int2 pairs[4];
  int i = get_global_id(0), l = get_local_id(0), own[2] = {3, i}, e = 2;
  t[l] = in[i];
  pairs[l] = (int2)(l, -l);
  barrier(CLK_LOCAL_MEM_FENCE);
  int x = t[3 - l] + last(in, 2) + 10 * last(t, 1) + 100 * last(own, 2) + pairs[3 - l].y;
  x += (int)(table[l] * s.v.y + w.z) + sub_group_reduce_add(l) + work_group_scan_inclusive_max(l);
  float whole, f = fract(0.25f * i, &whole);
  x += (int)(4 * f + whole) + convert_int_rte(0.5f * i) + (any((int2)(-i, 0)) ? 1000 : 0) + isnan(f) + popcount(x);
  x += mul_hi(x, 1 << 30) + as_int(vload4(0, (global float *)in).y) + rotate(x, 3) + abs_diff(x, -5) + clz(x);
  atomic_add(&in[8], x & 7);
  atomic_fetch_max_explicit((global atomic_int *)&in[9], i, memory_order_relaxed, memory_scope_device);
  atomic_compare_exchange_strong((global atomic_int *)&in[10], &e, 7);
  switch (x & 3) { case 1: x *= 3; break; case 2: x -= e; }
  out[i] = x;
}
"""
IMAGES = """
constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_t a, write_only image2d_t b, sampler_t given, read_only image2d_array_t c) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 x = read_imagef(a, near, at - 1) + read_imagef(a, given, convert_float2(at) + 0.5f) + read_imagef(a, at);
  x += read_imagef(c, near, (int4)(at, 1, 0)) + get_image_width(a) + (float)get_image_array_size(c);
  write_imagef(b, at, x);
}
"""
PRINTING = """
kernel void k(global int *p) { printf("%d of %s: %f\\n", (int)get_global_id(0), "three", 0.5f * p[0]); }
"""


def numbers(module: lw.Module, device: str) -> list[Any]:
    out, inputs = np.zeros(8, np.int32), np.arange(5, 17, dtype=np.int32)
    pair: Any = (2.0, 3.0), 1
    wide: Any = 1.0, 2.0, 3.0
    if module["k"].params[0].name == "arg0":  # SPIR-V says little of structures and vectors
        pair, wide = np.array([2, 3, 0, 0], np.float32).view(np.uint8), np.array([*wide, 0], np.float32)
    module["k"].ndrange(8, 4, device=device)(
        out, inputs, lw.local(16), pair.view(np.uint8) if len(pair) > 2 else pair, wide
    )
    return [out.tolist(), inputs.tolist()]


def images(module: lw.Module, device: str) -> list[Any]:
    pixels = np.linspace(0, 3, 4 * 6 * 4, dtype=np.float32).reshape(4, 6, 4)
    written = np.zeros_like(pixels)
    given = lw.Image(pixels, "rgba"), lw.Image(written, "rgba"), lw.Sampler("linear", "clamp_to_edge")
    layers = lw.Image(np.stack([pixels, -pixels]), "rgba", layered=True)
    module["k"].ndrange((6, 4), device=device)(*given, layers)
    return written.ravel().tolist()


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize(("source", "launch"), [(MANY, numbers), (IMAGES, images)], ids=["numbers", "images"])
def test_spirv_runs_like_its_source(source: str, launch: Launch, device: str) -> None:
    options = ["-cl-std=CL3.0"]
    wanted = launch(lw.compile(source, options=options), device)
    assert launch(lw.compile(spirv(source, *options)), device) == wanted


def test_printf(capfd: pytest.CaptureFixture[str]) -> None:
    lw.compile(spirv(PRINTING))["k"].ndrange(1)(np.array([3], np.int32))
    assert capfd.readouterr().out == "0 of three: 1.500000\n"


def test_parameters_are_called_as_in_the_module() -> None:
    named = KERNEL.replace("BODY", "%r = OpIAdd %int %a %b").replace("DECLARATIONS", "")
    named = named.replace("DECORATIONS", 'OpName %out "sums"\nOpName %first "a b"')
    names = [parameter.name for parameter in lw.compile(assembled(named))["k"].params]
    assert names == ["sums", "a b", "arg2"]


def test_the_required_local_size() -> None:
    source = "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void k(global int *p) { p[0] = 1; }"
    with pytest.raises(lw.LaunchError, match="4"):
        lw.compile(spirv(source))["k"].ndrange(8, 2)(np.zeros(1, np.int32))


def test_a_file(tmp_path: Path) -> None:
    path, out = tmp_path / "ones.spv", np.zeros(1, np.int32)
    path.write_bytes(spirv("kernel void k(global int *p) { p[0] = 1; }"))
    for module in (lw.compile(path), lw.compile(str(path), language="spir")):
        module["k"].ndrange(1)(out)
        assert out.tolist() == [1]
    path.write_text("kernel void k() {}")
    with pytest.raises(lw.CompileError, match=r"ones\.spv: neither LLVM bitcode, .* nor SPIR-V"):
        lw.compile(path)
    with pytest.raises(lw.CompileError, match=r"none\.spv: no such file"):
        lw.compile(tmp_path / "none.spv")
