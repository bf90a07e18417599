# SPDX-License-Identifier: Apache-2.0
"""Texture objects: each filter, address mode, geometry and type of texel on both devices, against a model in NumPy."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw

from .sampler import gather, normalised, sample

Array = NDArray[Any]

DEVICES = ("cpu", "reference")
TYPES = ("char", "uchar", "short", "ushort", "int", "uint", "float")
DTYPES: dict[str, str] = dict(zip(TYPES, ("i1", "u1", "i2", "u2", "i4", "u4", "f4"), strict=True))
SPECIAL = [
    0.0, -0.0, 0.5, 1.0, -0.5, 1.5, -1e-10, 1 - 2.0**-24, 2.998, 3.0, 3.5, 1e9, -1e9, 2.0**31, 3e38, -3e38, 1e-45,
    np.inf, -np.inf, np.nan, 4.501953125, 2.001953125,
]  # fmt: skip


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(Path(__file__).with_name("fetches.cu"))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    return np.random.default_rng(sum(request.node.name.encode()))


def coordinates(rng: np.random.Generator, normalized: bool, count: int = 72) -> Array:
    """Around and within a texture of a few texels, and the odd ones."""
    plain = rng.uniform(-1.5, 2.5, count) if normalized else rng.uniform(-3, 9, count)
    plain[: count // 4] = np.round(plain[: count // 4] * 4) / 4
    plain[-len(SPECIAL) :] = rng.permutation(SPECIAL)
    return rng.permutation(plain).astype(np.float32)


def texels_of(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Array:
    if dtype[0] == "f":
        return rng.normal(size=shape).astype(dtype)
    limits = np.iinfo(dtype)
    values = rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    values.flat[:2] = limits.min, limits.max
    return values


def launched(
    module: lw.Module, kernel: str, texture: lw.Texture, places: Sequence[Array], channels: int, dtype: str, device: str
) -> Array:
    count = len(places[0])
    out = np.zeros((count, channels), dtype)
    module[kernel].launch(-(-count // 32), 32, (out, texture, *places, count), device=device)
    return out


def same(found: Array, wanted: Array) -> None:
    np.testing.assert_array_equal(found, wanted.reshape(found.shape))


# -- every mode of every geometry -------------------------------------------------------------------------------------

SHAPES = {"1d": (5,), "2d": (3, 5), "3d": (2, 3, 4), "1d_layered": (3, 5), "2d_layered": (2, 3, 4)}
MODES = [
    pytest.param(linear, address, normalized, id=f"{'linear' if linear else 'point'}-{address}{'-1' * normalized}")
    for linear in (False, True)
    for normalized in (False, True)
    for address in (("clamp", "border", "wrap", "mirror") if normalized else ("clamp", "border"))
]


@pytest.mark.parametrize("channels", [1, 4])
@pytest.mark.parametrize("geometry", SHAPES)
@pytest.mark.parametrize(("linear", "address", "normalized"), MODES)
def test_modes(
    module: lw.Module, rng: np.random.Generator, geometry: str, linear: bool, address: str, normalized: bool,
    channels: int,
):  # fmt: skip
    layered = geometry.endswith("layered")
    texels = texels_of(rng, (*SHAPES[geometry], channels), "f4")
    border = rng.normal(size=channels).astype(np.float32)
    axes = texels.ndim - 1 - layered
    places = [coordinates(rng, normalized) for _ in range(axes)]
    texture = lw.Texture(
        texels,
        filter="linear" if linear else "point",
        address=address,  # pyright: ignore[reportArgumentType] : one of the modes
        normalized=normalized,
        layered=layered,
        channels=channels,
        border=border.tolist(),
    )
    model: dict[str, Any] = {
        "linear": linear, "address": [address] * axes, "normalized": normalized, "border": border,
    }  # fmt: skip
    if layered:
        layer = rng.integers(-2, texels.shape[0] + 2, len(places[0]), np.int32)
        inside = np.clip(layer, 0, texels.shape[0] - 1)
        wanted = np.stack([sample(texels[k], [p[i : i + 1] for p in places], **model)[0] for i, k in enumerate(inside)])
        arguments = [*places, layer]
    else:
        wanted = sample(texels, places, **model)
        arguments = places
    kernel = f"sample_{geometry}_float" + ("4" if channels == 4 else "")
    for device in DEVICES:
        same(launched(module, kernel, texture, arguments, channels, "f4", device), wanted)


def face_of(x: Array, y: Array, z: Array) -> tuple[Array, Array, Array]:
    """The face that each direction meets, and where on it (CUDA C++ Programming Guide, "Cubemap Textures")."""
    rows = [(0, x, -z, -y), (1, -x, z, -y), (2, y, x, z), (3, -y, x, -z), (4, z, x, -y), (5, -z, -x, -y)]
    sizes = np.stack([np.abs(x), np.abs(y), np.abs(z)])
    axis = np.argmax(sizes, axis=0)  # the first of equal ones
    number = 2 * axis + (np.choose(axis, (x, y, z)) < 0)
    one = np.float32(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        u, v = (
            np.choose(number, [(row[place] / row[1] + one) / np.float32(2) for row in rows]).astype(np.float32)
            for place in (2, 3)
        )
    return number, u, v


@pytest.mark.parametrize("layered", [False, True])
@pytest.mark.parametrize("linear", [False, True])
def test_cubemaps(module: lw.Module, rng: np.random.Generator, linear: bool, layered: bool):
    texels = texels_of(rng, (12 if layered else 6, 4, 4, 1), "f4")
    directions = rng.uniform(-2, 2, (3, 96)).astype(np.float32)
    directions[:, :8] = np.sign(directions[:, :8])  # corners
    directions[:, 8] = 0
    directions[:2, 9:20] = rng.choice([-1, 0, 1], (2, 11))
    number, u, v = face_of(*directions)
    texture = lw.Texture(texels, "linear" if linear else "point", channels=1, layered=layered, cubemap=True)
    layer = rng.integers(-1, 3, 96, np.int32)
    faces = 6 * np.clip(layer, 0, 1) + number if layered else number
    model: dict[str, Any] = {"linear": linear, "address": ["clamp"] * 2, "normalized": True}
    wanted = np.stack([sample(texels[k], [u[i : i + 1], v[i : i + 1]], **model)[0] for i, k in enumerate(faces)])
    kernel = "sample_cube_layered_float" if layered else "sample_cube_float"
    arguments = [*directions, layer] if layered else list(directions)
    for device in (*DEVICES, "simt"):
        same(launched(module, kernel, texture, arguments, 1, "f4", device), wanted)


def test_cubemaps_have_six_square_faces():
    for shape, layered in (((6, 4, 3), False), ((5, 4, 4), False), ((4, 4), False), ((7, 4, 4), True)):
        with pytest.raises(lw.Error, match=r"array of a cubemap has shape \(6"):
            lw.Texture(np.zeros(shape, np.float32), layered=layered, cubemap=True)


def test_address_modes_by_axis(module: lw.Module, rng: np.random.Generator):
    texels = texels_of(rng, (2, 3, 4, 1), "f4")
    places = [coordinates(rng, normalized=True) for _ in range(3)]
    address: tuple[Any, ...] = ("wrap", "border", "mirror")
    texture = lw.Texture(texels, "linear", address, normalized=True, channels=1)
    wanted = sample(texels, places, linear=True, address=address, normalized=True)
    for device in DEVICES:
        same(launched(module, "sample_3d_float", texture, places, 1, "f4", device), wanted)


# -- every type of texel -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("channels", [1, 2, 4])
@pytest.mark.parametrize("type_", TYPES)
def test_types(module: lw.Module, rng: np.random.Generator, type_: str, channels: int):
    dtype, name = DTYPES[type_], type_ + (str(channels) if channels > 1 else "")
    line, image = texels_of(rng, (9, channels), dtype), texels_of(rng, (3, 5, channels), dtype)
    index = np.array([0, 8, 3, -1, 9, 2**31 - 1, -(2**31), 5], np.int32)
    inside = (index >= 0) & (index < 9)
    places = [coordinates(rng, normalized=False) for _ in range(2)]
    for device in DEVICES:
        found = launched(module, f"fetch_{name}", lw.Texture(line, channels=channels), [index], channels, dtype, device)
        same(found, np.where(inside[:, None], line[np.where(inside, index, 0)], 0))
        found = launched(module, f"point_{name}", lw.Texture(image, channels=channels), places, channels, dtype, device)
        same(found, sample(image, places, address=("clamp", "clamp")))


@pytest.mark.parametrize("channels", [1, 4])
@pytest.mark.parametrize("linear", [False, True], ids=["point", "linear"])
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2"])
def test_integers_as_fractions(module: lw.Module, rng: np.random.Generator, dtype: str, linear: bool, channels: int):
    image = texels_of(rng, (3, 5, channels), dtype)
    places = [coordinates(rng, normalized=False) for _ in range(2)]
    texture = lw.Texture(image, "linear" if linear else "point", read="normalized", channels=channels)
    wanted = sample(normalised(image), places, linear=linear, address=("clamp", "clamp"))
    assert normalised(image).max() == 1
    kernel = "sample_2d_float4" if channels == 4 else "sample_2d_float"
    for device in DEVICES:
        same(launched(module, kernel, texture, places, channels, "f4", device), wanted)


@pytest.mark.parametrize("linear", [False, True], ids=["point", "linear"])
def test_half_precision_comes_as_float(module: lw.Module, rng: np.random.Generator, linear: bool):
    image = texels_of(rng, (3, 5, 4), "f2")
    image[0, 0] = 6e-8, -6e-5, 65504, -0.0
    places = [coordinates(rng, normalized=False) for _ in range(2)]
    wanted = sample(image.astype(np.float32), places, linear=linear, address=("clamp", "clamp"))
    texture = lw.Texture(image, "linear" if linear else "point", channels=4)
    for device in DEVICES:
        same(launched(module, "sample_2d_float4", texture, places, 4, "f4", device), wanted)


def test_all_halves(module: lw.Module):
    values = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    index = np.arange(1 << 16, dtype=np.int32)
    found = launched(module, "fetch_float", lw.Texture(values), [index], 1, "f4", "cpu")
    same(found, values.astype(np.float32))
    some = np.r_[0:1030:37, 0x7C00:0x7C04, 0xFC00:0xFE03:99].astype(np.int32)
    judged = launched(module, "fetch_float", lw.Texture(values), [some], 1, "f4", "reference")
    assert (judged.view(np.uint32) == found[some].view(np.uint32)).all()


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2"])
def test_all_integers_as_fractions(module: lw.Module, dtype: str):
    limits = np.iinfo(dtype)
    values = np.arange(limits.min, limits.max + 1).astype(dtype)
    index = np.arange(values.size, dtype=np.int32)
    found = launched(module, "fetch_float", lw.Texture(values, read="normalized"), [index], 1, "f4", "cpu")
    same(found, normalised(values))


def test_infinities_and_nans_in_texels(module: lw.Module, rng: np.random.Generator):
    image = texels_of(rng, (3, 5, 1), "f4")
    image[1, 1], image[0, 3], image[2, 2] = np.inf, np.nan, -np.inf
    places = [coordinates(rng, normalized=False) for _ in range(2)]
    with np.errstate(invalid="ignore"):
        wanted = sample(image, places, linear=True, address=("clamp", "clamp"))
    texture = lw.Texture(image, "linear", channels=1)
    for device in DEVICES:
        same(launched(module, "sample_2d_float", texture, places, 1, "f4", device), wanted)


# -- gathers and other forms -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("channels", [1, 4])
@pytest.mark.parametrize("address", ["clamp", "border"])
def test_gather(module: lw.Module, rng: np.random.Generator, address: str, channels: int):
    image = texels_of(rng, (3, 5, channels), "f4")
    places = [coordinates(rng, normalized=False) for _ in range(2)]
    texture = lw.Texture(image, address=address, channels=channels)  # pyright: ignore[reportArgumentType] : a mode
    for kernel, channel in (("gather_float", 0), *([("gather_third", 2)] if channels == 4 else [])):
        wanted = gather(image, *places, address=(address, address), channel=channel)
        for device in DEVICES:
            same(launched(module, kernel, texture, places, 4, "f4", device), wanted)


@pytest.mark.parametrize("device", DEVICES)
def test_all_forms_of_a_fetch_agree(module: lw.Module, rng: np.random.Generator, device: str):
    textures = [
        lw.Texture(texels_of(rng, shape, "f4"), "linear", layered=layered)
        for shape, layered in (((5,), False), ((3, 5), False), ((2, 3, 4), False), ((2, 3, 4), True))
    ]
    places = [rng.uniform(0, 5, 40).astype(np.float32) for _ in range(2)]
    equal = np.zeros(40, np.int32)
    module["forms"].launch(2, 32, (equal, *textures, *places, 40), device=device)
    assert equal.all()


# -- what the guide says in words --------------------------------------------------------------------------------------


def test_linear_filtering_is_right_at_centres_and_between(module: lw.Module):
    """CUDA C++ Programming Guide, "Linear Filtering": a texel's centre is at i + 0.5."""
    x = np.array([0.5, 1.5, 2.5, 1.0, 2.0, 1.25, 0.0, 3.0], np.float32)
    texture = lw.Texture(np.array([10, 20, 40], np.float32), "linear")
    found = launched(module, "sample_1d_float", texture, [x], 1, "f4", "cpu")
    assert found[:, 0].tolist() == [10, 20, 40, 15, 30, 17.5, 10, 40]


