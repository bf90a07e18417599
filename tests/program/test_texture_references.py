# SPDX-License-Identifier: Apache-2.0
"""Texture and surface references: file-scope variables that `mod.texture(name).bind(...)` gives a texture to."""

from typing import Any

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
    texture<float, 2, cudaReadModeElementType> picture;
    texture<float, cudaTextureType2D, cudaReadModeElementType> smooth(1, cudaFilterModeLinear, cudaAddressModeWrap);
    texture<float4> quads;
    texture<int> numbers;
    texture<unsigned char, 1, cudaReadModeNormalizedFloat> levels;
    texture<uchar4, 2, cudaReadModeNormalizedFloat> colours;
    texture<short, cudaTextureType2DLayered> pages;
    namespace inner { static texture<float, 3> volume; }
    surface<void, cudaSurfaceType2D> canvas;

    __device__ float at(texture<float, 2> &which, float x, float y) { return tex2D(which, x, y); }

    __global__ void a_picture(float *out) { *out = tex2D(picture, 1, 0) + at(picture, 0, 1); }
    __global__ void a_smooth(float *out) { *out = tex2D(smooth, 0.5f, 0.25f); }
    __global__ void a_quad(float *out) { *out = tex1Dfetch(quads, 1).z; }
    __global__ void a_number(int *out) { *out = tex1Dfetch(numbers, 2) + tex1D(numbers, 0.5f); }
    __global__ void a_level(float *out) { *out = tex1Dfetch(levels, 1); }
    __global__ void a_colour(float *out) { *out = tex2D(colours, 0, 0).w; }
    __global__ void a_page(int *out) { *out = tex2DLayered(pages, 1, 1, 1); }
    __global__ void a_volume(float *out) { *out = tex3D(inner::volume, 1, 0, 1); }
    __global__ void paint() { surf2Dwrite(surf2Dread<float>(canvas, 0, 0) + 1, canvas, threadIdx.x * 4, 1); }
    __global__ void nothing(int *out) { *out = 1; }
    template <int N> __global__ void made_later(float *out) { *out = tex2D(picture, 1, 0) * N; }
