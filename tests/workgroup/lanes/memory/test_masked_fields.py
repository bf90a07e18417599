# SPDX-License-Identifier: Apache-2.0
"""Single fields of small records, of some work-items: vectors under masks, in place of a branch for each work-item."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.ir.writer import write_module
from lanewise.llvm import Machine
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.pipelines.target import CpuTarget
from lanewise.workgroup.mapping import mapping_of
from lanewise.workgroup.processor import Processor

TYPES = {"uchar": np.uint8, "short": np.int16, "float": np.float32}


def _source(name: str, record: int, place: int, back: bool) -> str:
    number = "n - 1 - (long)get_global_id(0)" if back else "get_global_id(0)"
    return (
        f"kernel void some(global {name} *to, global const {name} *from, global const int *chosen, int n) {{"
        f" long i = {number};"
        f" if (chosen[get_global_id(0)]) to[{record} * i + {place}] = from[{record} * i + {place}] + 1; }}"
    )


@pytest.mark.parametrize(
    ("name", "record", "place", "back"),
    [
        ("uchar", 3, 0, False),
        ("uchar", 3, 1, True),
        ("uchar", 4, 3, False),
        ("short", 2, 1, False),
        ("short", 3, 2, True),
        ("float", 2, 0, True),
        ("float", 3, 2, False),
        ("float", 4, 0, False),
    ],
)
def test_only_the_fields_of_active_work_items_are_stored(name: str, record: int, place: int, back: bool):
    """Also in groups that aren't full, up to the last element of an array."""
    count = 150
    random = np.random.default_rng(3)
    given = random.integers(0, 100, record * (count - 1) + place + 1).astype(TYPES[name])
    chosen = random.integers(0, 2, count).astype(np.int32)
    found = np.zeros_like(given)
    kernel = lw.compile(_source(name, record, place, back), language="opencl", mapping="lanes")["some"]
    kernel.ndrange(count, 50)(found, given, chosen, np.int32(count))
    expected = np.zeros_like(given)
    order = chosen[::-1] if back else chosen
    expected[place::record][order != 0] = given[place::record][order != 0] + 1
    np.testing.assert_array_equal(found, expected)


def _text(name: str, record: int, processor: Processor) -> str:
    program = lw.compile(_source(name, record, 1, False), language="opencl")
    target = CpuTarget(Machine.host(), processor)
    return write_module(
        compile_for_cpu(program.ir(), "some", (64, 1, 1), mapping=mapping_of("lanes:16x1"), target=target).module
    )


@pytest.mark.parametrize(("name", "record"), [("uchar", 3), ("uchar", 4), ("float", 2)])
def test_small_records_are_accessed_by_vectors(name: str, record: int):
    text = _text(name, record, Processor())
    assert "@llvm.masked.gather" not in text
    assert "@llvm.masked.scatter" not in text


def test_large_records_are_not():
    text = _text("uchar", 8, Processor())
    assert "@llvm.masked.gather" in text
    assert "@llvm.masked.scatter" in text


def test_without_masked_stores_work_items_access_theirs_alone():
    text = _text("uchar", 3, Processor(masked_stores=False))
    assert "@llvm.masked.gather" in text
    assert "@llvm.masked.scatter" in text
