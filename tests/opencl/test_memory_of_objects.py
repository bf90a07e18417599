# SPDX-License-Identifier: Apache-2.0
"""Objects that are created and released again and again take no more memory."""

import ctypes
import os
from pathlib import Path

from tests.opencl.interface import Session

_PAGE = os.sysconf("SC_PAGESIZE")


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE


def test_events_that_are_released_leave_nothing(library: Path, session: Session) -> None:
    functions = ctypes.CDLL(str(library))
    create = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(("clCreateUserEvent", functions))
    release = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(("clReleaseEvent", functions))

    def create_and_release(count: int) -> int:
        return sum(release(create(session.context, None)) for _ in range(count))

    assert create_and_release(3000) == 0  # some stay unused for a while
    before = _resident_bytes()
    assert create_and_release(100_000) == 0
    assert _resident_bytes() - before < 200_000
