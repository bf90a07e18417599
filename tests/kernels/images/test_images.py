# SPDX-License-Identifier: Apache-2.0
"""Images of OpenCL C on each device, beside the specification's formulas in NumPy."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.kernels.images.model import BORDERS, channels_of, colours_of, read

import lanewise as lw

DEVICES = ("cpu", "reference")
ADDRESSES = ("none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat")
KINDS = {"image1d_t": 1, "image2d_t": 2, "image3d_t": 3, "image1d_array_t": 1, "image2d_array_t": 2}
COORDINATES = {"image1d_t": "xs[i].x", "image2d_t": "xs[i].xy", "image3d_t": "xs[i]", "image1d_array_t": "xs[i].xy",
               "image2d_array_t": "xs[i]"}  # fmt: skip
READS = "".join(
    f"""
    kernel void read_{kind}(read_only {kind} image, sampler_t sampler, global const float4 *xs, global float4 *out) {{
        int i = get_global_id(0);
        out[i] = read_imagef(image, sampler, {at});
    }}
    kernel void at_{kind}(read_only {kind} image, sampler_t sampler, global const int4 *xs, global float4 *out) {{
        int i = get_global_id(0);
        out[2 * i] = read_imagef(image, sampler, {at});
        out[2 * i + 1] = read_imagef(image, {at});
    }}"""
    for kind, at in COORDINATES.items()
)
COUNT = 40
Array = NDArray[Any]


def zeros(shape: int | tuple[int, ...], dtype: str) -> Array:
    found: Array = np.zeros(shape, np.dtype(dtype))
    return found


def zeros_like(array: Array) -> Array:
    return np.zeros_like(array)


def floats(rows: Any) -> Array:
    return np.array(rows, "f4")


def texels(shape: tuple[int, ...], dtype: str, seed: int = 1) -> Array:
    """Texels of any value; floats are small."""
    random = np.random.default_rng(seed)
    if dtype.startswith("f"):
        return floats(random.normal(size=shape)).astype(dtype)
    limits = np.iinfo(dtype)
    found: Array = random.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    return found


@pytest.fixture(scope="module")
def reads() -> lw.Module:
    return lw.compile(READS, language="opencl")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("filter", ["nearest", "linear"])
def test_filtering_and_addressing(reads: lw.Module, kind: str, address: Any, filter: Any) -> None:
    shape = {"image1d_t": (7,), "image2d_t": (5, 7), "image3d_t": (3, 5, 7), "image1d_array_t": (4, 7),
             "image2d_array_t": (3, 5, 7)}[kind]  # fmt: skip
    layered = "array" in kind
    pixels = texels((*shape, 4), "u1")
    image = lw.Image(pixels, "rgba", normalized=True, layered=layered)
    colours = colours_of(channels_of(pixels, "rgba", normalized=True, packed=None), "rgba")
    for normalized in (False, True):
        if address in ("repeat", "mirrored_repeat") and not normalized:
            continue
        sampler = lw.Sampler(filter, address, normalized)
        scale: Any = 1 if normalized else floats([7, 5, 3, 1])
        xs: Array = np.random.default_rng(2).uniform(-0.6, 1.6, (COUNT, 4)).astype("f4") * scale
        if address == "none":
            xs = np.clip(xs, 0.2 * scale, 0.8 * scale).astype("f4")
        if layered:
            xs[:, KINDS[kind]] = np.random.default_rng(3).uniform(-1, 5, COUNT)
        expected: list[Array] = []
        for row in xs:
            axes, inside = KINDS[kind], colours
            if layered:
                inside = colours[min(max(int(np.rint(row[axes])), 0), shape[0] - 1)]
            expected.append(read(inside, row[:axes].tolist(), filter, address, normalized, BORDERS["rgba"]))
        results: dict[str, Array] = {}
        for device in DEVICES:
            out = zeros((COUNT, 4), "f4")
            reads[f"read_{kind}"].ndrange(COUNT, device=device)(image, sampler, xs, out)
            results[device] = out
            np.testing.assert_allclose(out, expected, atol=2e-6)
        for device in DEVICES[1:]:
            np.testing.assert_array_equal(results[device], results["cpu"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("address", ["none", "clamp_to_edge", "clamp"])
def test_integer_coordinates(reads: lw.Module, kind: str, address: Any) -> None:
    shape = {"image1d_t": (7,), "image2d_t": (5, 7), "image3d_t": (3, 5, 7), "image1d_array_t": (4, 7),
             "image2d_array_t": (3, 5, 7)}[kind]  # fmt: skip
    pixels = texels(shape, "f4")
    image = lw.Image(pixels, "r", layered="array" in kind)
    axes = len(shape)
    low = 0 if address == "none" else -3
    most = np.array(shape[::-1]) + (0 if address == "none" else 3)
    xs = zeros((COUNT, 4), "i4")
    xs[:, :axes] = np.random.default_rng(4).integers(low, most, (COUNT, axes))
    for device in DEVICES:
        out = zeros((COUNT, 2, 4), "f4")
        reads[f"at_{kind}"].ndrange(COUNT, device=device)(image, lw.Sampler("nearest", address), xs, out)
        for row, (found, plain) in zip(xs[:, :axes].tolist(), out, strict=True):
            if "array" in kind:
                row[-1] = min(max(row[-1], 0), shape[0] - 1)
            inside = all(0 <= i < n for i, n in zip(row, shape[::-1], strict=True))
            nearest = [min(max(i, 0), n - 1) for i, n in zip(row, shape[::-1], strict=True)]
            texel = pixels[tuple(nearest[::-1])] if inside or address == "clamp_to_edge" else 0
            np.testing.assert_array_equal(found, [texel, 0, 0, 1])
            if inside:
                np.testing.assert_array_equal(plain, found)


FORMATS = [
    *((order, dtype, True, None) for order in ("r", "a", "rg", "ra", "rgba", "intensity", "luminance")
      for dtype in ("u1", "i1", "u2", "i2")),
    *((order, dtype, False, None) for order in ("r", "a", "rg", "ra", "rgba", "intensity", "luminance")
      for dtype in ("f2", "f4")),
    *((order, dtype, True, None) for order in ("bgra", "argb", "abgr") for dtype in ("u1", "i1")),
    ("rgb", "u2", False, "565"), ("rgb", "u2", False, "555"), ("rgb", "u4", False, "101010"),
    ("srgba", "u1", False, None), ("sbgra", "u1", False, None),
]  # fmt: skip

COPIES = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void readf(read_only image2d_t image, sampler_t linear, global float4 *out, global half4 *halves) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int i = at.y * 5 + at.x;
    out[2 * i] = read_imagef(image, at);
    out[2 * i + 1] = read_imagef(image, linear, convert_float2(at) + 0.25f);
    halves[i] = read_imageh(image, at);
}
kernel void writef(write_only image2d_t image, global const float4 *in, write_only image2d_t of_halves) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(image, at - 1, in[at.y * 7 + at.x]);
    write_imageh(of_halves, at - 1, convert_half4(in[at.y * 7 + at.x]));
}
kernel void copyi(read_only image2d_t image, write_only image2d_t copy, global int4 *out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    out[at.y * 5 + at.x] = read_imagei(image, at);
    write_imagei(copy, at, read_imagei(image, at));
}
kernel void copyui(read_only image2d_t image, write_only image2d_t copy, global uint4 *out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    out[at.y * 5 + at.x] = read_imageui(image, at);
    write_imageui(copy, at, read_imageui(image, at));
}
"""


