# SPDX-License-Identifier: Apache-2.0
"""Loads in one of two arrays that each work-item chooses: two vectors under masks, in place of a gather."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.ir.writer import write_module
from lanewise.llvm import Machine
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.pipelines.target import CpuTarget
from lanewise.workgroup.mapping import mapping_of
from lanewise.workgroup.processor import Processor

PARAMETERS = "global TYPE *to, global const float *by, global const TYPE *a, global const TYPE *b, long n"
START = "long i = get_global_id(0), stride = get_global_size(0);"
CHOSEN = {
    "once": "if (i < n) to[i] = by[i] > 0 ? a[i] : b[i];",
    "in_a_loop": "for (; i < n; i += stride) to[i] = by[i] > 0 ? a[i] : b[i];",
}
NOT_CHOSEN = {
    "1: the same for all": "if (i < n) to[i] = by[0] > 0 ? a[i] : b[i];",
    "2: strided": "if (i < n) to[i] = (by[i] > 0 ? a : b)[3 * i];",
    "2: index of each lane's own": "if (i < n) to[i] = (by[i] > 0 ? a : b)[(long)by[i]];",
    "3: volatile": "if (i < n) to[i] = *(volatile global const TYPE *)((by[i] > 0 ? a : b) + i);",
    "4: chosen in another block": """
        global const TYPE *c = by[i] > 0 ? a : b;
        for (; i < n; i += stride) to[i] = c[i] * to[i];""",
}


def source(body: str, type_: str = "int") -> str:
    return f"kernel void either({PARAMETERS.replace('TYPE', type_)}) {{ {START} {body.replace('TYPE', type_)} }}"


def code_of(body: str, processor: Processor | None = None) -> str:
    program = lw.compile(source(body), language="opencl")
    target = CpuTarget(Machine.host(), processor or Processor())
    mapping = mapping_of("lanes:16x2")
    return write_module(compile_for_cpu(program.ir(), "either", (64, 1, 1), mapping=mapping, target=target).module)


def remarks_of(body: str) -> list[str]:
    return lw.compile(source(body), language="opencl", mapping="lanes:16x2")["either"].remarks(64)


@pytest.mark.parametrize("kind", CHOSEN)
def test_both_arrays_are_loaded_by_vectors(kind: str):
    text = code_of(CHOSEN[kind])
    assert "@llvm.masked.load.v16i32" in text
    assert "@llvm.masked.gather" not in text


@pytest.mark.parametrize("kind", CHOSEN)
def test_arrays_are_gathered_without_masked_vectors(kind: str):
    assert "@llvm.masked.gather" in code_of(CHOSEN[kind], Processor(masked_stores=False))


@pytest.mark.parametrize("kind", CHOSEN)
def test_the_remark_says_so(kind: str):
    assert any(remark.startswith("region 0: either: load from") for remark in remarks_of(CHOSEN[kind]))


@pytest.mark.parametrize("reason", NOT_CHOSEN)
def test_other_loads_are_not_taken_apart(reason: str):
    assert not any("either" in remark for remark in remarks_of(NOT_CHOSEN[reason]))


def test_later_iterations_of_both_are_prefetched():
    text = code_of(CHOSEN["in_a_loop"])
    assert text.count("call void @llvm.prefetch") == 3 * 2  # of two chunks of three arrays


@pytest.mark.parametrize("kind", CHOSEN)
@pytest.mark.parametrize(("type_", "dtype"), [("char", np.int8), ("int", np.int32), ("double", np.float64)])
def test_each_work_item_has_that_of_its_array(kind: str, type_: str, dtype: type):
    """Up to the last element of arrays, and with NaNs as conditions."""
    n, size = 300, 192 if kind == "in_a_loop" else 320
    random = np.random.default_rng(7)
    by = random.choice(np.array([-1, 0, 1, np.nan], np.float32), n)
    a, b = (random.integers(-100, 100, n).astype(dtype) for _ in "ab")
    found = np.zeros(n, dtype)
    kernel = lw.compile(source(CHOSEN[kind], type_), language="opencl", mapping="lanes:16x2")["either"]
    kernel.ndrange(size, 64)(found, by, a, b, np.int64(n))
    np.testing.assert_array_equal(found, np.where(by > 0, a, b))
