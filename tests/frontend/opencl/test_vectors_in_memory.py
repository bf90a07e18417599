# SPDX-License-Identifier: Apache-2.0
"""Vector data load and store (6.12.7), with half in all rounding modes, shuffles (6.12.12), asynchronous copies
(6.12.10)."""

from __future__ import annotations

import numpy as np
import pytest
from tests.frontend.opencl.built_ins import AS_UNSIGNED, TYPES
from tests.frontend.opencl.running import DEVICES, DTYPES, Array, aligned

import lanewise as lw

FP16 = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
VECTORS = (2, 3, 4, 8, 16)


def _bits(count: int, type_: str) -> Array:
    data = np.random.default_rng(count).integers(0, 64, count * 8, np.uint8)
    return data.view(DTYPES[type_])[:count].copy()


@pytest.mark.parametrize("type_", TYPES)
def test_packed_vectors_through_all_address_spaces(type_: str):
    """Each vector stands one component further than its size says, so that only components are aligned."""
    steps = "".join(
        f"""vstore{n}(vload{n}(1, from + 1), 1, near + 1);
      vstore{n}(vload{n}(1, near + 1), 1, mine + 1);
      vstore{n}(vload{n}(1, mine + 1), 1, to + {40 * i} + 1);
      vstore{n}(vload{n}(0, fixed + 1), 0, to + {40 * i} + 1);
    """
        for i, n in enumerate(VECTORS)
    )
    text = f"""{FP16} constant {type_} fixed[20] = {{{", ".join(str(i) for i in range(20))}}};
    kernel void k(global const {type_} *from, global {type_} *to) {{
      local {type_} near[40];
      {type_} mine[40];
      {steps}
    }}"""
    kernel = lw.compile(text, language="opencl")["k"]
    values = _bits(40, type_)
    wanted = np.zeros((5, 40), DTYPES[type_])
    for row, n in zip(wanted, VECTORS, strict=True):
        row[1 + n : 1 + 2 * n] = values[1 + n : 1 + 2 * n]
        row[1 : 1 + n] = np.arange(1, 1 + n)
    for device in DEVICES:
        to = np.zeros((5, 40), DTYPES[type_])
        kernel.ndrange(1, device=device)(values, to)
        assert to.tobytes() == wanted.tobytes(), device


@pytest.mark.parametrize("items", [4, 64, 4096])
def test_private_vectors_are_aligned_to_their_size(items: int):
    """Memory of 4,096 work-items is a mapping of its own."""
    text = """kernel void k(global ulong *places) {
      struct { long before[12]; long16 wide; } mine;
      places[get_global_id(0)] = (ulong)&mine.wide;
    }"""
    kernel = lw.compile(text, language="opencl")["k"]
    places = np.zeros(items, np.uint64)
    kernel.ndrange(items, items, device="cpu")(places)
    assert places.all()
    assert not (places % np.uint64(128)).any()


def _rounded_to_half(value: float, mode: str) -> np.float16:
    near = np.float16(value)
    up, down = np.float16(np.inf), np.float16(-np.inf)
    below = near if float(near) <= value else np.nextafter(near, down)
    above = near if float(near) >= value else np.nextafter(near, up)
    directed = {"_rtp": above, "_rtn": below, "_rtz": below if value > 0 else above}
    return near if value != value or float(near) == value else directed.get(mode, near)


@pytest.mark.parametrize("type_", ["float", "double"])
@pytest.mark.parametrize("mode", ["", "_rte", "_rtz", "_rtp", "_rtn"])
def test_numbers_stored_and_loaded_as_half(type_: str, mode: str):
    stores = "".join(
        f"""vstore_half{n}{mode}(vload{n}(0, in + 48 * i), 0, out + 128 * i + {20 * at});
      {f"vstorea_half{n}{mode}(vload{n}(0, in + 48 * i), 1, out + 128 * i + 96);" if n == 3 else ""}
      vstore{n}(vload_half{n}(0, out + 128 * i + {20 * at}), 0, back + 48 * i);
    """
        for at, n in enumerate(VECTORS[:4])
    )
    text = f"""kernel void k(global const {type_} *in, global half *out, global float *back) {{
      size_t i = get_global_id(0);
      {stores}
      vstore_half{mode}(in[48 * i], 90, out + 128 * i);
      vstore_half16{mode}(vload16(0, in + 48 * i), 0, out + 128 * i + 104);
      vstore3(vloada_half3(1, out + 128 * i + 96), 0, back + 48 * i + 20);
      vstore16(vloada_half16(0, out + 128 * i + 104), 0, back + 48 * i + 32);
    }}"""
    kernel = lw.compile(text, language="opencl")["k"]
    special = [1.0, -1.0, 0.1, -0.1, 1e-8, -1e-8, 65504, 65519, 65520, -65520, 1e30, np.inf, -np.inf, np.nan, 0.0, -0.0]
    values = np.zeros((12, 48), DTYPES[type_])
    values[:, :16] = np.random.default_rng(1).normal(size=(12, 16)) * 10.0 ** np.arange(-9, 3)[:, None]
    values[0, :16] = special
    with np.errstate(all="ignore"):
        rounded = np.array([[_rounded_to_half(float(v), mode) for v in row[:16]] for row in values], np.float16)
    for device in DEVICES:
        out, back = np.zeros((12, 128), np.float16), np.zeros((12, 48), np.float32)
        kernel.ndrange(12, device=device)(values, out, back)
        for at, n in enumerate(VECTORS[:4]):
            _assert_same(out[:, 20 * at : 20 * at + n], rounded[:, :n])
        _assert_same(out[:, 90], rounded[:, 0])
        _assert_same(out[:, 100:103], rounded[:, :3])  # at 96 + 1 * 4
        _assert_same(out[:, 104:120], rounded)
        _assert_same(back[:, 20:23], rounded[:, :3].astype(np.float32))
        _assert_same(back[:, 32:], rounded.astype(np.float32))


