# SPDX-License-Identifier: Apache-2.0
"""The code of each wrong call in the table of `calls.txt`; the right calls beside them succeed, so that nothing else is
wrong with those."""

import ctypes
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.opencl import images as im
from tests.opencl.calls import Call, calls
from tests.opencl.images import image
from tests.opencl.interface import ClError, Interface, Session
from tests.opencl.test_binary_options import binary_of, loaded
from tests.opencl.test_il import SPECIAL

SOURCE = """
kernel void k(global int *out, int number, local int *tile, read_only image2d_t in, sampler_t s) {
    tile[0] = number;
    out[0] = tile[0] + read_imagei(in, s, (int2)(0)).x;
}
kernel __attribute__((reqd_work_group_size(2, 1, 1))) void one(global int *out) { out[0] = 1; }
"""
CONSTANTS = {
    "NO": 12345, "ODD": [0x1999, 1, 0], "TWICE": [0x1085, 0, 0x1085, 0, 0], "NOWHERE": [0x1084, 12345, 0],
    "BAD_SYNC": [0x1085, 2, 0],
    "ON_DEVICE": [0x1093, 5, 0], "BAD_QUEUE": [0x1093, 1 << 20, 0], "PAST": [0, 257], "EMPTY": [0, 0],
    "MIDDLE": [1, 16], "FAR": [0, 99, 0], "NEAR": [0, 1, 0], "FLAT": [4, 0, 1], "HUGE": [(1 << 64) - 4],
    "NINES": [9999], "TOO_MANY": [0x1086, 9999, 0], "SAMPLER_ODD": [0x1153, 1, 0],
    "WRONG_OPTION": ctypes.c_char_p(b"--nothing-like-this"), "NAME": ctypes.c_char_p(b"k"),
    "PLACED": [0x4195, 2, 0], "BOTH_PLACES": [0x4195, 6, 0], "TWO_FLAGS": [0x4195, 1, 0x4195, 1, 0],
    "NO_NAME": ctypes.c_char_p(b"missing"),
}  # fmt: skip
ENDS = ("clRelease", "clUnload", "clSetDefault", "clSetUserEvent", "clIcdSet")
"""Functions whose right call ends an object that others need, or that has no result to see."""
_KEPT: list[Any] = []


def _memory(session: Session, flags: int) -> int:
    return int(session.cl.clCreateBuffer(session.context, flags, 256, None))


def _shared(session: Session) -> int:
    """Memory of clSVMAlloc, which gives a pointer and no code."""
    allocate = ctypes.CDLL(str(session.cl.path)).clSVMAlloc
    allocate.restype = ctypes.c_uint64
    return int(allocate(ctypes.c_uint64(session.context), ctypes.c_uint64(1), ctypes.c_uint64(64), 0))


def _source(session: Session, text: bytes) -> int:
    pointer = ctypes.c_char_p(text)
    _KEPT.append(pointer)
    return int(session.cl.clCreateProgramWithSource(session.context, 1, ctypes.byref(pointer), None))


def _objects(session: Session) -> dict[str, Any]:
    """One object of each kind."""
    cl, program = session.cl, session.program(SOURCE)
    kernel = cl.clCreateKernel(program, b"k")
    buffer, picture = _memory(session, 0), image(session, im.IMAGE_2D, 8, 8)
    sampler = cl.clCreateSampler(session.context, 0, 0x1131, 0x1140)
    session.set(kernel, buffer, np.int32(1), [16], picture, sampler)
    return {
        "platform": session.platform, "device": session.device, "context": session.context, "queue": session.queue,
        "buffer": buffer, "image": picture, "sampler": sampler, "built": program, "kernel": kernel,
        "program": _source(session, b"kernel void k(global int *p) { p[0] = 1; }"),
        "event": cl.clCreateUserEvent(session.context),
        "unified": cl.clSharedMemAllocINTEL(session.context, session.device, None, 64, 0),
    }  # fmt: skip


