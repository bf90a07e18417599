# SPDX-License-Identifier: Apache-2.0
"""Variables of a program: all code of its kernels uses the same ones, that which launches ask for later, too."""

from pathlib import Path

import numpy as np
import pytest
from tests.cuda.objects.test_loaded_image import content
from tests.opencl.interface import Session

from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.cuda.objects.image import SMALL_GRID
from lanewise.cuda.objects.loaded_image import NUMBERS
from lanewise.cuda.service.opencl_programs import opencl_answer
from lanewise.cuda.service.request import OpenClRequest, OpenClWork
from lanewise.opencl.library import build_of_platform

SOURCE = """
global int total = 5;
global int spare[3];
global int *global last = &total;
constant int steps[2] = {1, 10};
kernel void add(global int *out) {
  int i = get_global_id(0);
  if (get_global_id(1) == get_global_offset(1)) out[i] = atomic_add(&total, steps[i & 1]);
  spare[2] = 9;
}
kernel void tell(global int *out) { out[0] = total; out[1] = *last; out[2] = spare[2]; last = &spare[2]; }
"""
KINDS = ["usual", "large", "offset", "large with offset"]


def _added(session: Session, kernel: int, kind: str) -> list[int]:
    """A launch of 4 work-items, which add 22; or of so many work-groups that it isn't a usual one."""
    found = np.zeros(8, "i4")
    buffer = session.buffer(found)
    session.set(kernel, buffer)
    session.run(kernel, [4, 1 << 16 if "large" in kind else 1], [4, 1], [2, 1] if "offset" in kind else None)
    return [int(number) for number in session.read(buffer, found)]


def _told(session: Session, kernel: int) -> list[int]:
    found = np.zeros(3, "i4")
    buffer = session.buffer(found)
    session.set(kernel, buffer)
    session.run(kernel, [1])
    return [int(number) for number in session.read(buffer, found)]


@pytest.mark.parametrize("first", KINDS)
def test_launches_that_need_other_code_use_the_same_variables(session: Session, first: str) -> None:
    """The code for large grids, and that for offsets, is compiled when the first such launch comes."""
    program = session.program(SOURCE, "-cl-std=CL3.0")
    add, tell = (session.cl.clCreateKernel(program, name) for name in (b"add", b"tell"))
    for number, kind in enumerate([first, *KINDS], start=1):
        before, total = 22 * number - 17, 22 * number + 5
        assert before in _added(session, add, kind), kind
        assert _told(session, tell) == [total, total if number == 1 else 9, 9], kind
    again = session.cl.clCreateKernel(session.program(SOURCE, "-cl-std=CL3.0"), b"tell")
    assert _told(session, again) == [5, 5, 0]


def test_a_build_makes_code_for_usual_launches_alone() -> None:
    """That of a program which writes variables takes no longer than that of another one."""
    build = build_of_platform()
    request = OpenClRequest(build, "/", OpenClWork.BUILD, "-cl-std=CL3.0", False, False, 0, False, (SOURCE,))
    answer = opencl_answer(request, Cache(from_environment().cache_dir)).decode()
    image = content(Path(answer.split("\n")[0].removeprefix("library ")))
    (code,) = next(kernel["codes"] for kernel in image["kernels"] if kernel["name"] == b"add")
    assert code["flags"] == NUMBERS[SMALL_GRID]
