# SPDX-License-Identifier: Apache-2.0
"""Random flow graphs as kernels: how often each lane visits each block, and what its variables are then.

Half of the kernels keep their graph as it is: LLVM's simplification, which gives loops preheaders and exits of their
own, is left out. LANEWISE_TEST_ALL_SHAPES=1 runs 2,000 kernels in place of a sample, and
`python -m tests.workgroup.lanes.test_flow_graphs FIRST COUNT` any others.
"""

import functools
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
import pytest

from lanewise import child
from lanewise.errors import Error
from lanewise.pipelines import cpu
from lanewise.pipelines.drive import Drive, View
from lanewise.program.source.compilation import compile_source

from ...parts import session
from .flow_kernels import inputs, random_kernel, text_of

KERNELS = 2_000 if os.environ.get("LANEWISE_TEST_ALL_SHAPES") else 48
BATCHES = 4
MAPPINGS = ("lanes:8x1", "lanes:4x4", "auto", "lanes:2x1", "lanes:16x2", "lanes:4x2", "loop")
SIZES = (32, 32, 21)
"""Work-items of a block: a whole number of units, or not."""
FOUND = (133, 276, 297, 9450)
"""Kernels that have shown wrong code: an edge from within an inner divergent loop to the header of an outer one, and
exits of a divergent loop whose paths meet (the last)."""
AS_IT_IS = View(disabled=frozenset({"thread-jumps", "simplify", "simplify-again"}))


@contextmanager
def plainly(view: View) -> Iterator[None]:
    """Compile here and not in a child process, with `view` of the pipeline."""

    def here(what: str, function: Any, *arguments: Any, **named: Any) -> Any:
        del what
        return function(*arguments, **named)

    with (
        mock.patch.object(child, "in_child", here),
        mock.patch.object(cpu, "Drive", functools.partial(Drive, view=view)),
    ):
        yield


def failure(number: int) -> str | None:
    """The faults of a kernel: empty if there are none; None if no input is found with which all lanes end."""
    kernel = random_kernel(number)
    lanes, n = SIZES[number % len(SIZES)], 1 + number % 7919
    found = inputs(kernel, number, lanes, n)
    if found is None:
        return None
    given, wanted = found
    mapping = MAPPINGS[number // 6 % len(MAPPINGS)]
    out = np.zeros(wanted.shape, np.uint32)
    view = AS_IT_IS if number // 3 % 2 else View()
    with plainly(view):
        module = compile_source(session(), text_of(kernel, lanes), language="ir", mapping=mapping)
        try:
            module["k"].launch(1, lanes, (out, given, n, 0), device="cpu")
        except Error as error:
            return f"kernel {number}, {mapping}: {error}"
    if (out == wanted).all():
        return ""
    return f"kernel {number}, {mapping}, {'as it is' if view is AS_IT_IS else 'simplified'}: {kernel}"


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_flow_graphs(batch: int):
    kernels = 0
    for number in range(batch, KERNELS, BATCHES):
        wrong = failure(number)
        assert not wrong
        kernels += wrong is not None
    assert kernels > KERNELS // BATCHES // 2


@pytest.mark.parametrize("number", FOUND)
def test_flow_graphs_that_found_something(number: int):
    assert failure(number) == ""


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:3])
    run = 0
    for one in range(first, first + count):
        told = failure(one)
        run += told is not None
        if told:
            print(told, flush=True)
    print(f"{run} kernels of {count} ran")
