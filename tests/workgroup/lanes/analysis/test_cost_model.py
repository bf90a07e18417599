# SPDX-License-Identifier: Apache-2.0
"""How many chunks are chosen, for code of some kinds."""

import re

import pytest

import lanewise as lw
from lanewise.ir.module import IN_VECTORS

SOURCE = """
__global__ void update(float *a, const float *by, int pitch, int pivot) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * pitch + x] -= by[y] * a[pivot * pitch + x];
}
__global__ void from_another(float *a, const float *b, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * pitch + x] = 2 * b[y * pitch + x];
}
__global__ void of_known_rows(float *a, const float *by) {
    int x = threadIdx.x, y = threadIdx.y;
    a[y * 32 + x] -= by[y];
}
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("update", " 8 chunks along y"),
        ("from_another", " [24] chunks along y"),
        ("of_known_rows", " [24] chunks along y"),
    ],
)
def test_rows_that_are_loaded_and_stored_take_eight_chunks(name: str, expected: str):
    """The others as many as the processor has registers for."""
    (remark,) = lw.compile(SOURCE, language="cuda")[name].remarks((16, 16))
    assert re.search(expected, remark)


@pytest.mark.parametrize(("mapping", "is_in_vectors"), [("auto", True), ("loop", False)])
def test_a_module_without_loops_over_work_items_says_so(mapping: str, is_in_vectors: bool):
    module = lw.compile(SOURCE, language="cuda", mapping=mapping)
    assert (IN_VECTORS in module.ir("work-group", "of_known_rows", (32, 8))) == is_in_vectors
