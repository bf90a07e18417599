# SPDX-License-Identifier: Apache-2.0
"""Runs a case on a device and compares what it left behind."""

from typing import Any

import numpy as np

import lanewise as lw

from .case import Arguments, Array, Case, Expected, Launch

PATTERN = 0xA5  # of the bytes before an array; a kernel that writes there is at fault


def run(case: Case, launch: Launch, device: lw.Device, module: lw.Module) -> Arguments:
    """Launches the case's kernel and returns its arguments as they are afterwards."""
    before: dict[str, Array] = {}
    arguments: Arguments = {}
    for name, value in case.make(launch).items():
        if isinstance(value, np.ndarray):
            before[name], value = _fence(value)
        arguments[name] = value
    module[case.kernel].launch(
        launch.grid, launch.block, tuple(arguments.values()), shared=case.shared(launch), device=device
    )
    for name, edge in before.items():
        assert (edge == PATTERN).all(), f"{case.kernel} wrote before {name}"
    return arguments


def _fence(array: Array) -> tuple[Array, Array]:
    """A copy of the array that ends where memory ends, so that an access behind it is a fault, and bytes before it."""
    edge = 256 - array.nbytes % 256
    whole = lw.empty(edge + array.nbytes, np.uint8, "cpu").array
    whole[:edge] = PATTERN
    inside = whole[edge:].view(array.dtype).reshape(array.shape)
    inside[...] = array
    return whole[:edge], inside


def check(case: Case, launch: Launch, after: Arguments) -> None:
    """Compares with the case's expectation, for all arrays."""
    before = case.make(launch)
    expected: Expected = case.expected(launch, case.make(launch))
    for name, value in before.items():
        if isinstance(value, np.ndarray):
            wanted = np.asarray(expected.get(name, value)).astype(value.dtype).reshape(value.shape)
            compare(f"{case.kernel} {launch}: {name}", after[name], wanted, case.tolerance)


def compare(what: str, found: Array, wanted: Array, tolerance: float = 0.0) -> None:
    """Fails with the first places that differ; NaNs are equal to each other."""
    if found.dtype.kind in "fc" and tolerance:
        same = np.isclose(found, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)
    elif found.dtype.kind in "fc":
        same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
    else:
        same = found == wanted
    places = np.flatnonzero(~same)
    first: list[Any] = [(int(p), found.flat[p], wanted.flat[p]) for p in places[:5]]
    assert not places.size, f"{what}: {places.size} of {found.size} differ; place, found, expected: {first}"


def equal_bits(what: str, one: Arguments, other: Arguments) -> None:
    """Fails unless two runs left the same bytes in all arrays."""
    for name, value in one.items():
        if isinstance(value, np.ndarray):
            left, right = (np.ascontiguousarray(a[name]).view(np.uint8).reshape(-1) for a in (one, other))
            places = np.flatnonzero(left != right)
            assert not places.size, f"{what}: {name} differs in {places.size} bytes, first at {places[:5]}"