"""


@pytest.fixture
def module() -> lw.Module:
    return lw.compile(SOURCE, language="cuda")


@pytest.fixture(params=["cpu", "reference", "apart"])
def device(request: pytest.FixtureRequest) -> str:
    if request.param == "apart":
        request.getfixturevalue("apart")
    return request.param


def result_of(module: lw.Module, kernel: str, device: str, dtype: str = "f4") -> Any:
    out = np.zeros(1, dtype)
    module[kernel].launch(1, 1, (out,), device=device)
    return out[0]


def test_arrays(module: lw.Module, device: str):
    module.texture("picture").bind(np.array([[1, 2], [3, 4]], np.float32))
    assert result_of(module, "a_picture", device) == 5
    module.texture("numbers").bind(np.array([5, 6, 7], np.int32))
    assert result_of(module, "a_number", device, "i4") == 12
    module.texture("levels").bind(np.array([0, 255], np.uint8))
    assert result_of(module, "a_level", device) == 1
    module.texture("colours").bind(np.full((2, 2, 4), 51, np.uint8))
    assert result_of(module, "a_colour", device) == np.float32(0.2)
    module.texture("pages").bind(np.arange(8, dtype=np.int16).reshape(2, 2, 2))
    assert result_of(module, "a_page", device, "i4") == 7
    module.texture("inner::volume").bind(np.arange(8, dtype=np.float32).reshape(2, 2, 2))
    assert result_of(module, "a_volume", device) == 5


@pytest.mark.parametrize("shape", [(8,), (2, 4)])
def test_linear_memory_of_vectors(module: lw.Module, device: str, shape: tuple[int, ...]):
    module.texture("quads").bind(np.arange(8, dtype=np.float32).reshape(shape))
    assert result_of(module, "a_quad", device) == 6


def test_modes_are_those_of_the_call(module: lw.Module, device: str):
    image = np.array([[0, 8], [0, 8]], np.float32)
    reference = module.texture("smooth")
    reference.bind(image, filter="linear", address="wrap", normalized=True)
    assert result_of(module, "a_smooth", device) == 4
    reference.bind(lw.Texture(image, "point", normalized=True))
    assert result_of(module, "a_smooth", device) == 8


def test_what_is_bound_changes_between_launches(module: lw.Module, device: str):
    reference = module.texture("numbers")
    for value in (3, 4):
        reference.bind(np.full(3, value, np.int32))
        assert result_of(module, "a_number", device, "i4") == 2 * value


def test_a_launch_in_a_stream_has_what_was_bound_when_it_was_asked_for(module: lw.Module, device: str):
    reference, stream = module.texture("numbers"), lw.Stream(device)
    results = [np.zeros(1, np.int32) for _ in range(6)]
    for value, out in enumerate(results):
        reference.bind(np.full(3, value, np.int32))
        module["a_number"].launch(1, 1, (out,), stream=stream, device=device)
    reference.unbind()
    stream.synchronize()
    assert [int(out[0]) for out in results] == [0, 2, 4, 6, 8, 10]


def test_a_surface(module: lw.Module, device: str):
    canvas = np.ones((2, 3), np.float32)
    module.surface("canvas").bind(canvas)
    module["paint"].launch(1, 3, (), device=device)
    assert canvas.tolist() == [[1, 1, 1], [2, 2, 2]]


def test_an_instance_made_later_finds_what_is_bound(module: lw.Module, device: str):
    module.texture("picture").bind(np.array([[1, 2], [3, 4]], np.float32))
    assert result_of(module, "a_picture", device) == 5
    assert result_of(module, "made_later<3>", device) == 6


def test_nothing_bound(module: lw.Module, device: str):
    message = r"kernel a_volume: nothing is bound to the texture reference inner::volume; call mod.texture\("
    with pytest.raises(lw.LaunchError, match=message):
        result_of(module, "a_volume", device)
    with pytest.raises(lw.LaunchError, match=r"surface reference canvas; call mod.surface\('canvas'\).bind"):
        module["paint"].launch(1, 1, (), device=device)
    assert result_of(module, "nothing", device, "i4") == 1
    reference = module.texture("numbers")
    reference.bind(np.zeros(3, np.int32))
    reference.unbind()
    with pytest.raises(lw.LaunchError, match="nothing is bound to the texture reference numbers"):
        result_of(module, "a_number", device, "i4")


def test_from_the_cache(module: lw.Module, device: str):
    again = lw.compile(SOURCE, language="cuda")
    again.texture("volume").bind(np.arange(8, dtype=np.float32).reshape(2, 2, 2))
    assert result_of(again, "a_volume", device) == 5


@pytest.mark.parametrize(
    ("name", "array", "named", "message"),
    [
        ("picture", np.zeros((2, 2)), {}, "its texels are float32; the array's dtype is float64"),
        ("picture", np.zeros(2, np.float32), {}, "it is 2-D, and <texture .* is 1-D"),
        ("picture", lw.Texture(np.zeros(2, np.float32)), {}, "it is 2-D, and <texture .* is 1-D"),
        ("picture", lw.Surface(np.zeros((2, 2), np.float32)), {}, "expected an lw.Texture, not <surface"),
        ("picture", lw.Texture(np.zeros((2, 2), np.float32)), {"filter": "linear"}, "filter are chosen where the lw"),
        ("numbers", np.zeros(3, np.int32), {"filter": "linear"}, "linear filtering gives floats"),
        ("quads", np.zeros((4, 2), np.float32), {}, "the last axis must have 4 contiguous elements"),
        ("picture", 5, {}, "expected an array or a buffer, not int"),
    ],
)
def test_what_does_not_fit(module: lw.Module, name: str, array: Any, named: dict[str, Any], message: str):
    with pytest.raises(lw.Error, match=message):
        module.texture(name).bind(array, **named)


def test_names(module: lw.Module):
    with pytest.raises(
        lw.CompileError, match="has no texture reference 'image' that device code uses; it has: picture,"
    ):
        module.texture("image")
    with pytest.raises(
        lw.CompileError, match="has no surface reference 'picture' that device code uses; it has: canvas"
    ):
        module.surface("picture")
    with pytest.raises(lw.CompileError, match="has no __device__ or __constant__ variable 'picture'"):
        module.variable("picture")
    assert repr(module.texture("volume")) == "<texture reference inner::volume: nothing bound>"
