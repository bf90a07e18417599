# SPDX-License-Identifier: Apache-2.0
"""A launch of an OpenCL program on our platform, recorded by the layer, read, and played by Lanewise's mappings."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.unseen.ours import Lanewise
from bench.unseen.played import changed
from bench.unseen.record import recorder
from bench.unseen.recording import Buffer, Local, Recording, Value, at_most, read, recordings
from tests.opencl.interface import Interface, Session, first_device

import lanewise
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.opencl.library import NAME, platform_library

SOURCE = """
struct range { int first, count; };
__kernel void add(__global float *out, __global const float *in, __global const float *part, __local float *room,
                  struct range range, float by, __global int *absent) {
    size_t i = get_global_id(0);
    room[get_local_id(0)] = in[i] + by;
    if (i >= range.first && i < range.first + range.count && !absent) out[i] += room[get_local_id(0)] + part[0];
}
"""
PLACES = {"clCreateBuffer": 14, "clCreateProgramWithSource": 26, "clSetKernelArg": 38, "clEnqueueNDRangeKernel": 59,
          "clCreateSubBuffer": 82, "clCreateUserEvent": 84, "clSetUserEventStatus": 85}  # fmt: skip
"""Places in the table of cl_khr_icd."""
FUNCTION = ctypes.CFUNCTYPE(ctypes.c_uint64)
ENTRIES = 160
N = 64
ARGUMENTS = 7
SET_KERNEL_ARG = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_size_t, ctypes.c_void_p)


class _Layered:
    """The platform's library, with a layer before some of its functions, as a loader puts it there."""

    def __init__(self, library: ctypes.CDLL, functions: Mapping[str, Any]) -> None:
        self._library = library
        self._functions = functions

    def __getitem__(self, name: str) -> Any:
        return self._functions.get(name) or self._library[name]


@pytest.fixture(scope="module")
def layered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    folder = tmp_path_factory.mktemp("layer")
    (folder / NAME).write_bytes(platform_library(Cache(from_environment().cache_dir), lanewise.__version__))
    cl = Interface(folder / NAME)
    platform, _ = first_device(cl)
    table = (ctypes.c_void_p * ENTRIES)(
        *(ctypes.c_void_p * ENTRIES).from_address(ctypes.c_uint64.from_address(platform).value)
    )
    set_argument = SET_KERNEL_ARG(table[PLACES["clSetKernelArg"]] or 0)

    def set_any_argument(kernel: int, place: int, size: int, value: int) -> int:
        return set_argument(kernel, place, size, value) if place < ARGUMENTS else 0

    accepting = SET_KERNEL_ARG(set_any_argument)
    table[PLACES["clSetKernelArg"]] = ctypes.cast(accepting, ctypes.c_void_p).value
    count, ours = ctypes.c_uint32(), ctypes.POINTER(ctypes.c_void_p)()
    layer = ctypes.CDLL(str(recorder(folder)))
    assert layer.clInitLayer(ENTRIES, table, ctypes.byref(count), ctypes.byref(ours)) == 0
    assert count.value == ENTRIES
    vars(cl)["_library"] = _Layered(cl._library, {name: FUNCTION(ours[place] or 0) for name, place in PLACES.items()})
    yield cl
    del accepting  # which the layer called until now


def _kernel(session: Session, source: str) -> tuple[int, int]:
    """The kernel `add` with its arguments, and the buffer that it changes."""
    given = np.arange(2 * N, dtype=np.float32)
    out, whole = session.buffer(np.ones(N, np.float32)), session.buffer(given)
    half = session.cl.clCreateSubBuffer(whole, 0, 0x1220, np.array([4 * N, 4 * N], np.uint64))
    kernel = session.kernel(source, "add")
    session.set(kernel, out, whole, half, [4 * 16], np.array([8, 16], np.int32), np.float32(0.5), 0)
    return kernel, out


def _run(session: Session, source: str, sizes: list[int], left: int) -> None:
    """Launches `add` on each size in order, with so many arguments more `left` by another kernel."""
    kernel, out = _kernel(session, source)
    for place in range(ARGUMENTS, ARGUMENTS + left):
        session.cl.clSetKernelArg(kernel, place, 8, [out])
    for size in sizes:
        session.run(kernel, [size], [16])
    session.cl.clFinish(session.queue)


@pytest.fixture
def recorded(layered: Interface, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Recording]:
    def record(sizes: list[int], left: int = 0) -> Recording:
        folder = tmp_path / "program"
        folder.mkdir()
        monkeypatch.setenv("BENCH_UNSEEN_FOLDER", str(folder))
        _run(
            Session(layered),
            f"{SOURCE}// {tmp_path.name}: the layer keeps one launch per program and kernel",
            sizes,
            left,
        )
        (one,) = recordings(tmp_path)
        return one

    return record


