# SPDX-License-Identifier: Apache-2.0
"""Launches in command buffers that change between executions (cl_khr_command_buffer_mutable_dispatch)."""

import ctypes
from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.opencl.interface import ClError, Interface, Session
from tests.opencl.test_command_buffers import command_buffer, enqueue, kernel_of

FLAGS, MUTABLE, FIELDS, ASSERTS = 0x1293, 2, 0x12B1, 0x12B8
OFFSET, SIZE, LOCAL, ARGUMENTS, EXEC_INFO = 1, 2, 4, 8, 16
RECORDING, EXECUTABLE, FINALIZED = 0, 1, 2


class Argument(ctypes.Structure):
    """`cl_mutable_dispatch_arg_khr`, and with 4 bytes of a name in place of the index an exec info."""

    _fields_ = (("index", ctypes.c_uint32), ("size", ctypes.c_size_t), ("value", ctypes.c_void_p))


class Config(ctypes.Structure):
    """`cl_mutable_dispatch_config_khr`."""

    _fields_ = (
        ("command", ctypes.c_void_p),
        *((name, ctypes.c_uint32) for name in ("num_args", "num_svm_args", "num_exec_infos", "work_dim")),
        *((name, ctypes.c_void_p) for name in ("args", "svm_args", "exec_infos", "offset", "size", "local")),
    )


class Launch:
    """A launch of a kernel over 8 work-items in a mutable command buffer, which is finalised."""

    def __init__(self, session: Session, kernel: int, *properties: int, flags: int = MUTABLE) -> None:
        self.session, self.handle = session, ctypes.c_uint64()
        self.buffer = command_buffer(session, FLAGS, flags)
        given = [*properties, 0] if properties else None
        session.cl.clCommandNDRangeKernelKHR(
            self.buffer, 0, given, kernel, 1, None, [8], [4], 0, None, None, ctypes.byref(self.handle)
        )
        session.cl.clFinalizeCommandBufferKHR(self.buffer)

    def change(self, *arguments: tuple[int, Any], **others: Any) -> None:
        update(self.session, self.buffer, config(self.handle.value, *arguments, **others))

    def run(self) -> None:
        enqueue(self.session, self.buffer)

    def number(self, what: int) -> int:
        return int(self.session.cl.number("clGetMutableCommandInfoKHR", self.handle.value, what))

    @property
    def state(self) -> int:
        return int(self.session.cl.number("clGetCommandBufferInfoKHR", self.buffer, 0x1297))


def config(command: int, *arguments: tuple[int, Any], **others: Any) -> Config:
    """Changes of a command: arguments by their numbers, and other fields of the structure, numbers or lists."""
    made = Config(command=command)
    kept: list[Any] = []
    if arguments:
        values = [np.uint64(value) if isinstance(value, int) else value for _, value in arguments]
        rows = (Argument * len(arguments))()
        for row, (index, _), value in zip(rows, arguments, values, strict=True):
            place = np.array([value])
            kept.append(place)
            row.index, row.size, row.value = index, place.nbytes, place.ctypes.data
        kept.append(rows)
        made.num_args, made.args = len(rows), ctypes.addressof(rows)
    for name, value in others.items():
        if isinstance(value, list):
            kept.append((ctypes.c_size_t * len(value))(*value))
            value = ctypes.addressof(kept[-1])
        setattr(made, name, value)
    made.kept = kept
    return made


def update(session: Session, buffer: int, *configs: Config) -> None:
    types = np.zeros(len(configs), np.uint32)
    places = np.array([ctypes.addressof(each) for each in configs], np.uint64)
    session.cl.clUpdateMutableCommandsKHR(buffer, len(configs), types, places)


@pytest.fixture
def arrays(session: Session) -> tuple[int, int, int]:
    ones = np.ones(8, np.int32)
    return session.buffer(ones), session.buffer(10 * ones), session.buffer(100 * ones)


def contents(session: Session, memory: int) -> list[int]:
    return list(session.read(memory, np.zeros(8, np.int32)).tolist())


