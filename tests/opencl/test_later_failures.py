# SPDX-License-Identifier: Apache-2.0
"""Kernels that are compiled at their first launch: what is told if they can't be, and whose time it is."""

import ctypes
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.opencl import images as im
from tests.opencl.images import image
from tests.opencl.interface import ClError, Session

SOURCE = """
#include "number.h"
kernel void wide(read_only image2d_t in, global int *out) { *out = get_image_width(in) + NUMBER; }
"""
NOTIFY = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
PROFILING, LOG, COMMAND_BUFFER_STATE = 2, 0x1183, 0x1296


def _built(session: Session, folder: Path) -> tuple[int, int]:
    """A program and its kernel, with a header that is no longer what it was. With an option by which clang may read
    files in ways of its own, it is read again."""
    header = folder / "number.h"
    header.write_text("#define NUMBER 5\n")
    program = session.program(SOURCE, f"-I {folder} -Xclang -fno-gnu-inline-asm")
    kernel: int = session.cl.clCreateKernel(program, b"wide")
    session.set(kernel, image(session, im.IMAGE_2D, 8, 8), session.buffer(np.zeros(1, "i4")))
    header.write_text("#error this header is broken\n")
    return program, kernel


def test_the_log_of_a_kernel_reaches_the_build_log_and_the_context(
    new_session: Callable[..., Session], tmp_path: Path
) -> None:
    said: list[bytes] = []
    notify = NOTIFY(lambda text, *_: said.append(text))
    session = new_session(0, notify)
    program, kernel = _built(session, tmp_path)
    event = ctypes.c_uint64()
    session.run(kernel, [1], event=ctypes.byref(event))
    with pytest.raises(ClError, match="-14"):
        session.cl.clWaitForEvents(1, [event.value])
    log = session.cl.query("clGetProgramBuildInfo", program, session.device, LOG)
    assert len(said) == 1
    assert said[0].startswith(b"lanewise: kernel wide can't be compiled: ")
    assert b"this header is broken" in said[0]
    assert b"this header is broken" in log


def test_the_context_is_told_without_the_lock_of_a_command_buffer(
    new_session: Callable[..., Session], tmp_path: Path
) -> None:
    """The callback asks for the state of the command buffer that can't be finalised."""
    states: list[bytes] = []
    waited: list[bool] = []
    made: dict[str, Any] = {}

    def told(*_: object) -> None:
        ask = threading.Thread(
            target=lambda: states.append(
                made["session"].cl.query("clGetCommandBufferInfoKHR", made["buffer"], COMMAND_BUFFER_STATE)
            ),
            daemon=True,
        )
        ask.start()
        ask.join(20)
        waited.append(ask.is_alive())

    notify = NOTIFY(told)
    session = made["session"] = new_session(0, notify)
    _, kernel = _built(session, tmp_path)
    buffer = made["buffer"] = session.cl.clCreateCommandBufferKHR(1, [session.queue], None)
    session.cl.clCommandNDRangeKernelKHR(buffer, None, None, kernel, 1, None, [1], None, 0, None, None, None)
    with pytest.raises(ClError):
        session.cl.clFinalizeCommandBufferKHR(buffer)
    assert waited == [False]
    assert len(states) == 1


def test_the_time_of_a_launch_with_an_offset_is_without_the_compiler(new_session: Callable[..., Session]) -> None:
    session = new_session(PROFILING)
    out = np.zeros(8, "i4")
    new = f"#define NEW {time.time_ns()}ul\n"  # that the cache doesn't have its code
    source = f"{new}kernel void placed(global int *p) {{ p[get_global_id(0)] = NEW ? get_global_id(0) : 0; }}"
    buffer = session.buffer(out)
    kernel = session.kernel(source, "placed", buffer)
    event = ctypes.c_uint64()
    session.run(kernel, [4], offset=[4], event=ctypes.byref(event))
    assert session.read(buffer, out).tolist() == [0, 0, 0, 0, 4, 5, 6, 7]
    submitted, started, ended = (
        int.from_bytes(session.cl.query("clGetEventProfilingInfo", event.value, what), "little")
        for what in (0x1281, 0x1282, 0x1283)
    )
    assert ended - started < started - submitted
