# SPDX-License-Identifier: Apache-2.0
"""lw.Texture and lw.Surface: what they take, and what kernels take for them."""

import gc
from typing import Any

import numpy as np
import pytest

import lanewise as lw

FLOATS = np.zeros((2, 4), np.float32)
FOURS = np.zeros((2, 2, 4), np.float32)

SOURCE = """
    struct Scene { int row; cudaTextureObject_t image; };
    __global__ void plain(float *out, cudaTextureObject_t t) { out[0] = tex2D<float>(t, 1, 1); }
    __global__ void constant(float *out, const cudaTextureObject_t t) { out[0] = tex2D<float>(t, 1, 1); }
    __global__ void in_struct(float *out, Scene s) { out[0] = tex2D<float>(s.image, 1, s.row); }
    __global__ void in_memory(float *out, const cudaTextureObject_t *all, int n) {
        for (int i = 0; i < n; ++i) out[i] = tex2D<float>(all[i], 1, 1);
    }
    __global__ void four(float4 *out, cudaTextureObject_t t) { out[0] = tex2D<float4>(t, 1, 1); }
    __global__ void unsigned_(unsigned *out, cudaTextureObject_t t) { out[0] = tex2D<unsigned>(t, 1, 1); }
    __global__ void line(float *out, cudaTextureObject_t t) { out[0] = tex1Dfetch<float>(t, 1); }
    __global__ void surface_(float *out, cudaSurfaceObject_t s) { out[0] = surf2Dread<float>(s, 4, 1); }
"""


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


@pytest.fixture(params=["cpu", "reference", "apart"])
def device(request: pytest.FixtureRequest) -> str:
    if request.param == "apart":
        request.getfixturevalue("apart")
    return request.param


def image(value: float = 5) -> lw.Texture:
    return lw.Texture(np.array([[1, 2], [3, value]], np.float32))


@pytest.mark.parametrize("kernel", ["plain", "constant"])
def test_as_an_argument(module: lw.Module, device: str, kernel: str):
    out = np.zeros(1, np.float32)
    module[kernel].launch(1, 1, (out, image()), device=device)
    assert out[0] == 5


def test_handles_in_structs_and_arrays(module: lw.Module, device: str):
    out = np.zeros(2, np.float32)
    buffers = [lw.to_device(np.full((2, 2), value, np.float32), device) for value in (6, 7)]
    textures = [lw.Texture(buffer) for buffer in buffers]
    module["in_struct"].launch(1, 1, (out, (1, textures[0].handle)), device=device)
    assert out[0] == 6
    handles = np.array([t.handle for t in textures], np.uint64)
    module["in_memory"].launch(1, 1, (out, handles, 2), device=device)
    assert out.tolist() == [6, 7]


def test_a_buffer(module: lw.Module, device: str):
    buffer, out = lw.to_device(np.array([[1, 2], [3, 8]], np.float32), device), np.zeros(1, np.float32)
    module["plain"].launch(1, 1, (out, lw.Texture(buffer)), device=device)
    assert out[0] == 8


def test_structured_dtypes_have_channels(module: lw.Module, device: str):
    float4 = np.dtype([(name, "f4") for name in "xyzw"])
    pixels = np.zeros((2, 2), float4)
    pixels[1, 1] = (1, 2, 3, 4)
    out = np.zeros(4, np.float32)
    module["four"].launch(1, 1, (out, lw.Texture(pixels)), device=device)
    assert out.tolist() == [1, 2, 3, 4]


def test_signed_and_unsigned_pass_for_each_other(module: lw.Module, device: str):
    out = np.zeros(1, np.uint32)
    module["unsigned_"].launch(1, 1, (out, lw.Texture(np.full((2, 2), -1, np.int32))), device=device)
    assert out[0] == 0xFFFFFFFF


# -- what a kernel does not take ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [5, None, FLOATS, lw.Surface(FLOATS)], ids=["number", "None", "array", "surface"])
def test_only_a_texture_stands_for_a_texture(module: lw.Module, wrong: Any):
    with pytest.raises(lw.LaunchError, match=r"argument 't': expected an lw\.Texture for cudaTextureObject_t, not"):
        module["plain"][1, 1](np.zeros(1, np.float32), wrong)


def test_only_a_surface_stands_for_a_surface(module: lw.Module):
    with pytest.raises(lw.LaunchError, match=r"argument 's': expected an lw\.Surface for cudaSurfaceObject_t, not"):
        module["surface_"][1, 1](np.zeros(1, np.float32), image())