@pytest.fixture(scope="module")
def copies() -> lw.Module:
    return lw.compile(COPIES, language="opencl")


def shape_of(order: str) -> tuple[int, ...]:
    """The shape of an array for an image of 4 rows of 5 texels."""
    channels = {"rg": 2, "ra": 2}.get(order, 4 if len(order) >= 4 and "n" not in order and order != "depth" else 1)
    return (4, 5) if channels == 1 else (4, 5, channels)


@pytest.mark.parametrize(("order", "dtype", "normalized", "packed"), FORMATS)
@pytest.mark.parametrize("device", DEVICES)
def test_texels_become_colours(
    copies: lw.Module, order: str, dtype: str, normalized: bool, packed: str | None, device: str
) -> None:
    pixels = texels(shape_of(order), dtype)
    image = lw.Image(pixels, order, normalized=normalized, packed=packed)
    colours = colours_of(channels_of(pixels, order, normalized=normalized, packed=packed), order)
    out, halves = zeros((4, 5, 2, 4), "f4"), zeros((4, 5, 4), "f2")
    copies["readf"].ndrange((5, 4), device=device)(image, lw.Sampler("linear", "clamp"), out, halves)
    np.testing.assert_allclose(out[:, :, 0], colours, rtol=2e-7, atol=2e-8)
    np.testing.assert_array_equal(halves, out[:, :, 0].astype("f2"))
    blended = [
        [read(colours, [x + 0.25, y + 0.25], "linear", "clamp", False, BORDERS[order]) for x in range(5)]
        for y in range(4)
    ]
    np.testing.assert_allclose(out[:, :, 1], blended, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(("order", "dtype", "normalized", "packed"), FORMATS[:-2])
@pytest.mark.parametrize("device", DEVICES)
def test_colours_become_texels(
    copies: lw.Module, order: str, dtype: str, normalized: bool, packed: str | None, device: str
) -> None:
    """A colour becomes the nearest one that the format has; texels outside aren't written."""
    given = np.random.default_rng(5).uniform(-1.3, 1.3, (6, 7, 4)).astype("f4")
    given[1, 1] = [0, 1, -1, 0.5]
    given[1, 2, 0] = np.nan if dtype[0] != "f" else 0
    pixels, by_halves = zeros(shape_of(order), dtype), zeros(shape_of(order), dtype)
    one, other = (lw.Image(each, order, normalized=normalized, packed=packed) for each in (pixels, by_halves))
    copies["writef"].ndrange((7, 6), device=device)(one, given, other)
    colours = colours_of(channels_of(pixels, order, normalized=normalized, packed=packed), order)
    wanted = np.nan_to_num(given[1:5, 1:6].astype(np.float64))
    least = 0 if dtype[0] == "u" else -1 if dtype[0] == "i" else -np.inf
    most = 1 if dtype[0] != "f" else np.inf
    wanted = np.clip(wanted, least, most)
    kept = {"r": [0], "a": [3], "rg": [0, 1], "ra": [0, 3], "rgb": [0, 1, 2], "intensity": [0], "luminance": [0]}
    at = kept.get(order, [0, 1, 2, 3])
    bits = {"565": 5, "555": 5, "101010": 10}.get(packed or "", 8 * np.dtype(dtype).itemsize - (dtype[0] == "i"))
    step = 0.5001 / ((1 << bits) - 1) if dtype[0] != "f" else 1.001 * 2.0**-11 if dtype == "f2" else 0
    np.testing.assert_allclose(colours[..., at], wanted[..., at], atol=step)
    halves = colours_of(channels_of(by_halves, order, normalized=normalized, packed=packed), order)
    np.testing.assert_allclose(halves[..., at], wanted[..., at], atol=step + 1.3 * 2.0**-11)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "u1", "u2", "u4"])
