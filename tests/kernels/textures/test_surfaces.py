# SPDX-License-Identifier: Apache-2.0
"""Surface objects on both devices, against NumPy."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import lanewise as lw

Array = NDArray[Any]

DEVICES = ("cpu", "reference")
SHAPES = {"1d": (6,), "2d": (3, 6), "3d": (2, 3, 6), "1d_layered": (4, 6), "2d_layered": (2, 3, 6)}
VECTOR = {"float": ("f4", 1), "short4": ("i2", 4)}


@pytest.fixture(scope="module")
def module() -> lw.Module:
    return lw.compile(Path(__file__).with_name("surfaces.cu"))


def values_of(shape: tuple[int, ...], dtype: str) -> Array:
    return np.random.default_rng(3).integers(0, 256, (*shape, np.dtype(dtype).itemsize), np.uint8).view(dtype)[..., 0]


@pytest.mark.parametrize("mode", ["Zero", "Clamp"])
@pytest.mark.parametrize("type_", VECTOR)
@pytest.mark.parametrize("geometry", SHAPES)
@pytest.mark.parametrize("device", DEVICES)
def test_reads_inside_and_outside(module: lw.Module, device: str, geometry: str, type_: str, mode: str):
    dtype, channels = VECTOR[type_]
    whole = values_of((*SHAPES[geometry], channels), dtype)
    surface = lw.Surface(whole, layered=geometry.endswith("layered"), channels=channels)
    rng = np.random.default_rng(4)
    extents = SHAPES[geometry][::-1]  # x, y, z; x and the layer
    places = [rng.integers(-2, extent + 2, 50).astype(np.int32) for extent in extents]
    out = np.ones((50, channels), dtype)
    module[f"read_{geometry}_{type_}_{mode}"].launch(1, 8, (out, surface, *places, 50), device=device)
    inside = np.all([(p >= 0) & (p < n) for p, n in zip(places, extents, strict=True)], axis=0)
    nearest = tuple(np.clip(p, 0, n - 1) for p, n in zip(places, extents, strict=True))[::-1]
    wanted = whole[nearest]
    if mode == "Zero":
        wanted = np.where(inside[:, None], wanted, 0)
    assert 0 < inside.sum() < 50
    assert out.tobytes() == wanted.astype(dtype).tobytes()


@pytest.mark.parametrize("device", DEVICES)
def test_trap_mode_ends_the_launch_outside(module: lw.Module, device: str):
    surface, out = lw.Surface(np.zeros(6, np.float32)), np.zeros(2, np.float32)
    inside, outside = np.array([0, 5], np.int32), np.array([0, 6], np.int32)
    module["read_1d_float_Trap"].launch(1, 1, (out, surface, inside, 2), device=device)
    with pytest.raises(lw.LaunchError, match=r"a surface access of 4 bytes at \(24, 0, 0\) which is outside"):
        module["read_1d_float_Trap"].launch(1, 1, (out, surface, outside, 2), device=device)


@pytest.mark.parametrize(
    ("type_", "dtype", "channels"),
    [("char", "i1", 1), ("uchar", "u1", 1), ("short", "i2", 1), ("int", "i4", 1), ("float", "f4", 1),
     ("uchar2", "u1", 2), ("ushort2", "u2", 2), ("float2", "f4", 2), ("uchar4", "u1", 4), ("short4", "i2", 4),
     ("uint4", "u4", 4), ("float4", "f4", 4)],
)  # fmt: skip
@pytest.mark.parametrize("device", DEVICES)
def test_writes_of_all_types(module: lw.Module, device: str, type_: str, dtype: str, channels: int):
    written = values_of((4, 6, channels), dtype)
    target = np.zeros((3, 5, channels), dtype)  # less than is written: the rest is dropped
    module[f"write_{type_}"].launch(1, (6, 4), (written, lw.Surface(target, channels=channels), 6), device=device)
    assert target.tobytes() == written[:3, :5].tobytes()


@pytest.mark.parametrize("device", DEVICES)
def test_writes_of_all_geometries(module: lw.Module, device: str):
    one, three = np.zeros(5, np.int32), np.zeros((3, 2, 5), np.int32)
    one_layered, two_layered = np.zeros((2, 5), np.int32), np.zeros((2, 3, 5), np.int32)
    surfaces = (lw.Surface(one), lw.Surface(three), lw.Surface(one_layered, True), lw.Surface(two_layered, True))
    module["write_everywhere"].launch(1, 5, surfaces, device=device)
    assert one.tolist() == [0, 1, 2, 3, 4]
    assert three[2, 1].tolist() == [100, 101, 102, 103, 104]
    assert one_layered[1].tolist() == [200, 201, 202, 203, 204]
    assert two_layered[1, 2].tolist() == [300, 301, 302, 303, 304]
    assert [int(array.sum()) for array in (three, one_layered, two_layered)] == [510, 1010, 1510]


@pytest.mark.parametrize("device", DEVICES)
def test_a_surface_and_a_texture_of_one_array(module: lw.Module, device: str):
    image = values_of((3, 4, 4), "u1")
    before = image.copy()
    module["brighten"].launch(3, 4, (lw.Surface(image, channels=4), lw.Texture(before, channels=4)), device=device)
    before[..., 0] += 1
    before[..., 3] = 255
    assert (image == before).all()


@pytest.mark.parametrize("device", DEVICES)
def test_x_must_be_a_multiple_of_the_size(module: lw.Module, device: str):
    with pytest.raises(lw.LaunchError, match="whose x is not a multiple of its size"):
        module["misaligned"].launch(1, 1, (lw.Surface(np.zeros(4, np.int32)), np.zeros(1, np.int32)), device=device)


def test_faults_on_the_cpu_name_the_block(module: lw.Module):
    image, out = np.zeros((4, 4), np.uint8), lw.Texture(np.zeros((2, 4), np.uint8))
    with pytest.raises(lw.LaunchError, match=r"texture that gives uchar, in block \(\d, 0, 0\)"):
        module["brighten"][2, 4](lw.Surface(image), out)
