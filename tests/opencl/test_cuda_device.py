# SPDX-License-Identifier: Apache-2.0
"""The device lanewise-cuda, on a driver that runs PTX on the processor, and on a GPU if there is one."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.opencl.cuda.check_device import CHECKS, check_fault

from lanewise.backend.nvptx.targets import newest_architecture
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.cuda.libraries import DRIVER, library_folder
from lanewise.runtime.build import compile_c

HERE = Path(__file__).parent / "cuda"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables with which programs find the simulated driver."""
    folder = tmp_path_factory.mktemp("driver")
    (folder / "libcuda.so.1").write_bytes(compile_c(HERE / "simulated_driver.c"))
    runs = library_folder(Cache(from_environment().cache_dir)) / DRIVER / "libcuda.so.1"
    return {"LD_LIBRARY_PATH": str(folder), "SIMULATED_DRIVER": str(runs)}


@pytest.fixture(scope="session")
def run(library: Path, driver: dict[str, str]) -> Run:
    """Runs Python on the simulated driver, with the library's path as its last word."""

    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **driver, "LANEWISE_OPENCL_DEVICES": "cuda,cpu", "PYTHONPATH": str(HERE), **more}
        return subprocess.run(
            [sys.executable, *words, str(library)],
            env=environment, cwd=more.get("FOLDER"), capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    return run


@pytest.fixture(scope="session")
def checked(run: Run) -> str:
    """The output of all checks."""
    return run(str(HERE / "check_device.py")).stdout


@pytest.mark.parametrize("name", [check.__name__ for check in (*CHECKS, check_fault)])
def test_checks_of_the_device(checked: str, name: str) -> None:
    assert f"ok {name}" in checked.splitlines(), checked


def test_checks_on_a_gpu(library: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(HERE / "check_device.py"), str(library)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    if "skipped" in done.stdout:
        pytest.skip(done.stdout.removeprefix("skipped: ").strip())
    assert done.returncode == 0, done.stdout


def test_a_fault_says_what_failed(checked: str) -> None:
    assert re.search(r"lanewise: kernel stray: the driver's cu\w+ says CUDA_ERROR_ILLEGAL_ADDRESS \(after", checked)


# ---- Which devices there are -----------------------------------------------------------------------------------------

_NAMES = """
import sys
from opencl_calls import OpenCl
cl = OpenCl(sys.argv[-1])
print([cl.name(device).split(":")[0][9:] for device in cl.devices()])
"""
_NO_GPU = "LANEWISE_OPENCL_DEVICES=cuda needs a GPU: the driver knows none"
_NO_DRIVER = "LANEWISE_OPENCL_DEVICES=cuda needs NVIDIA's driver, which is not there: "


@pytest.mark.parametrize(
    ("devices", "more", "names", "said"),
    [
        ("cuda", {}, ["cuda"], ""),
        ("cpu,cuda,cuda", {}, ["cpu", "cuda"], ""),
        ("all", {}, ["cpu", "basic", "simt", "cuda"], ""),
        ("", {}, ["cpu"], ""),
        ("all", {"SIMULATED_DRIVER_DEVICES": "0"}, ["cpu", "basic", "simt"], ""),
        ("cuda", {"SIMULATED_DRIVER_DEVICES": "0"}, ["cpu"], _NO_GPU),
        ("cuda", {"SIMULATED_DRIVER_FAILS": "cuInit=999"}, ["cpu"], "the driver's cuInit says CUDA_ERROR_UNKNOWN"),
        ("basic,cuda", {"LD_LIBRARY_PATH": "/"}, ["basic"], _NO_DRIVER),
        ("all", {"LD_LIBRARY_PATH": "/"}, ["cpu", "basic", "simt"], ""),
    ],
)  # fmt: skip
def test_it_is_there_if_there_is_a_gpu(
    run: Run, devices: str, more: dict[str, str], names: list[str], said: str
) -> None:
    done = run("-c", _NAMES, LANEWISE_OPENCL_DEVICES=devices, **more)
    if more.get("LD_LIBRARY_PATH") and "cuda" in done.stdout:
        pytest.skip("NVIDIA's driver is there")
    assert done.stdout == f"{names}\n"
    assert done.stderr.startswith(f"lanewise: there is no device cuda: {said}" if said else "")
    assert len(done.stderr.splitlines()) == bool(said)


# ---- Programs --------------------------------------------------------------------------------------------------------

_BUILD = """
import sys
from opencl_calls import ClError, OpenCl, Session
cl = OpenCl(sys.argv[-1])
session = Session(cl, cl.devices()[:1])
try:
    session.build(sys.argv[1])
    print("built")
except ClError as error:
    print(error)
"""
_SOURCE = "kernel void only_here(global int *p) { p[0] = 27; }"


def test_ptx_that_another_machine_has_made_needs_no_compiler(run: Run, tmp_path: Path) -> None:
    """A machine with another processor finds it, in any folder, and where the cache's objects are not."""
    cache = tmp_path / "cache"
    more = {"LANEWISE_LOG": "1", "LANEWISE_CACHE_DIR": str(cache), "SIMULATED_DRIVER_CAPABILITY": "90"}
    first = run("-c", _BUILD, _SOURCE, **more)
    assert (first.stdout, "clang <source>" in first.stderr) == ("built\n", True)
    moved = cache.rename(tmp_path / "moved")
    for objects in (moved / "v1").glob("objects/*/*"):
        objects.rename(tmp_path / objects.name)
    more |= {"LANEWISE_CACHE_DIR": str(moved), "LANEWISE_CPU": "x86-64-v2", "FOLDER": str(tmp_path)}
    again = run("-c", _BUILD, _SOURCE, **more)
    assert (again.stdout, "<source>" in again.stderr) == ("built\n", False)
    other = run("-c", _BUILD, _SOURCE, **more | {"SIMULATED_DRIVER_CAPABILITY": "80"})  # needs PTX of its own
    assert (other.stdout, "PTX for sm_80" in other.stderr) == ("built\n", True)


@pytest.mark.parametrize(
    ("source", "fails", "said"),
    [
        ("kernel void k(global int *p) { p[0] = nothing; }", "", "use of undeclared identifier 'nothing'"),
        (_SOURCE, "cuModuleLoadDataEx=218", "the driver's cuModuleLoadDataEx says CUDA_ERROR_INVALID_PTX"),
    ],
)
def test_a_build_that_fails_has_a_log(run: Run, source: str, fails: str, said: str) -> None:
    text = _BUILD + "print(cl.query('clGetProgramBuildInfo', session.program, session.device, 0x1183).decode())"
    done = run("-c", text, source, SIMULATED_DRIVER_FAILS=fails)
    assert done.stdout.startswith("clBuildProgram gives -11\n")
    assert said in done.stdout


# ---- Errors of the driver --------------------------------------------------------------------------------------------

_COMMANDS = """
import sys, ctypes
from opencl_calls import ClError, OpenCl, Session
cl = OpenCl(sys.argv[-1])
session = Session(cl, cl.devices()[:1], 2)
session.build(SOURCE)
data = (ctypes.c_int32 * 4)()
try:
    buffer = session.buffer(data, 1)
    kernel = session.kernel("only_here", buffer)
    events = [session.launch(kernel, [1]) for _ in range(3)]
    cl.clFinish(session.queue)
    print("launch", *{session.status(event) for event in events})
    session.read(buffer, data)
    print("read")
except ClError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("fails", "printed"),
    [
        ("cuMemAlloc_v2=2", "clCreateBuffer gives -4\n"),
        ("cuStreamCreateWithPriority=2", "launch -5\nclEnqueueReadBuffer gives -5\n"),
        ("cuEventCreate=2", "launch -5\nclEnqueueReadBuffer gives -5\n"),
        ("cuEventRecord=400", "launch -5\nclEnqueueReadBuffer gives -5\n"),
        ("cuLaunchKernel=701", "launch -5\nread\n"),
        ("cuMemcpyAsync=719", "launch 0\nclEnqueueReadBuffer gives -5\n"),
        ("cuEventSynchronize=700", "launch -5\nread\n"),
        ("cuStreamSynchronize=700", "launch 0\nclEnqueueReadBuffer gives -5\n"),
    ],
)
def test_errors_of_the_driver_are_those_of_commands(run: Run, fails: str, printed: str) -> None:
    done = run("-c", _COMMANDS.replace("SOURCE", repr(_SOURCE)), SIMULATED_DRIVER_FAILS=fails)
    assert done.stdout == printed
    told = [line for line in done.stderr.splitlines() if line.startswith("lanewise: kernel only_here: ")]
    assert len(told) == 3 * ("launch -5" in printed), done.stderr
    assert all(line.endswith(" work of the process)") == fails.endswith("=700") for line in told), done.stderr


_RECORDED = """
import sys, ctypes
from opencl_calls import NONE, OpenCl, Session
cl = OpenCl(sys.argv[-1])
session = Session(cl, cl.devices()[:1])
session.build(sys.argv[1])
kernel = session.kernel("only_here", session.buffer((ctypes.c_int32 * 1)()))
recorded = cl.clCreateCommandBufferKHR(1, [session.queue], None)
cl.clCommandNDRangeKernelKHR(recorded, None, None, kernel, 1, None, [1], None, 0, None, None, None)
cl.clFinalizeCommandBufferKHR(recorded)
event = ctypes.c_uint64()
cl.clEnqueueCommandBufferKHR(0, None, recorded, 0, None, ctypes.byref(event))
cl.clFinish(session.queue)
print(session.status(event.value))
"""


def test_a_kernel_of_a_command_buffer_fails_once(run: Run) -> None:
    done = run("-c", _RECORDED, _SOURCE, SIMULATED_DRIVER_FAILS="cuLaunchKernel=701")
    assert done.stdout == "-5\n"
    assert re.findall("lanewise: kernel .*", done.stderr) == [
        "lanewise: kernel only_here: the driver's cuLaunchKernel says CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
    ]


_GROUPS = """
import sys, ctypes
from opencl_calls import NONE, OpenCl, Session
cl = OpenCl(sys.argv[-1])
session = Session(cl, cl.devices()[:1])
session.build(sys.argv[1], "-cl-std=CL3.0")
kernel = session.kernel("only_here", session.buffer((ctypes.c_int32 * 1)()))
print(cl.number("clGetKernelWorkGroupInfo", kernel, session.device, 0x11B0))
for offset, size, local in (0, 256, 128), (0, 250, 64), (0, 250, 128), (8, 256, 128):
    print(cl.code("clEnqueueNDRangeKernel", session.queue, kernel, 1, [offset], [size], [local], *NONE))
"""


def test_code_for_any_range_may_allow_fewer_work_items(run: Run) -> None:
    """It may need more registers than the code for plain ranges, which is asked about first."""
    done = run("-c", _GROUPS, _SOURCE, SIMULATED_DRIVER_LATER_THREADS="64")
    assert done.stdout.split() == ["1024", "0", "0", "-54", "-54"]


_CONTEXTS = """
import ctypes, os, sys
from opencl_calls import OpenCl, Session
cl = OpenCl(sys.argv[-1])
driver = ctypes.CDLL(os.environ["SIMULATED_DRIVER"])

def current():
    found = ctypes.c_void_p()
    assert driver.cuCtxGetCurrent(ctypes.byref(found)) == 0
    return found.value

def run():
    session = Session(cl, cl.devices()[:1], 2)
    session.build(sys.argv[1])
    data = (ctypes.c_int32 * 1)()
    buffer = session.buffer(data)
    event = session.launch(session.kernel("only_here", buffer), [1])
    cl.clFinish(session.queue)
    return session.status(event), session.read(buffer, data)[0]

print(run(), current())
own = ctypes.c_void_p()
assert driver.cuCtxCreate(ctypes.byref(own), 0, 0) == 0
print(run(), current() == own.value)
"""


def test_a_program_keeps_its_own_context(run: Run) -> None:
    """And the device's work has the device's."""
    done = run("-c", _CONTEXTS, _SOURCE, SIMULATED_DRIVER_CONTEXT="own")
    assert done.stdout == "(0, 27) None\n(0, 27) True\n"


_BUILDS = """
import sys, threading
from opencl_calls import OpenCl, Session
cl = OpenCl(sys.argv[-1])

def build():
    Session(cl, cl.devices()[:1]).build(sys.argv[1])
    print("built", flush=True)

threads = [threading.Thread(target=build) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_the_driver_compiles_two_programs_at_once(run: Run) -> None:
    assert run("-c", _BUILDS, _SOURCE, SIMULATED_DRIVER_MEETING="2").stdout.split() == ["built", "built"]


_UNTOLD_END = """
import sys, ctypes, time
from check_device import SOURCE
from opencl_calls import OpenCl, Session
cl = OpenCl(sys.argv[-1])
session = Session(cl, cl.devices()[:1])
session.build(SOURCE)
data = (ctypes.c_int32 * 64)()
buffer = session.buffer(data)
for rounds in (1, 20_000_000):
    times = [time.monotonic()]
    event = session.launch(session.kernel("spin", buffer, ctypes.c_uint32(rounds)), [64])
    cl.clFinish(session.queue)
    times.append(time.monotonic())
    session.read(buffer, data)
    times.append(time.monotonic())
print(session.status(event), times[1] - times[0] > times[2] - times[1])
"""


def test_a_kernel_whose_end_cant_be_told_is_waited_for(run: Run) -> None:
    assert run("-c", _UNTOLD_END, SIMULATED_DRIVER_FAILS="cuEventRecord=400").stdout == "-5 True\n"


@pytest.mark.parametrize(
    ("capability", "arch"), [(49, None), (50, "sm_50"), (90, "sm_90"), (91, "sm_90"), (999, "sm_121")]
)
def test_the_newest_architecture_that_a_gpu_runs(capability: int, arch: str | None) -> None:
    assert newest_architecture(capability) == arch