@pytest.mark.parametrize("order", ["r", "rg", "rgba", "bgra"])
def test_integers(copies: lw.Module, dtype: str, order: str) -> None:
    if order == "bgra" and dtype[1] != "1":
        return
    pixels = texels(shape_of(order), dtype)
    kernel, wide = ("copyi", "i4") if dtype[0] == "i" else ("copyui", "u4")
    expected = zeros((4, 5, 4), wide)
    expected[..., 3] = 1
    stored = pixels if pixels.ndim == 3 else pixels[..., np.newaxis]
    expected[..., : stored.shape[2]] = stored[..., [2, 1, 0, 3]] if order == "bgra" else stored
    for device in DEVICES:
        copy, out = zeros_like(pixels), zeros((4, 5, 4), wide)
        copies[kernel].ndrange((5, 4), device=device)(lw.Image(pixels, order), lw.Image(copy, order), out)
        np.testing.assert_array_equal(out, expected)
        np.testing.assert_array_equal(copy, pixels)


def test_integers_are_saturated() -> None:
    module = lw.compile(
        "kernel void k(write_only image1d_t i, write_only image1d_t u, int4 v, uint4 w)"
        "{ write_imagei(i, 0, v); write_imageui(u, 0, w); }",
        language="opencl",
    )
    for device in DEVICES:
        signed, unsigned = zeros((1, 4), "i1"), zeros((1, 4), "u2")
        given = (lw.Image(signed, "rgba"), lw.Image(unsigned, "rgba"), (1000, -1000, 5, -5), (70000, 2, 65535, 1 << 31))
        module["k"].ndrange(1, device=device)(*given)
        assert signed.tolist() == [[127, -128, 5, -5]]
        assert unsigned.tolist() == [[65535, 2, 65535, 65535]]