def _assert_same(found: Array, wanted: Array) -> None:
    np.testing.assert_array_equal(found, wanted)
    numbers = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(wanted[numbers]))


@pytest.mark.parametrize("type_", TYPES)
def test_shuffles(type_: str):
    mask_type = AS_UNSIGNED[type_]
    pairs = [(m, n) for m in (2, 4, 8, 16) for n in (2, 4, 8, 16)]
    steps = "".join(
        f"""vstore{m}(shuffle(vload{n}(0, x), vload{m}(0, mask)), 0, out + {2 * at * 16});
      vstore{m}(shuffle2(vload{n}(0, x), vload{n}(0, y), vload{m}(0, mask)), 0, out + {(2 * at + 1) * 16});
    """
        for at, (m, n) in enumerate(pairs)
    )
    text = f"""{FP16}kernel void k(global const {type_} *x, global const {type_} *y, global const {mask_type} *mask,
                                  global {type_} *out) {{ {steps} }}"""
    kernel = lw.compile(text, language="opencl")["k"]
    x, y = _bits(16, type_), _bits(32, type_)[16:]
    mask = np.random.default_rng(3).integers(0, 256, 16).astype(DTYPES[mask_type])
    wanted = np.zeros((32, 16), DTYPES[type_])
    for at, (m, n) in enumerate(pairs):
        wanted[2 * at, :m] = x[mask[:m] % n]
        wanted[2 * at + 1, :m] = np.concatenate([x[:n], y[:n]])[mask[:m] % (2 * n)]
    for device in DEVICES:
        out = np.zeros((32, 16), DTYPES[type_])
        kernel.ndrange(1, device=device)(x, y.copy(), mask, out)
        assert out.tobytes() == wanted.tobytes(), device


@pytest.mark.parametrize("type_", ["char", "float", "float3", "double2", "short16"])
def test_asynchronous_copies(type_: str):
    """In to local memory and out of it, plainly and with strides, by groups of which the last is smaller."""
    text = f"""kernel void k(global const {type_} *in, global {type_} *out, global {type_} *spread,
                           local {type_} *near) {{
      event_t event = async_work_group_copy(near, in + 13 * get_group_id(0), (size_t)13, 0);
      event = async_work_group_strided_copy(near + 13, in, (size_t)7, (size_t)3, event);
      prefetch(in, (size_t)4);
      wait_group_events(1, &event);
      event_t back[2];
      back[0] = async_work_group_copy(out + 20 * get_group_id(0), near, (size_t)20, 0);
      back[1] = async_work_group_strided_copy(spread + 40 * get_group_id(0), near, (size_t)20, (size_t)2, 0);
      wait_group_events(2, back);
    }}"""
    kernel = lw.compile(text, language="opencl")["k"]
    base = type_.rstrip("0123456789")
    lanes = {"": 1, "2": 2, "3": 4, "16": 16}[type_[len(base) :]]
    values = aligned((64, lanes), base)
    values[:] = _bits(64 * lanes, base).reshape(64, lanes)
    near = np.stack([np.concatenate([values[13 * g : 13 * g + 13], values[: 3 * 7 : 3]]) for g in range(3)])
    used = 3 if type_.endswith("3") else lanes
    for device in DEVICES:
        out, spread = aligned((3, 20, lanes), base), aligned((3, 20, 2, lanes), base)
        size = values.itemsize * lanes * 20
        kernel.ndrange((5, 4), (2, 4), device=device)(values, out, spread, lw.local(size))
        np.testing.assert_array_equal(out[..., :used], near[..., :used], device)
        np.testing.assert_array_equal(spread[:, :, 0, :used], near[..., :used], device)
        assert not spread[:, :, 1].any()