def test_arguments_change_and_the_others_stay(session: Session, arrays: tuple[int, int, int]) -> None:
    x, y, z = arrays
    kernel = kernel_of(session, "add", y, x, np.int32(5))
    launch = Launch(session, kernel)
    launch.run()
    assert contents(session, y) == [6] * 8
    launch.change((0, z))
    launch.run()
    launch.change((2, np.int32(7)), (1, y))
    launch.run()
    assert contents(session, z) == [13] * 8
    assert contents(session, y) == [6] * 8
    session.run(kernel, [8])  # the program's kernel has what it had
    assert contents(session, y) == [6] * 8


def test_ranges_change(session: Session, arrays: tuple[int, int, int]) -> None:
    x, y, _ = arrays
    launch = Launch(session, kernel_of(session, "add", y, x, np.int32(5)))
    launch.change(size=[4], local=[2], work_dim=1)
    launch.run()
    assert contents(session, y) == [6] * 4 + [10] * 4
    launch.change((2, np.int32(0)), offset=[3])
    launch.run()
    assert contents(session, y) == [6] * 3 + [1] * 4 + [10]
    launch.change((2, np.int32(70)), size=[0])
    launch.run()
    assert contents(session, y) == [6] * 3 + [1] * 4 + [10]
    assert [launch.number(what) for what in (0x12A4, 0x12A5, 0x12A6, 0x12A7)] == [1, 3, 0, 2]


def test_several_launches_change_at_once_or_not_at_all(session: Session, arrays: tuple[int, int, int]) -> None:
    x, y, z = arrays
    kernel = kernel_of(session, "add", y, x, np.int32(5))
    buffer, handles = command_buffer(session, FLAGS, MUTABLE), [ctypes.c_uint64(), ctypes.c_uint64()]
    for handle in handles:
        session.cl.clCommandNDRangeKernelKHR(
            buffer, 0, None, kernel, 1, None, [8], None, 0, None, None, ctypes.byref(handle)
        )
    session.cl.clFinalizeCommandBufferKHR(buffer)
    first, second = (handle.value for handle in handles)
    with pytest.raises(ClError, match="-51"):
        update(session, buffer, config(first, (2, np.int32(9))), config(second, (2, np.int64(9))))
    enqueue(session, buffer)
    assert contents(session, y) == [6] * 8
    # The second change of a launch finds what the first has made of it.
    update(
        session, buffer, config(first, (2, np.int32(9))), config(second, (0, z), (1, y)), config(first, (1, z))
    )  # fmt: skip
    enqueue(session, buffer)
    assert contents(session, y) == [109] * 8
    assert contents(session, z) == [114] * 8


def test_executions_enqueued_before_have_what_was_then(session: Session, arrays: tuple[int, int, int]) -> None:
    x, y, z = arrays
    kernel = kernel_of(session, "add", y, x, np.int32(5))
    launch = Launch(session, kernel, flags=MUTABLE | 1)
    user = session.cl.clCreateUserEvent(session.context)
    enqueue(session, launch.buffer, (user,))
    for _ in range(50):
        launch.change((0, z), (2, np.int32(6)))
    launch.run()
    session.cl.clReleaseCommandBufferKHR(launch.buffer)
    session.cl.clSetUserEventStatus(user, 0)
    assert contents(session, y) == [6] * 8
    assert contents(session, z) == [7] * 8
    with pytest.raises(ClError, match="-1141"):
        launch.number(0x12A4)


def test_arguments_may_be_set_after_the_recording(session: Session, arrays: tuple[int, int, int]) -> None:
    x, y, _ = arrays
    kernel = kernel_of(session, "add", y)
    with pytest.raises(ClError, match="-52"):
        Launch(session, kernel)
    with pytest.raises(ClError, match="-52"):
        Launch(session, kernel, FIELDS, SIZE)
    launch = Launch(session, kernel, FIELDS, ARGUMENTS)
    assert launch.state == FINALIZED
    with pytest.raises(ClError, match="-59"):
        launch.run()
    launch.change((1, x))
    assert launch.state == FINALIZED
    launch.change((2, np.int32(3)))
    assert launch.state == EXECUTABLE
    launch.run()
    assert contents(session, y) == [4] * 8


