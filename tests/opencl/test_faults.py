# SPDX-License-Identifier: Apache-2.0
"""Kernels that fail, and programs that go on."""

import ctypes
from collections.abc import Callable

import numpy as np
import pytest
from tests.opencl.interface import ClError, Session

SOURCE = """
kernel void wild(global int *out) { out[6000 + get_global_id(0)] = 1; }
kernel void tame(global int *out) { out[0] = 1; }
"""


def test_a_fault_is_an_event_with_an_error_and_a_call_of_the_context(new_session: Callable[..., Session]) -> None:
    said: list[bytes] = []
    type_ = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
    notify = type_(lambda text, *_: said.append(text))
    session = new_session(0, notify)
    out = np.zeros(16, np.int32)
    buffer = session.buffer(out)
    event = ctypes.c_uint64()
    session.run(session.kernel(SOURCE, "wild", buffer), [4], event=ctypes.byref(event))
    session.run(session.kernel(SOURCE, "tame", buffer), [1])
    with pytest.raises(ClError, match="-14"):
        session.cl.clWaitForEvents(1, [event.value])
    assert session.cl.status(event.value) == -5
    assert session.read(buffer, out)[0] == 1
    assert len(said) == 1
    assert said[0].startswith(b"lanewise: kernel wild: a write of memory that is not there at address 0x")
    assert b"work-group (0, 0, 0)" in said[0]


PRIME = 1009
GROUPS = """
#define PLACE(i) ((i) == 1008 ? 6000 : (i))
kernel void blind(global int *out) { out[PLACE(get_global_id(0))] = 1; }
kernel void asks(global int *out) { out[PLACE(get_global_id(0)) + 0 * get_local_id(0)] = 1; }
kernel void shares(global int *out, local int *unused) { out[PLACE(get_global_id(0))] = 1; }
"""


@pytest.mark.parametrize(("name", "size"), [("blind", 256), ("asks", 1), ("shares", 1)])
def test_only_kernels_that_cannot_tell_run_in_uneven_groups(
    new_session: Callable[..., Session], name: str, size: int
) -> None:
    said: list[bytes] = []
    type_ = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
    notify = type_(lambda text, *_: said.append(text))
    session = new_session(0, notify)
    event = ctypes.c_uint64()
    arguments: list[object] = [session.buffer(np.zeros(PRIME, np.int32)), *([[64]] if name == "shares" else [])]
    kernel = session.kernel(GROUPS, name, *arguments)
    suggested = np.zeros(3, np.uint64)
    session.cl.clGetKernelSuggestedLocalWorkSizeKHR(session.queue, kernel, 1, None, [PRIME], suggested)
    assert suggested[0] == 1, "a local size that a call names has to divide the global size"
    session.run(kernel, [PRIME], event=ctypes.byref(event))
    with pytest.raises(ClError, match="-14"):
        session.cl.clWaitForEvents(1, [event.value])
    assert f"work-group ({1008 // size}, 0, 0)".encode() in said[0]
