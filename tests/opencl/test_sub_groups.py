# SPDX-License-Identifier: Apache-2.0
"""Questions to kernels about their sub-groups, and the local size that a launch without one gets."""

from typing import Any

import numpy as np
import pytest
from tests.opencl.interface import ClError, Session

SOURCE = """
kernel void usual(global uint *out) { out[get_global_id(0)] = get_max_sub_group_size(); }
kernel __attribute__((intel_reqd_sub_group_size(16)))
void small(global uint *out) { out[get_global_id(0)] = get_num_sub_groups(); }
kernel __attribute__((reqd_work_group_size(8, 4, 1))) void fixed(global uint *out) { out[0] = get_num_sub_groups(); }
"""
MOST_SIZE, COUNT, LOCAL_SIZE, MOST_COUNT, REQUIRED_COUNT, REQUIRED_SIZE = 0x2033, 0x2034, 0x11B8, 0x11B9, 0x11BA, 0x410A


def asked(session: Session, kernel: int, what: int, *input_: int, room: int = 1) -> list[int]:
    place = np.full(room, 99, np.uint64)
    words = list(input_)
    given = kernel, session.device, what, 8 * len(words), words or None, 8 * room, place, None
    session.cl.clGetKernelSubGroupInfo(*given)
    return place.tolist()


def test_kernels_know_their_sub_groups(session: Session) -> None:
    program = session.program(SOURCE)
    usual, small, fixed = (session.cl.clCreateKernel(program, name) for name in (b"usual", b"small", b"fixed"))
    assert asked(session, usual, MOST_SIZE, 64, 2) == [32]
    assert asked(session, usual, MOST_SIZE, 7) == [7]
    assert asked(session, usual, COUNT, 33, 1, 1) == [2]
    assert asked(session, small, COUNT, 33, 1, 1) == [3]
    assert asked(session, usual, LOCAL_SIZE, 4, room=3) == [128, 1, 1]
    assert asked(session, small, LOCAL_SIZE, 4, room=2) == [64, 1]
    assert asked(session, usual, LOCAL_SIZE, 1 << 40, room=3) == [0, 0, 0]
    assert asked(session, usual, MOST_COUNT) == [256]
    assert [asked(session, each, REQUIRED_SIZE) for each in (usual, small)] == [[0], [16]]
    assert asked(session, usual, REQUIRED_COUNT) == [0]
    for kernel, size, expected in ((usual, 64, 32), (small, 64, 4)):
        out = np.zeros(64, np.uint32)
        buffer = session.buffer(out)
        session.set(kernel, buffer)
        session.run(kernel, [64], [size])
        assert session.read(buffer, out).tolist() == [expected] * 64
    suggested = np.zeros(3, np.uint64)
    session.set(fixed, session.buffer(np.zeros(64, np.uint32)))
    session.cl.clGetKernelSuggestedLocalWorkSizeKHR(session.queue, fixed, 2, None, [64, 64], suggested)
    assert suggested.tolist() == [8, 4, 0]
    session.cl.clGetKernelSuggestedLocalWorkSizeKHR(session.queue, usual, 1, None, [96], suggested)
    assert 96 % suggested[0] == 0
    assert suggested[0] > 1


ALONG_Y = """
kernel void sizes(global uint *out, uint n) {
    out[get_global_id(0) * n + get_global_id(1)] = 1000 * get_local_size(0) + get_local_size(1);
}
"""


def test_a_local_size_is_long_along_y_for_neighbours_there(session: Session) -> None:
    kernel, out = session.cl.clCreateKernel(session.program(ALONG_Y), b"sizes"), np.zeros(64 * 512, np.uint32)
    buffer, suggested = session.buffer(out), np.zeros(3, np.uint64)
    for rows, columns, local in ((64, 512, [1, 256]), (64, 8, [64, 4])):
        session.set(kernel, buffer, np.uint32(columns))
        session.cl.clGetKernelSuggestedLocalWorkSizeKHR(session.queue, kernel, 2, None, [rows, columns], suggested)
        assert suggested.tolist() == [*local, 0]
        session.cl.clEnqueueNDRangeKernel(session.queue, kernel, 2, None, [rows, columns], None, 0, None, None)
        assert (session.read(buffer, out)[: rows * columns] == 1000 * local[0] + local[1]).all()


WIDE = """
kernel __attribute__((intel_reqd_sub_group_size(64))) void wide(global uint *out) {
    out[get_global_id(0)] = 1000 * get_num_sub_groups() + sub_group_reduce_add(1);
}
"""
SIZES = 0x4108


def test_sub_groups_of_64(session: Session) -> None:
    sizes = np.zeros(4, np.uint64)
    session.cl.clGetDeviceInfo(session.device, SIZES, sizes.nbytes, sizes, None)
    assert sizes.tolist() == [8, 16, 32, 64]
    kernel = session.cl.clCreateKernel(session.program(WIDE), b"wide")
    assert asked(session, kernel, MOST_SIZE, 100) == [64]
    assert asked(session, kernel, COUNT, 100) == [2]
    assert asked(session, kernel, LOCAL_SIZE, 4, room=3) == [256, 1, 1]
    assert asked(session, kernel, MOST_COUNT) == [128]
    assert asked(session, kernel, REQUIRED_SIZE) == [64]
    out = np.zeros(200, np.uint32)
    buffer = session.buffer(out)
    session.set(kernel, buffer)
    session.run(kernel, [200], [100])
    assert session.read(buffer, out).reshape(2, 100).tolist() == [[2064] * 64 + [2036] * 36] * 2


def test_wrong_questions_have_codes(session: Session) -> None:
    cl = session.cl
    kernel, place = cl.clCreateKernel(session.program(SOURCE), b"usual"), np.zeros(8, np.uint64)
    session.set(kernel, session.buffer(place))
    info, suggested = "clGetKernelSubGroupInfo", "clGetKernelSuggestedLocalWorkSizeKHR"
    wrong: list[tuple[int, str, tuple[Any, ...]]] = [
        (-48, info, (12345, session.device, MOST_COUNT, 0, None, 8, place, None)),
        (-33, info, (kernel, 12345, MOST_COUNT, 0, None, 8, place, None)),
        (-30, info, (kernel, session.device, 0x11B0, 0, None, 8, place, None)),
        (-30, info, (kernel, session.device, MOST_SIZE, 0, None, 8, place, None)),
        (-30, info, (kernel, session.device, MOST_SIZE, 7, place, 8, place, None)),
        (-30, info, (kernel, session.device, COUNT, 8, place, 8, place, None)),
        (-30, info, (kernel, session.device, LOCAL_SIZE, 16, place, 8, place, None)),
        (-30, info, (kernel, session.device, LOCAL_SIZE, 8, place, 12, place, None)),
        (-36, suggested, (12345, kernel, 1, None, [8], place)),
        (-48, suggested, (session.queue, 12345, 1, None, [8], place)),
        (-53, suggested, (session.queue, kernel, 4, None, [8], place)),
        (-63, suggested, (session.queue, kernel, 1, None, [0], place)),
        (-30, suggested, (session.queue, kernel, 1, None, [8], None)),
    ]
    for code, name, arguments in wrong:
        with pytest.raises(ClError) as raised:
            getattr(cl, name)(*arguments)
        assert (name, arguments[2:], raised.value.code) == (name, arguments[2:], code)