def test_questions() -> None:
    module = lw.compile(
        """
        kernel void k(read_only image2d_array_t layers, write_only image3d_t whole, read_only image1d_buffer_t line,
                      read_only image2d_depth_t depths, global int *out) {
            int2 dim = get_image_dim(layers);
            int4 dims = get_image_dim(whole);
            out[0] = get_image_width(layers); out[1] = get_image_height(layers); out[2] = get_image_array_size(layers);
            out[3] = dim.x; out[4] = dim.y; out[5] = dims.x; out[6] = dims.y; out[7] = dims.z;
            out[8] = get_image_depth(whole); out[9] = get_image_width(line);
            out[10] = get_image_channel_order(layers) == CLK_RGBA;
            out[11] = get_image_channel_data_type(whole) == CLK_FLOAT;
            out[12] = get_image_channel_order(depths) == CLK_DEPTH;
            out[13] = get_image_channel_data_type(layers) == CLK_UNORM_INT8;
            out[14] = read_imagef(depths, (int2)(1, 0)) == 0.5f;
        }""",
        language="opencl",
    )
    depths = floats([[0.25, 0.5]])
    for device in DEVICES:
        out = zeros(15, "i4")
        module["k"].ndrange(1, device=device)(
            lw.Image(zeros((2, 3, 5, 4), "u1"), "rgba", normalized=True, layered=True),
            lw.Image(zeros((4, 6, 7), "f4")),
            lw.Image(zeros(9, "u2")),
            lw.Image(depths, "depth"),
            out,
        )
        assert out.tolist() == [5, 3, 2, 5, 3, 7, 6, 4, 4, 9, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("standard", ["CL2.0", "CL3.0"])
def test_an_image_is_read_and_written(standard: str) -> None:
    module = lw.compile(
        """
        kernel void twice(read_write image2d_t image) {
            int2 at = (int2)(get_global_id(0), get_global_id(1));
            write_imagef(image, at, 2 * read_imagef(image, at));
        }""",
        language="opencl",
        options=f"-cl-std={standard}",
    )
    assert module["twice"].params[0].access == "read_write"
    for device in DEVICES:
        values = floats(np.arange(12)).reshape(3, 4)
        module["twice"].ndrange((4, 3), device=device)(lw.Image(values))
        np.testing.assert_array_equal(values, 2 * np.arange(12).reshape(3, 4))


SAMPLERS = """
const sampler_t of_file = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
float through(read_only image1d_t image, sampler_t sampler, float x) { return read_imagef(image, sampler, x).x; }
kernel void k(read_only image1d_t image, sampler_t given, global float *out) {
    const sampler_t own = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
    out[0] = through(image, of_file, 1.375f);
    out[1] = through(image, own, 0.0f);
    out[2] = through(image, given, 100.0f);
    out[3] = read_imagef(image, CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST, -7.0f).x;
}
"""


def test_samplers_of_the_file_of_the_kernel_and_given() -> None:
    module = lw.compile(SAMPLERS, language="opencl")
    values = floats([1, 2, 3, 4])
    for device in DEVICES:
        out = zeros(4, "f4")
        module["k"].ndrange(1, device=device)(lw.Image(values), lw.Sampler(), out)
        assert out.tolist() == [2, 0.5, 4, 1]


def test_views_are_used_in_place() -> None:
    module = lw.compile(
        "kernel void k(read_only image2d_t in, write_only image2d_t out) {"
        " int2 at = (int2)(get_global_id(0), get_global_id(1));"
        " write_imagef(out, at, read_imagef(in, at)); }",
        language="opencl",
    )
    for device in DEVICES:
        source, target = floats(np.arange(80)).reshape(8, 10), zeros((8, 10), "f4")
        module["k"].ndrange((3, 2), device=device)(lw.Image(source[1:3, 2:5]), lw.Image(target[::-2][:2, 4:7]))
        expected = zeros((8, 10), "f4")
        expected[7, 4:7], expected[5, 4:7] = source[1, 2:5], source[2, 2:5]
        np.testing.assert_array_equal(target, expected)


def test_a_simulated_gpu_reads_and_writes_the_same() -> None:
    module = lw.compile(
        """
        const sampler_t around = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
        kernel void k(read_only image2d_t in, write_only image2d_t out) {
            int2 at = (int2)(get_global_id(0), get_global_id(1));
            write_imagef(out, at, read_imagef(in, around, convert_float2(at) * 0.3f));
        }""",
        language="opencl",
    )
    pixels = texels((5, 6, 4), "u1")
    results: dict[str, Array] = {}
    for device in (*DEVICES, "simt"):
        results[device] = zeros((7, 8, 4), "u1")
        images = lw.Image(pixels, "srgba"), lw.Image(results[device], "bgra", normalized=True)
        module["k"].ndrange((8, 7), device=device)(*images)
    np.testing.assert_array_equal(results["reference"], results["cpu"])
    np.testing.assert_array_equal(results["simt"], results["cpu"])
    assert len(np.unique(results["cpu"])) > 20


def test_the_reference_device_reads_only_texels() -> None:
    """Coordinates that are no numbers, and the greatest, lead to texels or the border."""
    module = lw.compile(READS, language="opencl")
    xs = floats([[np.nan, 0, 0, 0], [np.inf, 3e38, -3e38, 0], [-np.inf, 1e10, 0, 0], [2**31, -(2**31), 0, 0]])
    for address in ADDRESSES:
        sampler = lw.Sampler("linear", address, address.endswith("repeat"))
        for device in DEVICES:
            out = zeros((4, 4), "f4")
            module["read_image2d_t"].ndrange(4, device=device)(
                lw.Image(zeros((3, 3), "u1"), normalized=True), sampler, xs, out
            )
