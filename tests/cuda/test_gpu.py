# SPDX-License-Identifier: Apache-2.0
"""Programs with LANEWISE_DEVICE=cuda: on a stand-in for the driver, which tells the calls, and on a GPU if there is
one."""

import contextlib
import ctypes
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.runtime.build import compile_c

HERE = Path(__file__).parent
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory, compiler: HostCompiler) -> Path:
    del compiler
    path = tmp_path_factory.mktemp("on_gpu") / "program"
    assert main(["-arch=sm_75", str(HERE / "on_gpu.cu"), "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the stand-in."""
    folder = tmp_path_factory.mktemp("driver")
    (folder / "libcuda.so.1").write_bytes(compile_c(HERE / "fake_driver.c"))
    return folder


@pytest.fixture
def run(driver: Path, tmp_path: Path) -> Run:
    """Runs a program on the stand-in."""

    def run(program: Path, part: str, **environment: str) -> subprocess.CompletedProcess[str]:
        given = {"LANEWISE_DEVICE": "cuda", "LD_LIBRARY_PATH": str(driver), "FAKE_DRIVER_LOG": str(tmp_path / "log")}
        return subprocess.run(
            [program, part], env=given | environment, capture_output=True, text=True, timeout=60, check=False
        )

    return run


def calls(tmp_path: Path) -> list[str]:
    return [line.strip() for line in (tmp_path / "log").read_text().splitlines()]


def test_the_driver_is_called_in_the_order_of_the_program(run: Run, program: Path, tmp_path: Path):
    done = run(program, "order")
    assert (done.returncode, done.stdout, done.stderr) == (0, "5 5\n", "")
    assert calls(tmp_path) == [
        "cuInit 0",
        "cuDevicePrimaryCtxRetain 0",
        "cuMemAlloc_v2 4000",
        "cuStreamCreateWithPriority 1 0",
        "cuEventCreate 0",
        "cuEventCreate 0",
        "cuMemcpyAsync 4000 legacy",
        "cuStreamSynchronize legacy",
        "cuEventRecord own",
        "cuModuleLoadDataEx .target sm_75, 2 options",
        "cuModuleGetFunction _Z7add_onePii",
        "cuLaunchKernel _Z7add_onePii (4, 1, 1) (256, 1, 1) 0 own",
        "cuEventRecord own",
        "cuStreamWaitEvent legacy 0",
        "cuEventSynchronize",
        "cuMemcpyAsync 4000 legacy",
        "cuStreamSynchronize legacy",
        "cuEventElapsedTime",
        "cuEventDestroy_v2",
        "cuEventDestroy_v2",
        "cuStreamDestroy_v2",
        "cuCtxSynchronize",
        "cuMemFree_v2",
        "cuModuleUnload",
    ]


def test_copies_and_fills_of_rows(run: Run, program: Path, tmp_path: Path):
    done = run(program, "boxes")
    assert (done.stdout, done.stderr) == ("3 3 9\n", "")
    found = calls(tmp_path)
    assert "cuMemsetD2D8Async 9, 8 x 4, legacy" in found
    assert "cuMemcpy3DAsync_v2 1 to 2, 5 x 4 x 1, pitches 8 and 512, legacy" in found
    assert "cuMemcpy3DAsync_v2 2 to 1, 8 x 4 x 1, pitches 512 and 8, legacy" in found


def test_each_kind_of_memory_is_the_drivers(run: Run, program: Path, tmp_path: Path):
    done = run(program, "kinds")
    assert (done.stdout, done.stderr) == ("7\n", "")
    counted = Counter(line.split()[0] for line in calls(tmp_path))
    for made, given_back in (
        ("cuMemHostAlloc", "cuMemFreeHost"),
        ("cuMemHostRegister_v2", "cuMemHostUnregister"),
        ("cuModuleLoadDataEx", "cuModuleUnload"),
    ):
        assert (counted[made], counted[given_back]) == (1, 1)
    assert counted["cuMemAllocManaged"] + counted["cuMemAlloc_v2"] == counted["cuMemFree_v2"] == 2
    assert counted["cuModuleGetGlobal_v2"] == 1


def test_much_shared_memory_and_cooperative_launches(run: Run, program: Path, tmp_path: Path):
    done = run(program, "shared")
    assert done.stdout == "ok\n", done.stderr
    found = calls(tmp_path)
    assert "cuFuncSetAttribute 8 61440" in found
    assert "cuLaunchKernel _Z11with_sharedPi (1, 1, 1) (32, 1, 1) 61440 legacy" in found
    assert "cuLaunchCooperativeKernel _Z11with_sharedPi (1, 1, 1) (32, 1, 1) 0 legacy" in found


def test_the_device_is_described_by_the_driver(run: Run, program: Path):
    assert run(program, "described").stdout == "1 Fake GPU 8.6 28\n"


def test_functions_of_the_host_run_in_streams(run: Run, program: Path):
    assert run(program, "functions").stdout == "1\n"


def test_each_thread_has_the_context(run: Run, program: Path, tmp_path: Path):
    done = run(program, "threads")
    assert (done.stdout, done.stderr) == ("ok\n", "")
    assert sum(line.startswith("cuModuleLoadDataEx") for line in calls(tmp_path)) == 1


def test_a_kernels_failure_stays(run: Run, program: Path, tmp_path: Path):
    done = run(program, "broken", FAKE_DRIVER_FAILS="cuCtxSynchronize=700")
    assert done.stdout.split() == ["cudaErrorIllegalAddress"] * 2
    assert not any(line.startswith("cuMemAlloc") for line in calls(tmp_path))


def test_what_is_not_supported_is_refused_by_name(run: Run, program: Path):
    done = run(program, "refused")
    assert done.stdout.split() == ["cudaErrorNotSupported"] * 3
    for what in ("graphs", "arrays", "captures"):
        assert f"{what} are not supported with LANEWISE_DEVICE=cuda" in done.stderr


@pytest.mark.parametrize(
    ("part", "function", "number", "error"),
    [
        ("order", "cuInit", 100, "cudaErrorNoDevice"),
        ("order", "cuMemAlloc_v2", 2, "cudaErrorMemoryAllocation"),
        ("order", "cuStreamCreateWithPriority", 1, "cudaErrorInvalidValue"),
        ("order", "cuEventCreate", 2, "cudaErrorMemoryAllocation"),
        ("order", "cuMemcpyAsync", 700, "cudaErrorIllegalAddress"),
        ("order", "cuModuleLoadDataEx", 218, "cudaErrorInvalidPtx"),
        ("order", "cuModuleGetFunction", 500, "cudaErrorSymbolNotFound"),
        ("order", "cuLaunchKernel", 701, "cudaErrorLaunchOutOfResources"),
        ("order", "cuEventRecord", 400, "cudaErrorInvalidResourceHandle"),
        ("order", "cuStreamWaitEvent", 400, "cudaErrorInvalidResourceHandle"),
        ("order", "cuEventSynchronize", 719, "cudaErrorLaunchFailure"),
        ("order", "cuEventElapsedTime", 600, "cudaErrorNotReady"),
        ("order", "cuCtxSynchronize", 710, "cudaErrorAssert"),
        ("order", "cuMemFree_v2", 1, "cudaErrorInvalidValue"),
        ("boxes", "cuMemsetD2D8Async", 1, "cudaErrorInvalidValue"),
        ("boxes", "cuMemcpy3DAsync_v2", 719, "cudaErrorLaunchFailure"),
        ("kinds", "cuMemHostAlloc", 2, "cudaErrorMemoryAllocation"),
        ("kinds", "cuMemAllocManaged", 801, "cudaErrorNotSupported"),
        ("kinds", "cuMemHostRegister_v2", 712, "cudaErrorHostMemoryAlreadyRegistered"),
        ("kinds", "cuModuleGetGlobal_v2", 500, "cudaErrorSymbolNotFound"),
        ("shared", "cuFuncSetAttribute", 1, "cudaErrorInvalidValue"),
        ("shared", "cuLaunchCooperativeKernel", 720, "cudaErrorCooperativeLaunchTooLarge"),
        ("functions", "cuLaunchHostFunc", 801, "cudaErrorNotSupported"),
    ],
)
def test_errors_of_the_driver(run: Run, program: Path, part: str, function: str, number: int, error: str):
    done = run(program, part, FAKE_DRIVER_FAILS=f"{function}={number}")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (3, error), done.stderr
    if error != "cudaErrorNotReady":
        assert f"the driver's {function} says CUDA_ERROR_{number} ({error})" in done.stderr


@pytest.mark.parametrize(
    ("environment", "error", "said"),
    [
        ({"LD_LIBRARY_PATH": ""}, "cudaErrorInsufficientDriver", "LANEWISE_DEVICE=cuda needs NVIDIA's driver"),
        ({"FAKE_DRIVER_DEVICES": "0"}, "cudaErrorNoDevice", "LANEWISE_DEVICE=cuda needs a GPU: the driver knows none"),
        ({"LANEWISE_DEVICE": "gpu"}, "cudaErrorInvalidValue", "LANEWISE_DEVICE=gpu: CUDA programs run on cpu or cuda"),
    ],
)
def test_no_such_device(run: Run, program: Path, environment: dict[str, str], error: str, said: str):
    if "LD_LIBRARY_PATH" in environment and (driver_is_there := _gpus() is not None):
        pytest.skip(f"NVIDIA's driver is there: {driver_is_there}")
    done = run(program, "order", **environment)
    assert (done.returncode, done.stdout) == (3, f"{error}\n")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_cpu_is_the_default(run: Run, program: Path, tmp_path: Path):
    for device in ("", "cpu"):
        assert run(program, "order", LANEWISE_DEVICE=device).stdout == "5 5\n"
    assert not (tmp_path / "log").exists()


def test_a_program_without_ptx_names_the_option(run: Run, tmp_path: Path, compiler: HostCompiler):
    del compiler
    assert main([str(HERE / "on_gpu.cu"), "-o", str(tmp_path / "program")]) == 0
    done = run(tmp_path / "program", "order")
    assert done.stdout == "cudaErrorNoKernelImageForDevice\n"
    assert "on_gpu.cu has no PTX for this GPU: build it with -arch=sm_86" in done.stderr


def test_the_newest_ptx_that_the_gpu_takes(run: Run, tmp_path: Path, compiler: HostCompiler):
    del compiler
    options = [f"-gencode=arch=compute_{n},code=[sm_{n},compute_{n}]" for n in (90, 75, 80)]
    assert main([*options, str(HERE / "on_gpu.cu"), "-o", str(tmp_path / "program")]) == 0
    assert run(tmp_path / "program", "order").stdout == "5 5\n"
    assert "cuModuleLoadDataEx .target sm_80, 2 options" in calls(tmp_path)


def test_relocatable_code_gets_ptx_at_the_link(run: Run, tmp_path: Path, compiler: HostCompiler):
    del compiler
    assert main(["-arch=sm_80", "-rdc=true", str(HERE / "on_gpu.cu"), "-o", str(tmp_path / "program")]) == 0
    assert run(tmp_path / "program", "order").stdout == "5 5\n"


def test_what_ptx_lacks_fails_no_build_and_is_told_at_the_launch(run: Run, tmp_path: Path, compiler: HostCompiler):
    del compiler
    source = tmp_path / "newer.cu"
    source.write_text(
        "#include <cstdio>\n"
        "__global__ void k(long *p) { *p = __builtin_readcyclecounter(); }\n"
        "__global__ void other() {}\n"
        "int main() { k<<<1, 1>>>(nullptr); puts(cudaGetErrorName(cudaGetLastError()));\n"
        "  other<<<1, 1>>>(); puts(cudaGetErrorName(cudaGetLastError())); }\n"
    )
    assert main(["-arch=sm_50", str(source), "-o", str(tmp_path / "program")]) == 0
    done = run(tmp_path / "program", "")
    assert done.stdout == "cudaErrorNoKernelImageForDevice\ncudaSuccess\n"
    assert "kernel k has no PTX: " in done.stderr
    assert "kernel k uses llvm.readcyclecounter, an intrinsic" in done.stderr


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="there is no ptxas")
@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_ptxas_takes_the_ptx_of_an_object(tmp_path: Path, compiler: HostCompiler, arch: str):
    del compiler
    path = tmp_path / "unit.o"
    assert main([f"-arch={arch}", "-c", str(HERE / "on_gpu.cu"), "-o", str(path)]) == 0
    found = re.findall(rb"//\n// Generated by LLVM[^\0]*", path.read_bytes())
    assert len(found) == 1
    (tmp_path / "unit.ptx").write_bytes(found[0])
    done = subprocess.run(
        ["ptxas", f"-arch={arch}", str(tmp_path / "unit.ptx"), "-o", str(tmp_path / "unit.cubin")],
        env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def _gpus() -> int | None:
    """The GPUs that NVIDIA's driver knows; None without a driver."""
    with contextlib.suppress(OSError):
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        driver.cuInit(0)
        driver.cuDeviceGetCount(ctypes.byref(count))
        return count.value
    return None


@pytest.mark.skipif(not _gpus(), reason="no GPU is known to NVIDIA's driver, or there is no libcuda.so.1")
@pytest.mark.parametrize("name", ["memory", "pitched", "symbols", "streams", "launches"])
def test_programs_on_a_gpu(tmp_path: Path, compiler: HostCompiler, name: str):
    del compiler
    program = tmp_path / "program"
    assert main(["-arch=sm_75", str(HERE / "programs" / f"{name}.cu"), "-o", str(program)]) == 0
    done = subprocess.run(
        [program], env={"LANEWISE_DEVICE": "cuda"}, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr


@pytest.mark.skipif(not _gpus(), reason="no GPU is known to NVIDIA's driver, or there is no libcuda.so.1")
@pytest.mark.parametrize(
    ("part", "printed"), [("order", "5 5\n"), ("boxes", "3 3 9\n"), ("kinds", "7\n"), ("functions", "1\n")]
)
def test_the_parts_on_a_gpu(program: Path, part: str, printed: str):
    done = subprocess.run(
        [program, part], env={"LANEWISE_DEVICE": "cuda"}, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")
