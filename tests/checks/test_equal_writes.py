# SPDX-License-Identifier: Apache-2.0
"""Equal values that several threads write in one epoch: a class of faults of their own, on request."""

import numpy as np
import pytest

import lanewise as lw
from lanewise.program.checked.rules import rule_of

SOURCE = """
__global__ void flag(int *out) {
    __shared__ int found;
    found = 1;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = found;
}
__global__ void flag_right(int *out) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 1;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = found;
}
__global__ void outer(int *out) {
    if (threadIdx.x == 0) out[5] = 7;
}
__global__ void outer_right(int *out) {
    if (threadIdx.x == 0 && blockIdx.x == 0) out[5] = 7;
}
__global__ void in_turn(int *out) {
    if (threadIdx.x == 0) out[5] = 7;
    __syncthreads();
    if (threadIdx.x == 1) out[5] = 7;
}
__global__ void own(int *out) {
    out[threadIdx.x ^ 1] += 1;
    out[threadIdx.x ^ 1] = 3;
    out[threadIdx.x ^ 1] = 3;
}
__global__ void both(int *out) {
    __shared__ int t[2];
    t[threadIdx.x / 32] = threadIdx.x == 40 ? 2 : 1;
    __syncthreads();
    out[threadIdx.x] = t[0];
}
__global__ void reads_first(int *out) {
    __shared__ int t;
    if (threadIdx.x == 0) t = 1;
    __syncthreads();
    out[threadIdx.x] = t;
    if (threadIdx.x == 63) t = 1;
}
"""
PLACES = {"flag": ("= 1;", "found"), "outer": ("out[5]", "out")}


@pytest.fixture(scope="module", params=["lanes", "loop", "threads"])
def strict(request: pytest.FixtureRequest) -> lw.Module:
    return lw.compile(SOURCE, language="cuda", checked="races-strict", mapping=request.param)


def faults(module: lw.Module, kernel: str, blocks: int = 4, threads: int = 64) -> list[tuple[str, int]]:
    """The kinds of faults and how often each was."""
    try:
        module[kernel][blocks, threads](np.zeros(256, np.int32))
    except lw.CheckError as error:
        return [(fault.kind, fault.times) for fault in error.faults]
    return []


@pytest.mark.parametrize(("kernel", "times"), [("flag", 4 * 63), ("outer", 3)])
def test_equal_writes_are_told_if_asked_for(strict: lw.Module, kernel: str, times: int) -> None:
    assert faults(lw.compile(SOURCE, language="cuda", checked="races"), kernel) == []
    with pytest.raises(lw.CheckError) as raised:
        strict[kernel][4, 64](np.zeros(256, np.int32))
    (fault,) = raised.value.faults
    assert (fault.kind, fault.name, rule_of(fault)) == ("equal writes", PLACES[kernel][1], "equal-writes")
    assert fault.times == times
    line = SOURCE.splitlines()[fault.line - 1]
    assert line[fault.column - 1 :].startswith(PLACES[kernel][0])
    assert fault.other is not None
    assert (fault.other.line, fault.other.column) == (fault.line, fault.column)
    assert "and write of the same value by thread (" in str(raised.value)


@pytest.mark.parametrize("kernel", ["flag_right", "outer_right"])
def test_no_word_on_the_mended_twin(strict: lw.Module, kernel: str) -> None:
    assert faults(strict, kernel) == []


def test_a_barrier_orders_equal_writes_of_a_block(strict: lw.Module) -> None:
    assert faults(strict, "in_turn", blocks=1) == []


def test_other_values_at_the_same_place_are_a_race_beside(strict: lw.Module) -> None:
    found = dict(faults(strict, "both", blocks=1))
    assert found["race"] in (1, 2)
    assert found["equal writes"] >= 60


def test_a_read_before_an_equal_write_is_a_race(strict: lw.Module) -> None:
    assert faults(lw.compile(SOURCE, language="cuda", checked="races", mapping="loop"), "reads_first", blocks=1) == []
    assert [kind for kind, _ in faults(strict, "reads_first", blocks=1)] == ["race"]


def test_a_thread_that_reads_and_writes_its_own_element_twice_is_none(strict: lw.Module) -> None:
    assert faults(strict, "own", blocks=1) == []


def test_races_and_strict_ones_together_are_the_strict_ones() -> None:
    module = lw.compile(SOURCE, language="cuda", checked=["races", "races-strict"])
    assert faults(module, "outer") == [("equal writes", 3)]


def test_the_reference_device_tells_of_the_races_among_them() -> None:
    module = lw.compile(SOURCE, language="cuda", checked="races-strict")
    with pytest.raises(lw.CheckError, match="race: write of element 1 of shared array 't'"):
        module["both"].launch(1, 64, (np.zeros(256, np.int32),), device="reference")
