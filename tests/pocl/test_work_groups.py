# SPDX-License-Identifier: Apache-2.0
"""The kernels of pocl's tests/workgroup, with the output that pocl expects of them, where a checkout of pocl is:
LANEWISE_POCL=<folder> pytest tests/pocl

What work-items print before a barrier may come in any order of theirs; so lines are compared sorted, and the values
that a kernel leaves in memory as they are.
"""

import contextlib
import io
import os
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import lanewise as lw

CHECKOUT = os.environ.get("LANEWISE_POCL", "")
FOLDER = Path(CHECKOUT) / "tests" / "workgroup"

pytestmark = pytest.mark.skipif(not CHECKOUT, reason="LANEWISE_POCL, the path of a checkout of pocl, is not set")

_ENTRY = re.compile(
    r'add_test_pocl\(NAME "workgroup/(?P<name>\w+)"(?P<between>.*?)'
    r'COMMAND "run_kernel" "(?P<file>[\w.]+)" "?(\d+)"? "?(\d+)"? "?(\d+)"? "?(\d+)"?',
    re.DOTALL,
)
_EXPECTED = re.compile(r'EXPECTED_OUTPUT "([\w.]*)"')

SUBGROUPS = {"ballot.cl"}
"""Programs of OpenCL 2.0 and later."""

READS_UNWRITTEN = {"issue_548.cl"}
"""Adds 1 to local memory that nobody has written, which the reference device reports."""


class Case(NamedTuple):
    name: str
    file: str
    expected: str
    groups: int
    local: tuple[int, int, int]


def cases() -> list[Case]:
    if not CHECKOUT or not FOLDER.is_dir():
        return []
    found: list[Case] = []
    for match in _ENTRY.finditer((FOLDER / "CMakeLists.txt").read_text()):
        groups, x, y, z = map(int, match.groups()[3:])
        expected = _EXPECTED.search(match["between"])
        found.append(Case(match["name"], match["file"], expected[1] if expected else "", groups, (x, y, z)))
    return found


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_work_group(case: Case, device: str):
    if case.file in SUBGROUPS:
        pytest.skip("sub-groups are of OpenCL 2.0")
    (x, y, z), groups = case.local, case.groups
    count = groups * x * y * z
    if device == "reference" and count > 10_000:
        pytest.skip("too many work-items for an interpreter")
    kernel = lw.compile(FOLDER / case.file)["test_kernel"]
    inputs = [np.arange(4 * count, dtype=np.int32), np.arange(count, dtype=np.int32)][: len(kernel.params)]
    if device == "reference" and case.file in READS_UNWRITTEN:
        with pytest.raises(lw.LaunchError, match="memory that was never written"):
            kernel.ndrange(count, (x, y, z), device=device)(*inputs)
        return
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        kernel.ndrange((groups * x, y, z), (x, y, z), device=device)(*inputs)
    lines = printed.getvalue().splitlines()
    if inputs:
        lines += [f"{index}: {value}" for index, value in enumerate(inputs[-1][:count].tolist())]
    lines.append("OK")
    if case.expected:
        assert sorted(lines) == sorted((FOLDER / case.expected).read_text().splitlines())