def test_weights_have_eight_bits_of_fraction(module: lw.Module):
    x = (np.array([0, 1, 2, 3, 255, 256]) / 512 + 0.5).astype(np.float32)
    texture = lw.Texture(np.array([0, 256], np.float32), "linear")
    found = launched(module, "sample_1d_float", texture, [x], 1, "f4", "cpu")
    assert found[:, 0].tolist() == [0, 1, 1, 2, 128, 128]


def test_order_of_a_gather(module: lw.Module):
    """PTX ISA, `tld4`: lower left, lower right, upper right, upper left."""
    texture = lw.Texture(np.array([[10, 20], [30, 40]], np.float32))
    one = np.ones(1, np.float32)
    assert launched(module, "gather_float", texture, [one, one], 4, "f4", "cpu").tolist() == [[30, 40, 20, 10]]


def test_views_of_arrays(module: lw.Module, rng: np.random.Generator):
    """A part of an image, upside down, every other row: only the texels of a row lie side by side."""
    whole = texels_of(rng, (12, 9), "f4")
    part = whole[::-2, 2:7]
    places = [coordinates(rng, normalized=False) for _ in range(2)]
    for device in DEVICES:
        found = launched(module, "sample_2d_float", lw.Texture(part, "linear"), places, 1, "f4", device)
        same(found, sample(part[..., None], places, linear=True, address=("clamp", "clamp")))


def test_what_is_written_to_the_array_is_fetched(module: lw.Module):
    values = np.zeros(4, np.float32)
    texture = lw.Texture(values)
    values[2] = 7
    for device in DEVICES:
        index = np.array([2], np.int32)
        assert launched(module, "fetch_float", texture, [index], 1, "f4", device)[0, 0] == 7