def test_pointers_of_the_host(session: Session, arrays: tuple[int, int, int]) -> None:
    x, y, _ = arrays
    launch = Launch(session, kernel_of(session, "add", y, x, np.int32(5)))
    shared, flag = np.zeros(8, np.int32), np.ones(1, np.uint32)
    pointers = (Argument * 1)(Argument(0, 0, shared.ctypes.data))
    fine_grain = (Argument * 1)(Argument(0x11B7, 4, flag.ctypes.data))
    launch.change(
        num_svm_args=1, svm_args=ctypes.addressof(pointers), num_exec_infos=1, exec_infos=ctypes.addressof(fine_grain)
    )  # fmt: skip
    launch.run()
    session.cl.clFinish(session.queue)
    assert shared.tolist() == [6] * 8


def test_what_is_asked(session: Session, arrays: tuple[int, int, int]) -> None:
    cl = session.cl
    kernel = kernel_of(session, "twice", arrays[0])
    launch = Launch(session, kernel, FIELDS, SIZE, ASSERTS, 1)
    asked = [launch.number(what) for what in (0x12A0, 0x12A1, 0x12A3, 0x12AD, 0x12A4, 0x12A5, 0x12A6, 0x12A7)]
    assert asked == [session.queue, launch.buffer, kernel, 0x11F0, 1, 0, 8, 4]
    given = cl.query("clGetMutableCommandInfoKHR", launch.handle.value, 0x12A2)
    assert np.frombuffer(given, np.int64).tolist() == [FIELDS, SIZE, ASSERTS, 1, 0]
    assert cl.query("clGetMutableCommandInfoKHR", Launch(session, kernel).handle.value, 0x12A2) == b""
    assert cl.number("clGetDeviceInfo", session.device, 0x12B0) == 31
    assert b"cl_khr_command_buffer_mutable_dispatch " in cl.query("clGetDeviceInfo", session.device, 0x1030)


class Things(NamedTuple):
    """A launch that may change in all ways, others that may not, and what wrong calls are made with."""

    session: Session
    launch: Launch
    fixed: Launch
    other: Launch
    immutable: Launch
    recording: int
    kernel: int
    memory: int


@pytest.fixture(scope="module")
def things(cl: Interface) -> Things:
    session = Session(cl)
    memory = session.buffer(np.zeros(8, np.int32))
    kernel = kernel_of(session, "twice", memory)
    made = [Launch(session, kernel), Launch(session, kernel, FIELDS, 0), Launch(session, kernel)]
    return Things(
        session, *made, Launch(session, kernel, flags=1), command_buffer(session, FLAGS, MUTABLE), kernel, memory
    )  # fmt: skip


WRONG_CHANGES: list[tuple[str, str, int]] = [
    ("launch", "config(12345)", -1141),
    ("launch", "config(0)", -1141),
    ("launch", "config(other.handle.value)", -1141),
    ("launch", "config(own, work_dim=2)", -59),
    ("launch", "config(own, size=[7])", -59),
    ("launch", "config(own, local=[3])", -59),
    ("launch", "config(own, local=[0])", -54),
    ("launch", "config(own, size=[1 << 14], local=[1 << 14])", -55),
    ("launch", "config(own, offset=[(1 << 64) - 1])", -56),
    ("launch", "config(own, (1, memory))", -49),
    ("launch", "config(own, (0, 12345))", -38),
    ("launch", "config(own, (0, np.int32(1)))", -51),
    ("launch", "config(own, num_args=1)", -30),
    ("launch", "config(own, num_svm_args=1)", -30),
    ("launch", "config(own, num_exec_infos=1)", -30),
    ("launch", "config(own, args=4096)", -30),
    ("launch", "config(own, svm_args=4096)", -30),
    ("launch", "config(own, exec_infos=4096)", -30),
    ("fixed", "config(own, (0, memory))", -59),
    ("fixed", "config(own, num_svm_args=1, svm_args=4096)", -59),
    ("fixed", "config(own, num_exec_infos=1, exec_infos=4096)", -59),
    ("fixed", "config(own, offset=[1])", -59),
    ("fixed", "config(own, size=[4])", -59),
    ("fixed", "config(own, local=[2])", -59),
    ("immutable", "config(own, size=[4])", -59),
]


