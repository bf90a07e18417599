# SPDX-License-Identifier: Apache-2.0
"""Dot products of four integers of 8 bits (cl_khr_integer_dot_product) against NumPy's, of vectors and packed."""

import numpy as np
import pytest

import lanewise as lw

COUNT = 64
RESULTS = {"uu": "uint", "ss": "int", "us": "int", "su": "int"}
BYTES = {"u": np.uint8, "s": np.int8}
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable
#if !__opencl_c_integer_dot_product_input_4x8bit || !__opencl_c_integer_dot_product_input_4x8bit_packed
#error "without the features"
#endif
kernel void k(global RESULT *out, global const LEFT4 *x, global const RIGHT4 *y, global const RESULT *sums) {
  size_t i = get_global_id(0);
  uint p = as_uint(x[i]), q = as_uint(y[i]);
  out[4 * i] = dot(x[i], y[i]);
  out[4 * i + 1] = dot_acc_sat(x[i], y[i], sums[i]);
  out[4 * i + 2] = dot_4x8packed_TYPES_RESULT(p, q);
  out[4 * i + 3] = dot_acc_sat_4x8packed_TYPES_RESULT(p, q, sums[i]);
}
"""


@pytest.mark.parametrize("types", RESULTS)
def test_products_and_saturated_sums(types: str) -> None:
    random, result = np.random.default_rng(1), RESULTS[types]
    names = {"s": "char", "u": "uchar"}
    text = SOURCE.replace("RESULT", result).replace("TYPES", types)
    text = text.replace("LEFT", names[types[0]]).replace("RIGHT", names[types[1]])
    module = lw.compile(text, language="opencl")
    assert not module.warnings
    x, y = (random.integers(0, 256, (COUNT, 4)).astype(np.uint8).view(BYTES[letter]) for letter in types)
    x[0], y[0] = np.iinfo(x.dtype).max, np.iinfo(y.dtype).max
    x[1], y[1] = np.iinfo(x.dtype).min, np.iinfo(y.dtype).max
    limits = np.iinfo(np.uint32 if result == "uint" else np.int32)
    sums = random.integers(limits.min, limits.max, COUNT).astype(limits.dtype)
    sums[:4] = limits.max, limits.min, limits.max - 3, limits.min + 3
    products = (x.astype(np.int64) * y).sum(1)
    saturated = np.clip(products + sums, limits.min, limits.max)
    expected = np.stack([products, saturated, products, saturated], 1)
    for device in ("cpu", "reference"):
        out = np.zeros((COUNT, 4), limits.dtype)
        module["k"].ndrange(COUNT, device=device)(out, x, y, sums)
        assert (out == expected).all(), device
