# SPDX-License-Identifier: Apache-2.0
"""The code that lanes make of some kinds of code: what is in vectors, of which width, and what isn't there."""

import re

import numpy as np
import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.pipelines.target import host_target
from lanewise.program.source.libraries import link_for_host
from lanewise.workgroup.mapping import mapping_of

SOURCE = """
kernel void mean_of_bytes(global uchar *out, global const uchar *a, global const uchar *b) {
    int i = get_global_id(0);
    out[i] = (uchar)((a[i] + b[i] + 1) >> 1);
}
kernel void distance_of_shorts(global short *out, global const short *a, global const short *b) {
    int i = get_global_id(0);
    out[i] = max(a[i], b[i]) - min(a[i], b[i]);
}
kernel void chain(global uchar *out, global const uchar *in) {
    int i = get_global_id(0), n = in[i];
    out[i] = n < 10 ? '0' + n : n < 36 ? 'a' + n - 10 : n < 62 ? 'A' + n - 36 : '?';
}
kernel void cases(global int *out, global const int *in) {
    int i = get_global_id(0), x;
    switch (in[i]) {
    case 0: x = 17; break;
    case 1: x = 3; break;
    case 2: x = 99; break;
    case 3: x = -5; break;
    case 4: x = 40; break;
    default: x = 0;
    }
    out[i] = x;
}
kernel void natives(global float *out, global const float *in) {
    float x = in[get_global_id(0)];
    out[get_global_id(0)] = native_exp(x) + native_recip(x) + native_sin(x) + native_log2(x) + native_powr(x, 2.5f);
}
kernel void known_indices(global float *out, global const float *in, int n) {
    int i = get_global_id(0);
    float own[6];
    for (int k = 0; k < 6; k++) own[k] = in[k * n + i];
    for (int k = 0; k < 6; k++) out[k * n + i] = own[5 - k] * own[k];
}
kernel void uniform_indices(global float *out, global const float *in, global const int *at, int n) {
    int i = get_global_id(0);
    float own[6];
    for (int k = 0; k < 6; k++) own[k] = in[k * n + i];
    for (int k = 0; k < n; k++) own[at[k] & 3] += k;
    out[i] = own[at[n] & 3];
}
kernel void small_of_64_bits(global ulong *out, global const ulong *a, global const ulong *b) {
    int i = get_global_id(0);
    out[i] = (a[i] & 0xffffffffff) / (b[i] & 0xffffffff);
}
"""


def _module() -> lw.Module:
    return lw.compile(SOURCE, language="opencl", mapping="lanes:16x1")


def _code(name: str) -> str:
    return _module().ir("work-group", name, block=64)


@pytest.mark.parametrize(
    ("name", "type_", "wider"), [("mean_of_bytes", "i8", "i32"), ("distance_of_shorts", "i16", "i32")]
)
def test_short_numbers_have_lanes_of_at_most_twice_their_width(name: str, type_: str, wider: str):
    code = _code(name)
    assert f"load <16 x {type_}>" in code
    assert f"<16 x {wider}>" not in code


@pytest.mark.parametrize("name", ["chain", "cases"])
def test_choices_between_constants_are_selects_without_branches(name: str):
    code = _code(name)
    assert len(re.findall(r" select <16 x i1>", code)) >= 3
    assert not re.search(r" switch |masked\.(load|store|gather)|reduce\.or", code)


def test_choices_are_those_of_each_work_item():
    for name, of, dtype in (("chain", _letter, np.uint8), ("cases", [17, 3, 99, -5, 40].__getitem__, np.int32)):
        given = (np.arange(64) % (5 if name == "cases" else 64)).astype(dtype)
        found = np.zeros_like(given)
        _module()[name].ndrange((64,), (64,), device="cpu")(found, given)
        assert found.tolist() == [of(each) for each in given.tolist()]


def _letter(n: int) -> int:
    return ord("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ?"[min(n, 62)])


def test_native_functions_are_in_vectors():
    code = _code("natives")
    assert " x float> @llvm.fma.v16f32" in code
    assert not re.search(r"call float @", code)


@pytest.mark.parametrize("scales", [True, False])
def test_native_exponentials_scale_in_one_instruction_if_there_is_one(scales: bool):
    linked = read_module(lw.compile(SOURCE, language="opencl").ir())
    link_for_host(linked, Cache(None), fused=True)
    target = host_target()
    target = target._replace(processor=target.processor._replace(lanes=16, scales=scales))
    mapping = mapping_of("lanes:16x1")
    made = compile_for_cpu(write_module(linked), "natives", (64, 1, 1), mapping=mapping, target=target)
    assert ("scalef.ps.512" in write_module(made.module)) == scales


def test_private_arrays_with_known_indices_are_in_registers():
    assert not re.search(r"alloca .*float", _code("known_indices"))


def test_other_private_arrays_have_one_element_of_all_lanes_together():
    code = _code("uniform_indices")
    assert re.search(r"store <16 x float>", code)
    assert "gather" not in code
    assert "scatter" not in code


def test_small_numbers_of_64_bits_are_divided_by_doubles():
    code = _code("small_of_64_bits")
    assert re.search(r"fdiv <\d+ x double>", code)