@pytest.mark.parametrize(("name", "given", "code"), WRONG_CHANGES, ids=[f"{n}: {g}" for n, g, _ in WRONG_CHANGES])
def test_a_wrong_change_gives_its_code(things: Things, name: str, given: str, code: int) -> None:
    launch: Launch = getattr(things, name)
    known = {**things._asdict(), "own": launch.handle.value, "config": config, "np": np}
    with pytest.raises(ClError) as raised:
        update(things.session, launch.buffer, eval(given, known))
    assert raised.value.code == code


NO_TYPE, ONE = np.array([7], np.uint32), np.zeros(1, np.uint32)
NOTHING = np.zeros(1, np.uint64)
NONE = (0, None, None, None)
MORE_WRONG: list[tuple[str, str, int]] = [
    ("clUpdateMutableCommandsKHR", "12345, 0, None, None", -1138),
    ("clUpdateMutableCommandsKHR", "recording, 0, None, None", -59),
    ("clUpdateMutableCommandsKHR", "launch.buffer, 1, None, NOTHING", -30),
    ("clUpdateMutableCommandsKHR", "launch.buffer, 1, ONE, None", -30),
    ("clUpdateMutableCommandsKHR", "launch.buffer, 0, ONE, None", -30),
    ("clUpdateMutableCommandsKHR", "launch.buffer, 0, None, NOTHING", -30),
    ("clUpdateMutableCommandsKHR", "launch.buffer, 1, NO_TYPE, NOTHING", -30),
    ("clUpdateMutableCommandsKHR", "launch.buffer, 1, ONE, NOTHING", -30),
    ("clGetMutableCommandInfoKHR", "12345, 0x12A0, 8, NOTHING, None", -1141),
    ("clGetMutableCommandInfoKHR", "launch.handle.value, 0x12A9, 8, NOTHING, None", -30),
    ("clGetMutableCommandInfoKHR", "launch.handle.value, 0x12A0, 7, NOTHING, None", -30),
    ("clCommandNDRangeKernelKHR", "recording, 0, [FIELDS, 32, 0], kernel, 1, None, [8], [4], *NONE", -59),
    ("clCommandNDRangeKernelKHR", "recording, 0, [ASSERTS, 2, 0], kernel, 1, None, [8], [4], *NONE", -30),
    ("clCommandNDRangeKernelKHR", "recording, 0, [ASSERTS, 1, 0], kernel, 1, None, [8], None, *NONE", -30),
    ("clCommandNDRangeKernelKHR", "recording, 0, [FIELDS, 1, FIELDS, 1, 0], kernel, 1, None, [8], [4], *NONE", -30),
    ("clCommandNDRangeKernelKHR", "recording, 0, [FLAGS, 1, 0], kernel, 1, None, [8], [4], *NONE", -30),
    ("clCreateCommandBufferKHR", "1, [session.queue], [0x12B7, 2, 0]", -30),
    ("clCreateCommandBufferKHR", "1, [session.queue], [0x12B7, 1, 0x12B7, 1, 0]", -30),
]


@pytest.mark.parametrize(("name", "arguments", "code"), MORE_WRONG, ids=[f"{n}({a})" for n, a, _ in MORE_WRONG])
def test_a_wrong_call_gives_its_code(things: Things, name: str, arguments: str, code: int) -> None:
    given = eval(f"[{arguments}]", globals(), things._asdict())
    with pytest.raises(ClError) as raised:
        getattr(things.session.cl, name)(*given)
    assert raised.value.code == code