@pytest.fixture(scope="module")
def things(cl: Interface) -> dict[str, Any]:
    session, other = Session(cl, flags=2), Session(cl)
    made = _objects(session)
    context, queue = session.context, session.queue
    memory = np.zeros(16384, np.uint8)
    place = memory.ctypes.data // 4096 * 4096 + 4096
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(lambda *_: None)
    text = ctypes.c_char_p(b"part.h")
    binary = binary_of(session, made["built"])
    il, binary_place = ctypes.c_char_p(SPECIAL), ctypes.c_char_p(binary)
    _KEPT.extend([memory, call, text, il, binary_place])
    record = [cl.clCreateCommandBufferKHR(1, [queue], None) for _ in range(2)]
    cl.clFinalizeCommandBufferKHR(record[1])
    changing, launch = cl.clCreateCommandBufferKHR(1, [queue], [0x1293, 2, 0]), ctypes.c_uint64()
    cl.clCommandNDRangeKernelKHR(
        changing, 0, None, made["kernel"], 1, None, [8], [4], 0, None, None, ctypes.byref(launch)
    )
    cl.clFinalizeCommandBufferKHR(changing)
    compiled, needing = (
        _source(session, b"int f(int x) { return x; }"),
        _source(session, b"int g(int); kernel void k(global int *p) { p[0] = g(1); }"),
    )
    for part in (compiled, needing):
        cl.clCompileProgram(part, 0, None, None, 0, None, None, None, None)
    made |= {
        "other": SimpleNamespace(**_objects(other)),
        "place": place, "far": place + 4096, "shifted": place + 8, "odd": place + 2, "room": place + 8192, "call": call,
        "special": cl.clCreateProgramWithIL(context, SPECIAL, len(SPECIAL)),
        "il": ctypes.cast(il, ctypes.c_void_p).value, "il_bytes": len(SPECIAL),
        "binary": ctypes.cast(binary_place, ctypes.c_void_p).value, "binary_bytes": len(binary),
        "OVERLAPPING": made["unified"] + 8,
        "text": ctypes.cast(text, ctypes.c_void_p).value, "recorded": record[0],
        "finalised": record[1], "mutable": changing, "launch": launch.value, "compiled": compiled, "needing": needing,
        "object": loaded(session, binary_of(session, compiled)),
        "part": _source(session, b"int f(int x) { return x; }"),
        "unbuilt": _source(session, b"kernel void k(global int *p) { p[0] = 1; }"),
        "wrong": _source(session, b"kernel void k(global int *p) { p[0] = missing; }"),
        "unset": cl.clCreateKernel(made["built"], b"k"), "one": cl.clCreateKernel(made["built"], b"one"),
        "sub": cl.clCreateSubBuffer(made["buffer"], 0, 0x1220, [0, 64]),
        "read_only": _memory(session, 4), "hidden": _memory(session, 1 << 9),
        "write_only_host": _memory(session, 1 << 7), "read_only_host": _memory(session, 1 << 8),
        "floats": image(session, im.IMAGE_2D, 8, 8, channel=im.FLOAT),
        "write_only_image": image(session, im.IMAGE_2D, 8, 8, flags=im.WRITE_ONLY),
        "rgba": im.format_(im.RGBA, im.UNORM8), "flat": im.description(im.IMAGE_2D, 8, 8),
        "NO_ORDER": im.format_(1, im.UNORM8), "NO_FORMAT": im.format_(im.RX, im.UNORM8),
        "NO_TYPE": im.description(1, 8, 8), "EMPTY_IMAGE": im.description(im.IMAGE_2D, 0, 8),
        "WIDE_IMAGE": im.description(im.IMAGE_2D, 1 << 30, 8), "allocated": _shared(session),
        "done": cl.clCreateUserEvent(context), "failed": cl.clCreateUserEvent(context),
        "mapped": cl.clEnqueueMapBuffer(queue, made["buffer"], 1, 1, 0, 4, 0, None, None),
        "marker": session.event("clEnqueueMarkerWithWaitList", queue, 0, None),
    }  # fmt: skip
    session.set(made["one"], made["buffer"])
    cl.clSetUserEventStatus(made["done"], 0)
    cl.clSetUserEventStatus(made["failed"], -5)
    cl.clFinish(queue)
    return made


@pytest.mark.parametrize("call", list(calls()), ids=lambda call: f"{call.function}({call.arguments}) {call.code}")
def test_a_call_gives_its_code(cl: Interface, things: dict[str, Any], call: Call) -> None:
    if call.is_right and call.function.startswith(ENDS):
        return
    arguments = eval(f"[{call.arguments}]", CONSTANTS, things)
    given = 0
    try:
        getattr(cl, call.function)(*arguments)
    except ClError as error:
        given = error.code
    assert given == call.code, f"{call.function}({call.arguments}) gives {given}, not {call.code}"
