# SPDX-License-Identifier: Apache-2.0
"""Pairs of 32-bit fields at any address, by gathers and scatters of 64 bits: the reference device's results."""

from functools import cache

import numpy as np
import pytest

import lanewise as lw
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.pipelines.target import host_target
from lanewise.workgroup.mapping import mapping_of

SOURCE = """
__global__ void exchange(float2 *out, const float2 *in, const int *places, int n) {
    __shared__ float2 tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[places[i] & 63] = in[places[i]];
    __syncthreads();
    float2 own = tile[(places[i] * 5) & 63];
    out[i] = make_float2(own.y, own.x + threadIdx.x);
}
__global__ void some(float2 *out, const float2 *in, const int *places, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, place = places[i];
    if (place % 3 != 0 && place < n) {
        float2 v = in[place];
        v.x -= v.y;
        out[place] = v;
    }
}
__global__ void last_wins(float2 *out, const float2 *in, const int *places, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[blockIdx.x * 64 + (places[i] & 7)] = make_float2(in[i].x, i);
}
__global__ void whole(int2 *out, const int2 *in, const int *places, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int2 a = in[places[i]], b = in[places[i] ^ 1];
    out[places[i]] = make_int2(a.x * b.y, a.y - b.x);
}
"""
ITEMS = 192


@cache
def module(mapping: str) -> lw.Module:
    return lw.compile(SOURCE, language="cuda", mapping=mapping)


def arguments(kernel: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.int32]:
    random = np.random.default_rng(7)
    type_ = np.int32 if kernel == "whole" else np.float32
    given = random.integers(-1000, 1000, (ITEMS, 2)).astype(type_)
    places = (
        np.concatenate([64 * block + random.permutation(64) for block in range(ITEMS // 64)])
        if kernel == "exchange"
        else random.permutation(ITEMS)
    )
    return np.zeros((ITEMS, 2), type_), given, places.astype(np.int32), np.int32(150)


@pytest.mark.parametrize("mapping", ["lanes", "lanes:4x1", "lanes:16x2"])
@pytest.mark.parametrize("kernel", ["exchange", "some", "whole"])
def test_pairs_are_those_of_the_reference_device(mapping: str, kernel: str):
    found, expected = arguments(kernel), arguments(kernel)
    module(mapping)[kernel].launch(ITEMS // 64, 64, found)
    module(mapping)[kernel].launch(ITEMS // 64, 64, expected, device="reference")
    assert found[0].tobytes() == expected[0].tobytes()


def test_both_fields_are_of_one_work_item():
    """Several work-items store to one address."""
    out, given, places, n = arguments("last_wins")
    module("lanes")["last_wins"].launch(ITEMS // 64, 64, (out, given, places, n))
    written = out[out.any(1)]
    assert len(written) == 8 * (ITEMS // 64)
    assert (given[written[:, 1].astype(int), 0] == written[:, 0]).all()


@pytest.mark.parametrize("gathers", [True, False])
def test_pairs_are_gathered_where_that_is_fast(gathers: bool):
    target = host_target()
    target = target._replace(processor=target.processor._replace(lanes=16, gathers_pairs=gathers))
    made = compile_for_cpu(
        module("lanes").ir(), "_Z5wholeP4int2PKS_PKii", (64, 1, 1), mapping=mapping_of("lanes:16x1"), target=target
    )
    text = write_module(made.module)
    assert ("masked.gather.v16i64" in text, "masked.scatter.v16i64" in text) == (gathers, gathers)
