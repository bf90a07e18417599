# SPDX-License-Identifier: Apache-2.0
"""Variables of a program: all code of its kernels uses the same ones, that which launches ask for later, too."""

import ctypes
from pathlib import Path

import numpy as np
import pytest
from tests.cuda.objects.test_loaded_image import content
from tests.opencl import images as im
from tests.opencl.images import image
from tests.opencl.interface import Session

from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.cuda.objects.image import LOADED, SMALL_GRID
from lanewise.cuda.objects.loaded_image import NUMBERS
from lanewise.cuda.service.opencl_programs import opencl_answer
from lanewise.cuda.service.request import OpenClRequest, OpenClWork
from lanewise.opencl.library import build_of_platform
from lanewise.runtime.build import host_object
from lanewise.toolchain import link_shared_object

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


ADDRESSES = """
global int table[4] = {1, 2, 3, 4};
global int *constant rows[2] = {table, table + 2};
global int *global row = &table[1];
constant int a[2] = {1, 2};
constant int *global chosen;
kernel void through_rows(global int *out) { out[get_global_id(0)] = *rows[get_global_id(0) & 1] + 10 * *row; }
kernel void choose(global int *out) { chosen = a + 1; row = &table[3]; }
kernel void is_chosen(global int *out) { out[get_global_id(0)] = (chosen == a + 1) + 10 * *chosen + 100 * *row; }
"""


def _found(session: Session, kernel: int, offset: int) -> list[int]:
    found = np.zeros(4, "i4")
    buffer = session.buffer(found)
    session.set(kernel, buffer)
    session.run(kernel, [2], [2], [offset])
    return [int(number) for number in session.read(buffer, found)[offset : offset + 2]]


@pytest.mark.parametrize("first", [0, 2])
def test_addresses_in_variables_and_of_constants_are_the_same_in_all_code(session: Session, first: int) -> None:
    program = session.program(ADDRESSES, "-cl-std=CL3.0")
    kernels = [session.cl.clCreateKernel(program, name) for name in (b"through_rows", b"choose", b"is_chosen")]
    through_rows, choose, is_chosen = kernels
    for offset in (first, 2 - first):
        assert _found(session, through_rows, offset) == [21, 23], offset
    _found(session, choose, first)
    for offset in (2 - first, first):
        assert _found(session, is_chosen, offset) == [421, 421], offset
    for offset in (first, 2 - first):
        assert _found(session, through_rows, offset) == [41, 43], offset


OVERLAPPING = """
global int total = 1, totals = 10, total_of[2] = {100, 200};
kernel void add(global int *out) { total += 1; totals += 10; total_of[1] += 100; }
kernel void tell(global int *out) {
  if (get_global_id(0) == get_global_offset(0)) out[get_global_id(0)] = total + totals + total_of[0] + total_of[1];
}
"""


def test_code_that_only_reads_variables_and_names_that_begin_alike(session: Session) -> None:
    """The code for an offset is made after others have written."""
    program = session.program(OVERLAPPING, "-cl-std=CL3.0")
    add, tell = (session.cl.clCreateKernel(program, name) for name in (b"add", b"tell"))
    buffer = session.buffer(np.zeros(4, "i4"))
    session.set(add, buffer)
    session.run(add, [1])
    assert _found(session, tell, 2)[0] == 422
    session.run(add, [1], None, [1])
    assert [_found(session, tell, offset)[0] for offset in (0, 2)] == [533, 533]


UINT8, UINT32 = 0x10DA, 0x10DC
PICTURE = """
global int count = 5;
kernel void look(read_only image2d_t image, global int *out) {
  if (get_global_id(0) == get_global_offset(0)) out[0] = atomic_add(&count, read_imageui(image, (int2)(0, 0)).x);
}
kernel void tell(global int *out) { out[0] = count; }
"""


def test_a_kernel_with_an_image_writes_the_variables_of_others(session: Session) -> None:
    cl = session.cl
    program = session.program(PICTURE, "-cl-std=CL3.0")
    look, tell = (cl.clCreateKernel(program, name) for name in (b"look", b"tell"))
    for number, (channel, kind) in enumerate([(UINT8, "u1"), (UINT32, "u4")]):
        texels, flags = np.full((2, 2, 4), 3, kind), im.READ_ONLY | im.COPY_HOST_PTR
        picture = image(session, im.IMAGE_2D, 2, 2, order=im.RGBA, channel=channel, flags=flags, host=texels)
        found = np.zeros(1, "i4")
        buffer = session.buffer(found)
        session.set(look, picture, buffer)
        for offset in (0, 1):
            session.run(look, [4], [2], [offset])
        assert session.read(buffer, found)[0] == 8 + 6 * number
        session.set(tell, buffer)
        session.run(tell, [1])
        assert session.read(buffer, found)[0] == 11 + 6 * number


def _library(source: str) -> Path:
    request = OpenClRequest(
        build_of_platform(), "/", OpenClWork.BUILD, "-cl-std=CL3.0", False, False, 0, False, (source,)
    )
    answer = opencl_answer(request, Cache(from_environment().cache_dir)).decode().removeprefix("files 0\n")
    return Path(answer.split("\n")[0].removeprefix("library "))


def test_code_with_a_variable_that_the_program_lacks_is_refused(tmp_path: Path) -> None:
    """Variables of its own would not be seen by others."""
    path = tmp_path / "host.so"
    path.write_bytes(link_shared_object([host_object(Cache(from_environment().cache_dir))]))
    host = ctypes.CDLL(str(path))
    host.lw_explanation.restype = ctypes.c_char_p
    sources = [
        f"global int {name}; kernel void k(global int *out) {{ {name} += out[0]; }}" for name in ("mine", "other")
    ]
    images = [ctypes.c_void_p.in_dll(ctypes.CDLL(str(_library(source))), LOADED) for source in sources]
    assert host.lw_variables_share(images[1], images[0]) != 0
    assert host.lw_explanation() == b"variable other is not in all code of the program"
    assert host.lw_variables_share(images[0], images[0]) == 0


def test_a_build_makes_code_for_usual_launches_alone() -> None:
    """The build of a program that writes variables makes no more code than that of another one."""
    kernels = content(_library(SOURCE))["kernels"]
    (code,) = next(kernel["codes"] for kernel in kernels if kernel["name"] == b"add")
    assert code["flags"] == NUMBERS[SMALL_GRID]
