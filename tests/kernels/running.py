# SPDX-License-Identifier: Apache-2.0
"""Runs a case on a device and compares what it left behind."""

from typing import Any

import numpy as np

import lanewise as lw

from .case import Arguments, Array, Case, Expected, Launch

GUARD = 64  # elements before and after every array; a kernel that writes there is at fault
PATTERN = 0xA5


def run(case: Case, launch: Launch, device: lw.Device, module: lw.Module) -> Arguments:
    """Launches the case's kernel and returns its arguments as they are afterwards."""
    fenced: dict[str, Array] = {}
    arguments: Arguments = {}
    for name, value in case.make(launch).items():
        if isinstance(value, np.ndarray):
            fenced[name], value = _fence(value)
        arguments[name] = value
    module[case.kernel].launch(
        launch.grid, launch.block, tuple(arguments.values()), shared=case.shared(launch), device=device
    )
    for name, whole in fenced.items():
        edges = np.concatenate([_bytes(whole[:GUARD]), _bytes(whole[-GUARD:])])
        assert (edges == PATTERN).all(), f"{case.kernel} wrote outside of {name}"
    return arguments


def _fence(array: Array) -> tuple[Array, Array]:
    """A copy of the array between guards, and the whole that holds them."""
    whole = np.empty(array.size + 2 * GUARD, array.dtype)
    _bytes(whole)[:] = PATTERN
    inside = whole[GUARD : GUARD + array.size].reshape(array.shape)
    inside[...] = array
    return whole, inside


def _bytes(array: Array) -> Array:
    return array.view(np.uint8)


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