def test_a_launch_is_recorded_and_played(recorded: Callable[..., Recording]):
    recording = recorded([N])
    assert recording.name.startswith("program/add-")
    assert recording.source.startswith(SOURCE)
    assert (recording.kernel, recording.options) == ("add", "")
    assert (recording.global_size, recording.local_size, recording.offset) == ((N,), (16,), None)
    assert recording.arguments == (
        Buffer(0, 0, 4 * N),
        Buffer(1, 0, 8 * N),
        Buffer(1, 4 * N, 4 * N),
        Local(64),
        Value(np.array([8, 16], np.int32).tobytes()),
        Value(np.float32(0.5).tobytes()),
        Value(bytes(8)),
    )
    expected = np.ones(N, np.float32)
    expected[8:24] += np.arange(8, 24) + 0.5 + N
    for mapping in ("loop", "lanes"):
        played = Lanewise(mapping).play(recording)
        played.launch()
        assert played.contents(0).view(np.float32).tolist() == expected.tolist()
        before = changed(recording, played)
        assert list(before) == [0]
        played.put_back(0, before[0])
        assert changed(recording, played) == {}
        assert played.types == {0: "<f4", 1: "<f4"}
        assert any("region 0" in remark for remark in played.remarks)


def test_the_launch_with_the_most_work_items_is_kept_with_its_data(recorded: Callable[..., Recording]):
    recording = recorded([16, 48, 32])
    assert recording.global_size == (48,)
    found = recording.memories()[0].view(np.float32)
    assert found[8:16].tolist() == [1 + i + 0.5 + N for i in range(8, 16)]  # by the launch before it
    assert (found[16:] == 1).all()


def test_arguments_of_a_released_kernel_with_the_same_handle_are_left_out(recorded: Callable[..., Recording]):
    assert len(recorded([N], left=3).arguments) == 7


def test_a_line_that_the_recorder_does_not_write_is_refused(recorded: Callable[..., Recording]):
    recording = recorded([N])
    with (recording.folder / "launch").open("a") as file:
        file.write("image 3\n")
    with pytest.raises(ValueError, match="no line begins with 'image'"):
        read(recording.folder.parent, recording.folder)


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The source of a program of its own, whose launches go to `tmp_path`."""
    monkeypatch.setenv("BENCH_UNSEEN_FOLDER", str(tmp_path))
    return f"{SOURCE}// {tmp_path.name}"


def test_a_refused_launch_leaves_the_smaller_one_before_it_and_does_not_count(
    layered: Interface, source: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    session = Session(layered)
    kernel, _ = _kernel(session, source)
    session.run(kernel, [16], [16])
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(before) == 5
    session.cl.clSetKernelArg(kernel, ARGUMENTS - 1, 8, None)
    for _ in range(2):
        session.run(kernel, [N], [16])
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert len(list(tmp_path.iterdir())) == 1
    line = "bench.unseen: add is not recorded: argument 6 has no value and is not local memory\n"
    assert capfd.readouterr().err == line
    session.cl.clSetKernelArg(kernel, ARGUMENTS - 1, 8, [0])
    session.run(kernel, [32], [16])
    (recording,) = recordings(tmp_path)
    assert recording.global_size == (32,)


def test_a_launch_while_a_user_event_is_not_set_is_left_out(
    layered: Interface, source: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    session = Session(layered)
    kernel, _ = _kernel(session, source)
    event = session.cl.clCreateUserEvent(session.context)
    session.run(kernel, [N], [16], waits=[event])
    session.run(kernel, [N], [16])  # of the same queue, which is not finished before the event is set
    meanwhile = recordings(tmp_path)
    session.cl.clSetUserEventStatus(event, 0)
    assert meanwhile == []
    assert capfd.readouterr().err == "bench.unseen: add is not recorded: a user event is not set yet\n"
    session.run(kernel, [32], [16], waits=[event])
    (recording,) = recordings(tmp_path)
    assert recording.global_size == (32,)
    before = recording.memories()[0].view(np.float32)
    assert before[8:24].tolist() == [1 + 2 * (i + 0.5 + N) for i in range(8, 24)]  # by both launches before it


def test_folders_that_an_ended_recorder_left_are_not_read(recorded: Callable[..., Recording]):
    recording = recorded([N])
    recording.folder.rename(recording.folder.with_name(recording.folder.name + ".unfinished-1"))
    assert recordings(recording.folder.parent) == []


def test_halves_are_chosen_by_seed_and_name(recorded: Callable[..., Recording]):
    recording = recorded([N])
    halves = [recording.half(seed) for seed in range(20)]
    assert halves == [recording.half(seed) for seed in range(20)]
    assert set(halves) == {"tune", "held-out"}


def test_kernels_of_one_name_in_a_program_are_at_most_so_many():
    named = [f"{program}/{kernel}-{number:08x}" for program in "ab" for kernel in ("run", "sum") for number in range(3)]
    assert at_most(named, 2) == [name for name in named if not name.endswith("2")]