@pytest.mark.parametrize(
    ("kernel", "array", "named", "message"),
    [
        ("four", FLOATS, {}, "a 2-D fetch of float4 from a 2-D texture that gives float"),
        ("plain", FOURS, {"channels": 4}, "a 2-D fetch of float from a 2-D texture that gives float4"),
        ("plain", np.zeros((2, 2), "i4"), {}, "a 2-D fetch of float from a 2-D texture that gives int"),
        ("unsigned_", np.zeros((2, 2), "u2"), {}, "a 2-D fetch of uint from a 2-D texture that gives ushort"),
        ("unsigned_", np.zeros((2, 2), "u1"), {"read": "normalized"}, "of uint from a 2-D texture that gives float"),
        ("line", FLOATS, {}, "a 1-D fetch of float from a 2-D texture that gives float"),
        ("plain", np.zeros((2, 2, 2), "f4"), {"layered": True}, "2-D fetch of float from a layered 2-D texture"),
    ],
)  # fmt: skip
def test_a_kernel_that_takes_texels_for_others(
    module: lw.Module, device: str, kernel: str, array: Any, named: dict[str, Any], message: str
):
    with pytest.raises(lw.LaunchError, match=message):
        module[kernel].launch(1, 1, (np.zeros(4, np.uint32 if kernel[0] == "u" else np.float32),
                                     lw.Texture(array, **named)), device=device)  # fmt: skip


def test_handles_of_nothing(module: lw.Module, device: str):
    out = np.zeros(1, np.float32)
    with pytest.raises(lw.LaunchError, match="a texture handle is 0: nothing is bound to it"):
        module["in_struct"].launch(1, 1, (out, (1, 0)), device=device)
    surface = lw.Surface(lw.to_device(FLOATS, device))
    with pytest.raises(lw.LaunchError, match="is not the handle of a living texture"):
        module["in_struct"].launch(1, 1, (out, (1, surface.handle)), device=device)


def test_reference_device_knows_any_number_that_is_no_handle(module: lw.Module):
    for number in (8, 1 << 20, (1 << 63) + 16, (1 << 64) - 16):
        with pytest.raises(lw.LaunchError, match="is not the handle of a living texture"):
            module["in_struct"].launch(1, 1, (np.zeros(1, np.float32), (1, number)), device="reference")


def test_the_array_lives_as_long_as_its_texture(module: lw.Module, device: str):
    texture = lw.Texture(np.full((64, 64), 9, np.float32))
    gc.collect()
    out = np.zeros(1, np.float32)
    module["plain"].launch(1, 1, (out, texture), device=device)
    assert out[0] == 9


# -- what can't be a texture -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("array", "named", "message"),
    [
        ([[1.0]], {}, "expected an array or a buffer, not list"),
        (np.zeros((2, 2)), {}, "an array of dtype float64 can't be one"),
        (np.zeros((2, 2), np.int64), {}, "an array of dtype int64 can't be one"),
        (np.zeros(2, ">f4"), {}, "an array of dtype >f4 can't be one"),
        (np.zeros(2, [("x", "f4"), ("y", "f4"), ("z", "f4")]), {}, "has 3"),
        (np.zeros((2, 3), "f4"), {"channels": 3}, "texels have 1, 2 or 4 channels, not 3"),
        (np.zeros((2, 3), "f4"), {"channels": 4}, "the last axis must have 4 contiguous elements"),
        (np.zeros((2, 2, 2, 2), "f4"), {}, r"has shape \(w,\), \(h, w\) or \(d, h, w\)"),
        (np.zeros((), "f4"), {}, r"has shape \(w,\), \(h, w\) or \(d, h, w\)"),
        (np.zeros(4, "f4"), {"layered": True}, r"of a layered one has shape \(layers, w\) or \(layers, h, w\)"),
        (np.zeros((0, 4), "f4"), {}, "each extent is 1 to 2"),
        (np.zeros((4, 8), "f4")[:, ::2], {}, "texels of a row must lie side by side"),
        (FLOATS, {"filter": "cubic"}, "filter is 'point' or 'linear', not 'cubic'"),
        (FLOATS, {"read": "float"}, "read is 'element' or 'normalized', not 'float'"),
        (FLOATS, {"address": "repeat"}, "address is 'wrap' or 'clamp' or 'mirror' or 'border', not 'repeat'"),
        (FLOATS, {"address": ("clamp",)}, "address takes one mode, or 2 in x, y, z order, not 1"),
        (FLOATS, {"address": "wrap"}, "address='wrap' needs normalized=True"),
        (FLOATS, {"border": (1, 2)}, "border is a number, or one for each of 1 channels"),
        (np.zeros(4, "i4"), {"filter": "linear"}, "linear filtering gives floats, and int32 is read as integers"),
        (np.zeros(4, "u1"), {"filter": "linear"}, "linear filtering gives floats, and uint8 is read as integers"),
        (np.zeros(4, "i4"), {"read": "normalized"}, "is for integers of 8 and 16 bits, not for int32"),
        (FLOATS, {"read": "normalized"}, "read='normalized' is for integers of 8 and 16 bits, not for float32"),
    ],
)  # fmt: skip
def test_what_is_no_texture(array: Any, named: dict[str, Any], message: str):
    with pytest.raises(lw.Error, match=message):
        lw.Texture(array, **named)


def test_a_surface_is_written():
    array = np.zeros(4, np.float32)
    array.flags.writeable = False
    with pytest.raises(lw.Error, match="the array is read-only"):
        lw.Surface(array)
    assert lw.Texture(array).handle


def test_how_they_show_themselves():
    assert repr(lw.Texture(FLOATS, "linear")) == "<texture (2, 4), float32, linear, clamp/clamp>"
    assert repr(lw.Surface(np.zeros((2, 3, 4), "u1"), True)) == "<surface layered (2, 3, 4), uint8>"
