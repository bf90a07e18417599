# SPDX-License-Identifier: Apache-2.0
"""Two hundred kernels with one planted fault each (`planted`): each fault is told, and nothing of the mended twins."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import lanewise as lw
from lanewise.program.checked.faults import KernelFault

from .planted.files import FILES, Planted, Ranges, compiled, planted

ALL = tuple(planted())

EXITS = "the threads that don't come have nothing left to do: since Volta, who has exited counts as having come"
MISSED = {
    "edge_guard": EXITS,
    "first_match": EXITS,
    "one_warp_calls": EXITS,
    "count_valid": EXITS,
}
"""Kernels whose faults are not told, and why. If one is, take it off the list."""
TOLD = tuple(case for case in ALL if case.kernel not in MISSED)
EXITING = tuple(case for case in ALL if MISSED.get(case.kernel) == EXITS)

OF_MANY_THREADS = ("race", "divergent barrier", "absent lanes", "mask lacks lane")
"""Kinds of faults that only the CPU and the reference device find."""
ELSEWHERE = tuple(case for case in TOLD if case.kind not in OF_MANY_THREADS)[::20]
JUDGED = tuple(case for case in TOLD if case.kind in OF_MANY_THREADS)
"""Faults that the reference device finds by rules of its own."""


def launched(case: Planted, *, twin: bool = False, device: str = "cpu", more: str = "") -> Sequence[KernelFault]:
    kept: list[lw.Buffer] = []
    launch = case.launch(kept)
    kernel = compiled(case.path, twin=twin, more=more)[launch.kernel]
    try:
        kernel.launch(launch.grid, launch.block, launch.arguments, launch.shared, device=device)
    except lw.CheckError as error:
        return error.faults
    return ()


def wrong(case: Planted, faults: Sequence[KernelFault]) -> str:
    """Everything that the faults of a launch don't have as they should; "" if they are told right."""
    if not faults:
        return "not told"
    others = [fault.other for fault in faults if fault.other is not None and fault.other.line]
    found = (
        ("kind", {kind(fault) for fault in faults}, {case.kind}),
        ("lines", {each.line for each in (*faults, *others)}, case.lines),
        ("names", {fault.name for fault in faults} if case.names else set(), case.names),
    )
    parts = [f"{what} {got}, not {wanted}" for what, got, wanted in found if got != wanted]
    who = [(fault.block, fault.thread) for fault in faults]
    parts += [f"by {pair}" for pair in who if not (is_in(pair[0], case.blocks) and is_in(pair[1], case.threads))]
    return "; ".join(parts)


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


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_faults_are_told_and_their_twins_are_right(path: Path) -> None:
    cases = [case for case in ALL if case.path == path]
    told = {case.kernel: wrong(case, launched(case)) for case in cases}
    assert told == {case.kernel: "not told" if case.kernel in MISSED else "" for case in cases}
    assert {case.kernel: launched(case, twin=True) for case in cases} == {case.kernel: () for case in cases}


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("case", EXITING, ids=lambda case: case.kernel)
def test_strict_barriers_count_who_has_exited(case: Planted, device: str) -> None:
    assert wrong(case, launched(case, device=device, more="barriers-strict")) == ""
    assert launched(case, device=device, twin=True, more="barriers-strict") == ()


@pytest.mark.parametrize("case", JUDGED, ids=lambda case: case.kernel)
def test_the_reference_device_judges_races_and_barriers(case: Planted) -> None:
    assert wrong(case, launched(case, device="reference")) == ""
    assert launched(case, twin=True, device="reference") == ()


@pytest.mark.parametrize("device", ["reference", "simt"])
@pytest.mark.parametrize("case", ELSEWHERE, ids=lambda case: case.kernel)
def test_other_devices_tell_the_same(case: Planted, device: str) -> None:
    assert wrong(case, launched(case, device=device)) == ""
    assert launched(case, twin=True, device=device) == ()
