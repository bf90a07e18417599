# SPDX-License-Identifier: Apache-2.0
"""Texture fetches and surface accesses as PTX's instructions."""

import re

import pytest

import lanewise as lw

INSTRUCTION = re.compile(r"^\s+((?:tex|tld4|suld|sust)\.[\w.]+)", re.MULTILINE)


def instructions(body: str) -> list[str]:
    parameters = "cudaTextureObject_t t, cudaSurfaceObject_t s, float x, float y, float z, int i, float *f, int *n"
    source = f"__global__ void k({parameters}, float4 *f4, uchar4 *u4) {{ {body} }}"
    return INSTRUCTION.findall(lw.compile(source, language="cuda").ptx())


@pytest.mark.parametrize(
    ("statement", "instruction"),
    [
        ("*f = tex1Dfetch<float>(t, i);", "tex.1d.v4.f32.s32"),
        ("*f = tex1D<float>(t, x);", "tex.1d.v4.f32.f32"),
        ("*f4 = tex2D<float4>(t, x, y);", "tex.2d.v4.f32.f32"),
        ("*n = tex2D<int>(t, x, y);", "tex.2d.v4.s32.f32"),
        ("*u4 = tex2D<uchar4>(t, x, y);", "tex.2d.v4.u32.f32"),
        ("*f = tex3D<float>(t, x, y, z);", "tex.3d.v4.f32.f32"),
        ("*f = tex1DLayered<float>(t, x, i);", "tex.a1d.v4.f32.f32"),
        ("*f = tex2DLayered<float>(t, x, y, i);", "tex.a2d.v4.f32.f32"),
        ("*f = tex2DLod<float>(t, x, y, z);", "tex.level.2d.v4.f32.f32"),
        ("*f = tex2DGrad<float>(t, x, y, make_float2(x, y), make_float2(z, x));", "tex.grad.2d.v4.f32.f32"),
        ("*f = texCubemap<float>(t, x, y, z);", "tex.cube.v4.f32.f32"),
        ("*f = texCubemapLayeredLod<float>(t, x, y, z, i, x);", "tex.level.acube.v4.f32.f32"),
        ("surfCubemapwrite(x, s, i, 2, 3);", "sust.b.a2d.b32.trap"),
        ("*f4 = tex2Dgather<float4>(t, x, y, 2);", "tld4.b.2d.v4.f32.f32"),
        ("*f = surf1Dread<float>(s, i);", "suld.b.1d.b32.trap"),
        ("*u4 = surf2Dread<uchar4>(s, i, 2, cudaBoundaryModeClamp);", "suld.b.2d.v4.b8.clamp"),
        ("*f4 = surf2DLayeredread<float4>(s, i, 2, 3, cudaBoundaryModeZero);", "suld.b.a2d.v4.b32.zero"),
        ("surf3Dwrite((short)i, s, i, 2, 3);", "sust.b.3d.b16.trap"),
        ("surf1DLayeredwrite(make_int2(i, 1), s, i, 2, cudaBoundaryModeZero);", "sust.b.a1d.v2.b32.zero"),
    ],
)
def test_instruction(statement: str, instruction: str):
    assert instructions(statement) == [instruction]


def test_fetches_of_two_types_are_not_made_one():
    """As one call, its type of texel would be no constant."""
    found = instructions("if (x > 1) *f = tex2D<float4>(t, x, y).x; else *f = tex2D<float>(t, x, y);")
    assert found == ["tex.2d.v4.f32.f32"] * 2


def test_operands_in_their_order():
    ptx = lw.compile(
        'extern "C" __global__ void k(float *f, cudaTextureObject_t t, float x, float y, int i) {'
        "  *f = tex2DLayered<float>(t, x, y, i); }",
        language="cuda",
    ).ptx()
    named = {register: "ftxyi"[int(place)] for register, place in re.findall(r"(%\w+), \[k_param_(\d)\]", ptx)}
    fetch = re.search(r"\[(%\w+), \{(%\w+), (%\w+), (%\w+), %\w+\}\]", ptx)
    assert fetch is not None
    assert [named[register] for register in fetch.groups()] == ["t", "i", "x", "y"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            "texture<float> r; __global__ void k(float *o) { *o = tex1Dfetch(r, 1); }",
            "kernel k uses a texture or surface reference, which CUDA 12 has dropped: pass a cudaTextureObject_t",
        ),
        (
            "__global__ void k(float *o, cudaSurfaceObject_t s, int m)"
            "{ *o = surf1Dread<float>(s, 0, (cudaSurfaceBoundaryMode)m); }",
            "a surface with a boundary mode that is not a constant, which PTX doesn't have",
        ),
        (
            "__global__ void k(float4 *o, cudaTextureObject_t t, int c) { *o = tex2Dgather<float4>(t, 0, 0, c); }",
            "kernel k gathers a channel that is not a constant, which PTX doesn't have",
        ),
    ],
)
def test_what_ptx_has_not(source: str, message: str):
    with pytest.raises(lw.CompileError, match=message):
        lw.compile(source, language="cuda").ptx()
