# SPDX-License-Identifier: Apache-2.0
"""Two hundred kernels with one planted fault each (`planted`): each fault is told, and nothing of the mended twins."""

from collections.abc import Sequence

import pytest

import lanewise as lw
from lanewise.program.checked.faults import KernelFault

from .planted.files import Planted, Ranges, compiled, planted

ALL = tuple(planted())

EXITS = "the threads that don't come have nothing left to do: since Volta, who has exited counts as having come"
FROM_MEMORY = "a pointer that is a member of a structure doesn't tell which array it points to"
MISSED = {
    "edge_guard": EXITS,
    "guarded": EXITS,
    "first_match": EXITS,
    "one_warp_calls": EXITS,
    "count_valid": EXITS,
    "diagonal": FROM_MEMORY,
}
"""Kernels whose faults are not told, and why."""
TOLD = tuple(case for case in ALL if case.kernel not in MISSED)
EXITING = tuple(case for case in ALL if MISSED.get(case.kernel) == EXITS)

CPU_ONLY = ("race", "divergent barrier", "absent lanes", "mask lacks lane")
"""Kinds of faults that not all devices find."""
ELSEWHERE = tuple(case for case in TOLD if case.kind not in CPU_ONLY)[::20]


def launched(case: Planted, *, twin: bool = False, device: str = "cpu", more: str = "") -> Sequence[KernelFault]:
    kept: list[lw.Buffer] = []
    launch = case.launch(kept)
    kernel = compiled(case.path, twin=twin, more=more)[launch.kernel]
    try:
        kernel.launch(launch.grid, launch.block, launch.arguments, launch.shared, device=device)
    except lw.CheckError as error:
        return error.faults
    return ()


def assert_told(case: Planted, faults: Sequence[KernelFault]) -> None:
    assert {kind(fault) for fault in faults} == {case.kind}
    others = [fault.other for fault in faults if fault.other is not None and fault.other.line]
    assert {each.line for each in (*faults, *others)} == case.lines
    if case.names:
        assert {fault.name for fault in faults} == case.names
    for fault in faults:
        assert is_in(fault.thread, case.threads)
        assert is_in(fault.block, case.blocks)


def kind(fault: KernelFault) -> str:
    """The kind as the files of planted faults call it: an index of a dimension is one out of bounds."""
    if fault.object == "null pointer":
        return fault.object
    return "out of bounds" if fault.kind == "index" else fault.kind


def is_in(place: tuple[int, int, int], ranges: Ranges) -> bool:
    return not ranges or all(each in range_ for each, range_ in zip(place, ranges, strict=True))


def test_there_are_two_hundred_of_them_with_names_of_their_own() -> None:
    names = [case.kernel for case in ALL]
    assert len(names) >= 200
    assert len(set(names)) == len(names)
    assert len(TOLD) + len(MISSED) == len(ALL)


@pytest.mark.parametrize("case", TOLD, ids=lambda case: case.kernel)
def test_a_planted_fault_is_told_and_its_twin_is_right(case: Planted) -> None:
    assert_told(case, launched(case))
    assert launched(case, twin=True) == ()


@pytest.mark.parametrize("case", [case for case in ALL if case.kernel in MISSED], ids=lambda case: case.kernel)
def test_what_is_missed(case: Planted) -> None:
    """If one of these fails, the fault is found now: take it off the list."""
    assert launched(case) == ()
    assert launched(case, twin=True) == ()


@pytest.mark.parametrize("case", EXITING, ids=lambda case: case.kernel)
def test_strict_barriers_count_who_has_exited(case: Planted) -> None:
    assert_told(case, launched(case, more="barriers-strict"))
    assert launched(case, twin=True, more="barriers-strict") == ()


@pytest.mark.parametrize("device", ["reference", "simt"])
@pytest.mark.parametrize("case", ELSEWHERE, ids=lambda case: case.kernel)
def test_other_devices_tell_the_same(case: Planted, device: str) -> None:
    assert_told(case, launched(case, device=device))
    assert launched(case, twin=True, device=device) == ()
