# SPDX-License-Identifier: Apache-2.0
"""Whole programs, built by nvcc's command line and run: each checks itself."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cuda.programs.build_tools import toolkit

from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.objects import wheel_library
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.cuda.objects.wheel_library import NAME
from lanewise.cuda.run import run_program

HERE = Path(__file__).parent
Build = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path, compiler: HostCompiler) -> Build:
    """Builds a program of files of this folder, by these options."""

    def build(*words: str, name: str = "program") -> Path:
        program = tmp_path / name
        files = [str(HERE / word) if word.endswith(".cu") else word for word in words]
        assert main([*files, "-o", str(program)]) == 0
        return program

    return build


def run(program: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in an empty environment: no Python, no compiler is on its path."""
    return subprocess.run(
        [program, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip


_PROGRAMS = [
    "memory", "pitched", "symbols", "managed", "textures", "streams", "graphs", "graph_memory", "conditional_graphs",
    "launches", "library_types", "halves", "pools", "threads", "forks", "in_stream_order", "device_reset",
    "driver_memory", "named_ranges",
]  # fmt: skip


@pytest.mark.parametrize("name", _PROGRAMS)
def test_a_program_that_checks_itself(build: Build, name: str):
    done = run(build(f"{name}.cu"))
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr


@pytest.mark.parametrize("level", [[], ["-O3"]])
def test_integers_of_host_code_wrap_round(build: Build, level: list[str]):
    done = run(build("wrapping.cu", *level))
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr


@pytest.mark.parametrize("word", ["--default-stream=per-thread", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM"])
def test_each_thread_has_its_own_stream_0(build: Build, word: str):
    done = run(build("own_streams.cu", word))
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr


def test_an_exception_of_a_host_function_ends_the_program(build: Build):
    program = build("throwing.cu")
    for _ in range(3):
        done = run(program)
        assert (done.returncode, done.stdout) == (-signal.SIGABRT, "")
        assert "terminate called after throwing" in done.stderr


def test_the_driver_api(build: Build, tmp_path: Path):
    done = run(build("driver.cu", "-lcuda"), LANEWISE_CACHE_DIR=str(tmp_path / "cache"))
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
    assert "lanewise: cuModuleLoadData: ptx:1:1: error: expected '.version'" in done.stderr
    done = run(tmp_path / "program", LANEWISE_CACHE_DIR=str(tmp_path / "cache"), LANEWISE_CACHE="0")
    assert done.stdout.endswith(": CUDA_ERROR_INVALID_PTX, not CUDA_SUCCESS\n")
    assert "lanewise: cuModuleLoadData: there is no cache that could keep it" in done.stderr


def test_functions_of_the_driver_by_name(build: Build):
    program = build("driver_by_name.cu")
    done = run(program)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
    done = run(program, "opened", LD_LIBRARY_PATH=f"{toolkit()}/lib64/driver")
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stderr
    done = run(program, LD_LIBRARY_PATH=f"{toolkit()}/lib64/driver", LANEWISE_DEVICE="cuda")
    assert "the libcuda.so.1 that is found is Lanewise's: take its folder from LD_LIBRARY_PATH" in done.stderr


def test_programs_that_lanewise_runs_find_the_driver(capfd: pytest.CaptureFixture[str]):
    assert run_program([str(HERE / "driver_by_name.cu")], ["opened"]) == 0
    assert capfd.readouterr().out == "ok\n"


def test_one_thread_is_enough(build: Build):
    program = build("streams.cu")
    assert run(program, LANEWISE_NUM_THREADS="1").stdout == "ok\n"


def test_kernels_print_in_order_with_the_host(build: Build):
    done = run(build("printing.cu"))
    assert done.returncode == 7
    assert done.stdout.splitlines() == [
        "host first", "kernel 1, thread 0, text", "kernel 1, thread 1, text", "host second",
        "kernel 2, thread 0, text", "host last",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("what", "error", "told"),
    [
        ("far", "cudaErrorIllegalAddress", "faults.cu:6: a write of memory that is not there at "),
        ("trap", "cudaErrorLaunchFailure", "kernel trap, block (0, 0, 0), thread (0, 0, 0): __trap()"),
        ("assert", "cudaErrorAssert", "faults.cu:9: assertion `threadIdx.x < n` failed (cudaErrorAssert)"),
        ("host", "cudaErrorIllegalAddress", "kernel write: argument 1, p, "),
    ],
)
def test_a_failure_stays_until_the_device_is_reset(build: Build, what: str, error: str, told: str):
    done = run(build("faults.cu"), what)
    assert (done.returncode, done.stdout.splitlines()) == (0, [error] * 3), done.stderr
    assert told in done.stderr


def test_accesses_beside_an_array_are_told_of(build: Build):
    program = build("faults.cu")
    done = run(program, "padding")
    assert (done.returncode, done.stdout.splitlines()) == (0, ["cudaSuccess"] * 3)
    assert "warning: kernel padding: a write beside an array at address" in done.stderr
    assert "just after an array of 244 bytes" in done.stderr
    assert run(program, "padding", LANEWISE_STRICT_BOUNDS="1").stdout.startswith("cudaErrorIllegalAddress")
    done = run(program, "read")
    assert (done.returncode, done.stdout.splitlines()) == (0, ["cudaSuccess"] * 3)
    assert "warning: kernel reads: a read beside an array at address" in done.stderr
    assert "bytes before an array of 244 bytes of device memory" in done.stderr
    assert run(program, "read", LANEWISE_STRICT_BOUNDS="1").stdout.startswith("cudaErrorIllegalAddress")


@pytest.mark.parametrize("runtime", ["static", "shared"])
def test_a_library_can_be_loaded_and_closed(tmp_path: Path, compiler: HostCompiler, runtime: str):
    (tmp_path / "library.cu").write_text(
        "__global__ void set(int *p) { *p = 7; }\n"
        'extern "C" int seven() {\n  int *p, host = 0;\n  cudaMalloc(&p, 4);\n  set<<<1, 1>>>(p);\n'
        "  cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);\n  return host;\n}\n"
    )
    library = tmp_path / "library.so"
    words = ["-shared", "-Xcompiler", "-fPIC", "-cudart", runtime, str(tmp_path / "library.cu"), "-o", str(library)]
    assert main(words) == 0
    use = (
        "import _ctypes, ctypes, time\n"
        f"library = ctypes.CDLL({str(library)!r})\n"
        "print(library.seven())\n"
        "_ctypes.dlclose(library._handle)\n"
        "time.sleep(0.1)\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", use], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr


def test_the_log_tells_which_code_runs(tmp_path: Path, build: Build):
    (tmp_path / "a.cu").write_text(
        "__global__ void add(int *p, const int *q, int n) {\n"
        "  for (int i = 0; i < n; ++i) p[threadIdx.x] += q[i];\n}\n"
        "int main(int count, char **) {\n  int *p, *q;\n  cudaMalloc(&p, 1024), cudaMalloc(&q, 1024);\n"
        "  for (int i = 0; i < 9; ++i) add<<<1, 128>>>(p, q, count);\n  add<<<1, 63 + count>>>(p, q, count);\n"
        "  add<<<1, 128>>>(p, p, count);\n  return cudaDeviceSynchronize();\n}\n"
    )
    program = build(str(tmp_path / "a.cu"))
    assert run(program).stderr == ""
    assert run(program, LANEWISE_LOG="1").stderr.splitlines() == [
        "lanewise: kernel add, blocks of (128, 1, 1): code for this block size",
        "lanewise: kernel add, blocks of (64, 1, 1): code for any block size",
        "lanewise: kernel add, blocks of (128, 1, 1): code for any block size, since arguments share an array or the "
        "grid is large",
    ]


def test_a_stripped_program_knows_no_lines(build: Build):
    program = build("faults.cu", "-Xlinker", "-s")
    said = run(program, "far").stderr  # of the two blocks, that which a thread came to first
    assert re.search(r"kernel far, block \([01], 0, 0\): a write of memory", said), said


def test_a_failure_in_a_library_names_its_line(tmp_path: Path, build: Build):
    (tmp_path / "library.cu").write_text(
        "__global__ void null(int *p) {\n  if (threadIdx.x == 3)\n    p[1] = 3;\n}\n"
        "void launch() { null<<<1, 32>>>(nullptr); }\n"
    )
    (tmp_path / "main.cu").write_text(
        "#include <cstdio>\nvoid launch();\nint main() { launch(); puts(cudaGetErrorName(cudaDeviceSynchronize())); }\n"
    )
    library = tmp_path / "libnull.so"
    assert main(["-shared", "-cudart", "shared", str(tmp_path / "library.cu"), "-o", str(library)]) == 0
    path = ("-Xlinker", "-rpath", "-Xlinker", str(tmp_path))
    program = build(str(tmp_path / "main.cu"), "-cudart", "shared", f"-L{tmp_path}", "-lnull", *path)
    done = run(program)
    assert done.stdout == "cudaErrorIllegalAddress\n"
    assert "kernel null, block (0, 0, 0), " in done.stderr
    assert "library.cu:3: a write of memory that is not there at address 0x4, which a null pointer" in done.stderr


def test_host_pointers_can_be_allowed(build: Build):
    done = run(build("faults.cu"), "host", LANEWISE_HOST_POINTERS="1")
    assert done.stdout.splitlines() == ["cudaSuccess"] * 3


def test_device_code_in_two_files(build: Build, tmp_path: Path):
    assert run(build("-rdc=true", "separate_a.cu", "separate_b.cu")).stdout == "ok\n"
    for name in "ab":
        assert main(["-dc", str(HERE / f"separate_{name}.cu"), "-o", str(tmp_path / f"{name}.o")]) == 0
    objects = [str(tmp_path / "a.o"), str(tmp_path / "b.o")]
    assert main(["-dlink", *objects, "-o", str(tmp_path / "linked.o")]) == 0
    assert run(build(*objects, str(tmp_path / "linked.o"), name="linked")).stdout == "ok\n"
    assert main(["-lib", objects[1], "-o", str(tmp_path / "libb.a")]) == 0
    assert run(build(objects[0], f"-L{tmp_path}", "-lb", name="library")).stdout == "ok\n"


def test_an_undefined_device_function_is_an_error_of_the_link(
    tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str]
):
    source = tmp_path / "a.cu"
    source.write_text("__device__ int other(int);\n__global__ void k(int *p) { *p = other(*p); }\nint main() {}\n")
    assert main(["-rdc=true", str(source), "-o", str(tmp_path / "a")]) == 1
    assert "nvlink error   : Undefined reference to 'other' in kernel k" in capfd.readouterr().err
    assert not (tmp_path / "a").exists()


def test_the_shared_runtime(build: Build):
    program = build("memory.cu", "-cudart", "shared")
    assert b"libcudart.so.12" in program.read_bytes()
    assert run(program).stdout == "ok\n"


def test_another_gpu_is_described(tmp_path: Path, compiler: HostCompiler):
    source = tmp_path / "a.cu"
    source.write_text(
        "#include <cstdio>\nint main() { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); puts(p.name); }\n"
    )
    assert main([str(source), "-o", str(tmp_path / "a")]) == 0
    assert run(tmp_path / "a", LANEWISE_GPU="h100").stdout == "Lanewise CPU (as H100)\n"
    assert run(tmp_path / "a").stdout == "Lanewise CPU (as A100)\n"
    done = run(tmp_path / "a", LANEWISE_GPU="X1")
    assert done.stdout == "Lanewise CPU (as A100)\n"
    assert "LANEWISE_GPU=X1 names no GPU that is known here; it is taken for A100. Known: A100, P100, " in done.stderr


def test_host_code_that_g_plus_plus_compiles(tmp_path: Path, build: Build):
    (tmp_path / "host.cpp").write_text(
        "#include <cuda_runtime.h>\n#include <assert.h>\n"
        "int on_device() { int n; dim3 grid(2, 3); assert(grid.z == 1); return cudaGetDeviceCount(&n) ? 0 : n; }\n"
    )
    (tmp_path / "main.cu").write_text(
        '#include <cstdio>\nint on_device();\nint main() { printf("%d\\n", on_device()); }'
    )
    program = tmp_path / "mixed"
    assert main([str(tmp_path / "main.cu"), str(tmp_path / "host.cpp"), "-std=c++11", "-o", str(program)]) == 0
    assert run(program).stdout == "1\n"


@pytest.mark.parametrize("words", [("memory.cu",), ("-rdc=true", "separate_a.cu", "separate_b.cu")])
def test_the_wheels_library_serves_where_there_is_no_compiler(build: Build, words: tuple[str, ...]):
    if not wheel_library.is_built():
        pytest.skip(f"the wheel's C++ library is not built, which takes minutes; `lanewise run -ccbin {NAME}` does it")
    program = build("-ccbin", NAME, *words)
    assert run(program).stdout == "ok\n"
    assert b"libstdc++" not in program.read_bytes()


def test_host_code_with_openmp(tmp_path: Path, compiler: HostCompiler):
    source = tmp_path / "a.cu"
    source.write_text(
        "#include <cstdio>\n#include <omp.h>\nint main() {\n  int n = 0;\n#pragma omp parallel for reduction(+ : n)\n"
        '  for (int i = 0; i < 100; ++i) n += i;\n  printf("%d %d\\n", n, omp_get_max_threads() > 0);\n}\n'
    )
    assert main(["-Xcompiler", "-fopenmp", str(source), "-o", str(tmp_path / "a")]) == 0
    assert run(tmp_path / "a").stdout == "4950 1\n"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_with_another_nvcc(tmp_path: Path, compiler: HostCompiler):
    from lanewise.cuda.nvcc.home import cuda_home
    from lanewise.session import session_of_this_process

    home = cuda_home(session_of_this_process().cache)
    (tmp_path / "Makefile").write_text(
        "NVCC = nvcc\nprogram: memory.o\n\t$(NVCC) -o $@ $^\n"
        "memory.o: memory.cu\n\t$(NVCC) -c -MD -MF memory.d -o $@ $<\n"
    )
    for name in ("memory.cu", "check.h"):
        shutil.copy(HERE / name, tmp_path)
    done = subprocess.run(
        ["make", f"NVCC={home}/bin/nvcc"], cwd=tmp_path, capture_output=True, text=True, check=False, env=os.environ
    )
    assert done.returncode == 0, done.stderr
    assert "check.h" in (tmp_path / "memory.d").read_text()
    assert run(tmp_path / "program").stdout == "ok\n"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
def test_cmake_with_cuda_as_a_language(tmp_path: Path, compiler: HostCompiler):
    from lanewise.cuda.nvcc.home import cuda_home
    from lanewise.session import session_of_this_process

    home = cuda_home(session_of_this_process().cache)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(test LANGUAGES CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\n"
        f"add_executable(separate {HERE}/separate_a.cu {HERE}/separate_b.cu)\n"
        "set_target_properties(separate PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"
        "target_link_libraries(separate CUDA::cudart_static)\n"
    )
    build = tmp_path / "build"
    words = ["cmake", "-B", build, f"-DCMAKE_CUDA_COMPILER={home}/bin/nvcc", "-DCMAKE_CUDA_ARCHITECTURES=80"]
    for command in (words, ["cmake", "--build", build]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert run(build / "separate").stdout == "ok\n"
