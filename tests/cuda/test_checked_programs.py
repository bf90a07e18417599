# SPDX-License-Identifier: Apache-2.0
"""Whole CUDA programs under LANEWISE_CHECK."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw
from lanewise.config import checks_named
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.program.checked.faults import KernelFault

from ..prepared_cache import copy_cache

# The first argument names what goes wrong; a number after it is the exit status.
PROGRAM = r"""#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <dirent.h>
#include <unistd.h>
#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/wait.h>
__device__ int offsets[4];
__global__ void shift(float *out, const float *in, int by) { out[threadIdx.x] = in[(int)threadIdx.x + by]; }
__global__ void pick(float *out, const float *in) { out[threadIdx.x] += in[offsets[threadIdx.x]]; }
__global__ void tell(int *out, int n) { out[threadIdx.x] = n / out[threadIdx.x]; }
__device__ int rank(int n) { return n < 2 ? n : rank(n - 1) + rank(n - 2); }
__global__ void calls(int *p) { p[threadIdx.x] = rank(p[threadIdx.x]); }
struct Within { float *p; };
__global__ void stray(Within w) { w.p[threadIdx.x] = 1; }
__global__ void inner(Within w, int n) { w.p[n] = 1; }
__global__ void late(Within *w, int n) { w->p[n] = 1; }
__global__ void keep(int n) { for (int i = 0; i < n; ++i) *(volatile int *)malloc(8) = i; }
static const char ptx[] = R"(.version 7.8
.target sm_80
.address_size 64
.global .u32 count;
.visible .entry next(.param .u64 p) {
    .reg .b64 %a<2>; .reg .b32 %n<3>;
    ld.param.u64 %a1, [p];
    ld.global.u32 %n1, [count];
    add.u32 %n2, %n1, 1;
    st.global.u32 [count], %n2;
    st.global.u32 [%a1], %n2;
    st.global.u32 [%a1+400], %n2;
    ret;
})";
static bool load_again() { // whether each module had variables of its own
    CUmodule module, held; CUfunction next; CUdeviceptr p;
    int last = 0;
    cuMemAlloc(&p, 400);
    void *arguments[] = {&p};
    cuModuleLoadData(&held, ptx), cuModuleGetFunction(&next, held, "next");
    cuLaunchKernel(next, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
    for (int i = 0; i < 3; ++i) {
        cuModuleLoadData(&module, ptx), cuModuleGetFunction(&next, module, "next");
        cuLaunchKernel(next, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
        cuMemcpyDtoH(&last, p, 4), cuModuleUnload(module);
        if (last != 1) return false;
    }
    cuModuleGetFunction(&next, held, "next");
    cuLaunchKernel(next, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
    return cuMemcpyDtoH(&last, p, 4) == CUDA_SUCCESS && last == 2;
}
static long descriptors() {
    DIR *folder = opendir("/proc/self/fd");
    long count = 0;
    while (readdir(folder)) ++count;
    return closedir(folder), count;
}
static long pages() {
    long count;
    FILE *file = fopen("/proc/self/statm", "r");
    fscanf(file, "%ld", &count);
    return fclose(file), count;
}
int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    float *in, *out, host[32];
    if (!strcmp(what, "idle")) return cudaMalloc(&out, 400);
    if (!strcmp(what, "beside")) {
        cudaMallocHost(&out, 400);
        out[-1] = 1;
        return cudaFreeHost(out);
    }
    if (!strcmp(what, "large")) { // more than is kept of what is freed
        cudaMalloc(&out, 300 << 20);
        long before = pages();
        cudaFree(out);
        return pages() < before - (200 << 20) / sysconf(_SC_PAGESIZE) ? 0 : 8;
    }
    cudaMallocManaged(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    memset(in, 0, sizeof host);
    shift<<<1, 32>>>(out, in, 0);
    if (!strcmp(what, "bounds")) for (int i = 0; i < 3; ++i) shift<<<1, 32>>>(out, in, 1);
    if (!strcmp(what, "inside")) shift<<<1, 16>>>(out, in + 16, -16), shift<<<1, 16>>>(out, in + 16, -17);
    if (!strcmp(what, "variable")) {
        int wrong[4] = {0, 1, 2, 32};
        cudaMemcpyToSymbol(offsets, wrong, sizeof wrong);
        pick<<<1, 4>>>(out, in);
    }
    if (!strcmp(what, "values")) tell<<<1, 32>>>((int *)out, 1);
    if (!strcmp(what, "freed")) cudaFree(in), shift<<<1, 32>>>(out, in, 0);
    if (!strcmp(what, "twice")) cudaFree(out), cudaFree(out), cudaGetLastError();
    if (!strcmp(what, "heap")) keep<<<1, 2>>>(3);
    if (!strcmp(what, "tidy")) cudaFree(in), cudaFree(out);
    if (!strcmp(what, "calls")) calls<<<1, 1>>>((int *)out);
    if (!strcmp(what, "library")) {
        if (!dlopen("./late.so", RTLD_NOW)) return 9;
        shift<<<1, 32>>>(out, in, 1);
    }
    if (!strcmp(what, "stray")) stray<<<1, 1>>>(Within{out + 32});
    if (!strcmp(what, "members")) {
        Within *w;
        cudaMallocManaged(&w, sizeof *w);
        inner<<<1, 1>>>(Within{out}, 31);
        inner<<<1, 1>>>(Within{out}, 32);
        w->p = out;
        late<<<1, 1>>>(w, 31), cudaDeviceSynchronize();
        cudaFree(out);
        late<<<1, 1>>>(w, 3), cudaDeviceSynchronize();
        exit(0);
    }
    if (!strcmp(what, "sizes")) {
        long before = descriptors();
        shift<<<1, 8>>>(out, in, 0), shift<<<1, 16>>>(out, in, 0);
        if (descriptors() != before) return 8;
        struct rlimit known, none;
        getrlimit(RLIMIT_NOFILE, &known), none = known;
        close(none.rlim_cur = dup(0)), setrlimit(RLIMIT_NOFILE, &none);
        shift<<<1, 4>>>(out, in, 32), shift<<<1, 4>>>(out, in, 32);
        setrlimit(RLIMIT_NOFILE, &known);
        shift<<<1, 2>>>(out, in, 31);
    }
    if (!strcmp(what, "modules") && !load_again()) return 8;
    if (!strcmp(what, "stream"))
        for (int i = 0; i < 3; ++i) cudaFreeAsync(out, 0), i && cudaDeviceSynchronize(), cudaGetLastError();
    if (!strcmp(what, "running")) { shift<<<1, 32>>>(out, in, 1); return 0; }
    if (!strcmp(what, "forks")) {
        int status;
        if (!fork()) exit(0);
        wait(&status);
        cudaFree(in), cudaFree(out);
        return status >> 8;
    }
    if (!strcmp(what, "child")) {
        int status;
        if (!fork()) {
            execl(argv[0], argv[0], "bounds", (char *)nullptr);
        }
        wait(&status);
        return status >> 8 == 66 ? 0 : 1;
    }
    if (cudaDeviceSynchronize() != cudaSuccess || cudaGetLastError() != cudaSuccess) return 99;
    return argc > 2 ? atoi(argv[2]) : 0;
}
"""
LATE = """#include <stdio.h>
__attribute__((destructor)) static void end(void) { puts("the library has ended"); }
"""
SHIFT_LINE = PROGRAM[: PROGRAM.index("void shift")].count("\n") + 1

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, compiler: HostCompiler, libraries: Path) -> Run:
    """Runs the program, built once, with settings of the environment."""
    folder = tmp_path_factory.mktemp("checked")
    copy_cache(libraries, folder / "cache")
    (folder / "program.cu").write_text(PROGRAM)
    environment = {**os.environ, "LANEWISE_CACHE_DIR": str(folder / "cache")}
    for name in ("LANEWISE_CHECK", "LANEWISE_CHECK_EXIT_CODE"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "lanewise", "nvcc", "-lcuda", "-o", "program", "program.cu"]
    subprocess.run(command, cwd=folder, env=environment, check=True)
    (folder / "late.c").write_text(LATE)
    build = compiler.linking(["-shared", "-fPIC", "-x", "c", "late.c", "-o", "late.so"])
    subprocess.run(build, cwd=folder, check=True)

    def run(*words: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(folder / "program"), *words], cwd=folder, env={**environment, **settings},
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def test_a_place_is_told_once_and_the_program_goes_on(run: Run) -> None:
    done = run("bounds", LANEWISE_CHECK="memory")
    assert done.stderr.splitlines() == [
        "lanewise check: kernel shift: 1 place at fault",
        f"program.cu:{SHIFT_LINE}:81: error: read out of bounds: element 32 of argument 'in', float[32]: just past its "
        "end, in block (0, 0, 0), thread (31, 0, 0)",
        f"{SHIFT_LINE:5} | {PROGRAM.splitlines()[SHIFT_LINE - 1]}",
        f"      | {' ' * 80}^",
        "lanewise check: 1 place at fault in 1 kernel",
    ]
    assert done.returncode == 66


def test_a_right_program_is_left_alone(run: Run) -> None:
    done = run(LANEWISE_CHECK="1")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("words", "code", "expected"), [("bounds", "3", 3), ("bounds", "0", 0), ("bounds 5", "3", 5)])
def test_the_exit_code_is_the_program_s_own_unless_it_ends_as_a_success(
    run: Run, words: str, code: str, expected: int
) -> None:
    done = run(*words.split(), LANEWISE_CHECK="memory", LANEWISE_CHECK_EXIT_CODE=code)
    assert done.returncode == expected


def test_blanks_around_a_setting_do_not_count(run: Run) -> None:
    assert run("bounds", LANEWISE_CHECK=" 0 ").returncode == 0
    assert run("bounds", LANEWISE_CHECK=" memory ").returncode == 66


def test_an_argument_may_point_into_an_array(run: Run) -> None:
    lines = run("inside", LANEWISE_CHECK="memory").stderr.splitlines()
    assert lines[1].split("error: ")[1] == (
        "read out of bounds: element -1 of the array that argument 'in' points to element 16 of, float[32]: 4 bytes "
        "before its start, in block (0, 0, 0), thread (0, 0, 0)"
    )
    assert lines[-1] == "lanewise check: 1 place at fault in 1 kernel"


def test_variables_are_those_of_the_program(run: Run) -> None:
    lines = run("variable", LANEWISE_CHECK="memory").stderr.splitlines()
    assert "element 32 of argument 'in', float[32]" in lines[1]
    assert lines[1].endswith("thread (3, 0, 0)")


def test_parts_of_the_checks(run: Run) -> None:
    assert run("values", LANEWISE_CHECK="memory").returncode == 0
    done = run("values", LANEWISE_CHECK="memory,values")
    assert done.returncode == 66
    assert "error: division of 1 by zero, in block" in done.stderr


def test_processes_that_a_program_starts_are_checked(run: Run) -> None:
    done = run("child", LANEWISE_CHECK="memory")
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1] == "lanewise check: 1 place at fault in 1 kernel"


def test_an_access_to_an_array_that_has_been_freed(run: Run) -> None:
    done = run("freed", LANEWISE_CHECK="memory")
    assert done.returncode == 66
    assert done.stderr.splitlines()[1].split(": error: ") == [
        f"program.cu:{SHIFT_LINE}:81",
        "read of memory that has been freed: element 0 of what argument 'in' points to, in block (0, 0, 0), "
        "thread (0, 0, 0), and 31 more times",
    ]


def test_an_array_that_is_freed_twice(run: Run) -> None:
    assert run("twice").returncode == 0
    done = run("twice", LANEWISE_CHECK="memory")
    assert done.returncode == 66
    assert "is in memory that has been freed already (cudaErrorInvalidValue)" in done.stderr
    assert "lanewise check: memory that has been freed is freed again" in done.stderr.splitlines()
    assert run("twice", LANEWISE_CHECK="races").returncode == 0
    lines = run("stream", LANEWISE_CHECK="memory").stderr.splitlines()
    assert lines.count("lanewise check: memory that has been freed is freed again") == 2


def test_faults_without_a_place_are_data_and_may_be_suppressed(run: Run, tmp_path: Path) -> None:
    report, known = tmp_path / "faults", tmp_path / "known"
    settings = {"LANEWISE_CHECK_REPORT": str(report), "LANEWISE_CHECK_SUPPRESS": str(known)}
    known.write_text("freed *.cu\nleak  * # known\n* kernel:stray\n")
    assert run("twice", LANEWISE_CHECK="1", **settings).returncode == 66
    assert run("idle", LANEWISE_CHECK="leaks", **settings).stderr == ""
    done = run("stray", LANEWISE_CHECK="1", **settings)
    assert ("lanewise check" in done.stderr, done.returncode) == (False, 0)
    records = [json.loads(line) for line in report.read_text().splitlines()]
    assert [(each["rule"], each["suppressed"]) for each in records] == [
        ("freed", ""),
        ("leak", "leak  *"),
        ("out-of-bounds", "* kernel:stray"),
    ]
    assert all({*KernelFault._fields} < {*each} for each in records)
    assert (records[1]["nbytes"], records[1]["times"], records[2]["kernel"]) == (400, 1, "stray")


def test_files_that_faults_without_a_place_need_and_that_are_not_there(run: Run) -> None:
    done = run("idle", LANEWISE_CHECK="leaks", LANEWISE_CHECK_REPORT="/proc/none", LANEWISE_CHECK_SUPPRESS="nowhere")
    assert done.stderr.splitlines() == [
        "lanewise: LANEWISE_CHECK_SUPPRESS: nowhere: can't be read: No such file or directory",
        "lanewise check: leak: 1 allocation of device memory, 400 bytes, never freed",
        "lanewise: LANEWISE_CHECK_REPORT: /proc/none: can't be written: No such file or directory",
    ]
    assert done.returncode == 66


def test_a_large_array_is_given_back_at_once(run: Run) -> None:
    assert run("large", LANEWISE_CHECK="memory").returncode == 0


def test_block_sizes_take_no_descriptors_and_fail_each_alone(run: Run) -> None:
    done = run("sizes", LANEWISE_CHECK="memory")
    assert [line for line in done.stderr.splitlines() if line.startswith("lanewise check")] == [
        "lanewise check: kernel shift is not checked: its code for blocks of (4, 1, 1) can't be loaded",
        "lanewise check: kernel shift: 1 place at fault",
        "lanewise check: 1 place at fault in 1 kernel",
        "lanewise check: 1 kernel could not be checked",
    ]
    assert done.returncode == 66


def test_a_place_of_a_module_that_is_loaded_often_is_told_once(run: Run) -> None:
    done = run("modules", LANEWISE_CHECK="memory")
    assert done.stderr.splitlines().count("lanewise check: kernel next: 1 place at fault") == 1
    assert done.stderr.splitlines()[-1] == "lanewise check: 1 place at fault in 1 kernel"
    assert done.returncode == 66


def test_leaks_are_told_on_request(run: Run, tmp_path: Path) -> None:
    assert run("tidy", LANEWISE_CHECK="leaks").returncode == 0
    assert "leak" not in run("heap", LANEWISE_CHECK="1").stderr
    done = run("heap", LANEWISE_CHECK="1,leaks", LANEWISE_CHECK_REPORT=str(tmp_path / "faults"))
    assert done.returncode == 66
    assert done.stderr.splitlines() == [
        "lanewise check: leak: 1 allocation of device memory, 128 bytes, never freed",
        "lanewise check: leak: 1 allocation of managed memory, 128 bytes, never freed",
        "lanewise check: leak: 6 blocks of malloc() in kernels, 48 bytes, never freed",
    ]
    rules = [json.loads(line)["rule"] for line in (tmp_path / "faults").read_text().splitlines()]
    assert rules == ["leak"] * 3


def test_a_program_that_only_allocates_has_leaks(run: Run) -> None:
    done = run("idle", LANEWISE_CHECK="leaks")
    assert done.stderr == "lanewise check: leak: 1 allocation of device memory, 400 bytes, never freed\n"
    assert done.returncode == 66


@pytest.mark.parametrize(
    ("checks", "tells"),
    [(" leaks , values", True), ("values,\tleaks ", True), ("values leaks", False), ("leaks values", False),
     ("leak", False), ("leaksome", False)],
)  # fmt: skip
def test_commas_separate_names_of_checks_and_blanks_do_not(run: Run, checks: str, *, tells: bool) -> None:
    """As in Python, where "values leaks" is no check."""
    assert ("leak:" in run("idle", LANEWISE_CHECK=checks).stderr) == tells
    assert ("leaks" in checks_named(checks)) == tells  # type: ignore[operator]


def test_the_child_of_a_fork_does_not_leak_what_is_its_parent_s(run: Run) -> None:
    assert run("forks", LANEWISE_CHECK="1,leaks").returncode == 0


def test_launches_that_run_at_the_end_are_awaited(run: Run) -> None:
    done = run("running", LANEWISE_CHECK="memory")
    assert "lanewise check: 1 place at fault in 1 kernel" in done.stderr
    assert done.returncode == 66


def test_what_guard_pages_find_is_a_fault(run: Run) -> None:
    done = run("stray", LANEWISE_CHECK="memory")
    told = "lanewise check: kernel stray: a write beside an array, by a pointer that checks don't follow"
    assert told in done.stderr.splitlines()
    assert done.returncode == 66


def test_pointers_in_structures(run: Run) -> None:
    done = run("members", LANEWISE_CHECK="memory")
    told = [line.split(": error: ")[1] for line in done.stderr.splitlines() if ": error: " in line]
    who = "in block (0, 0, 0), thread (0, 0, 0)"
    assert told == [
        f"write out of bounds: byte 128 of an allocation, {who}",
        f"write of memory that has been freed: byte 12 of it, {who}",
    ]
    assert done.returncode == 66


def test_kernels_that_are_not_checked_are_told(run: Run, tmp_path: Path) -> None:
    done = run("calls", LANEWISE_CHECK="1", LANEWISE_CHECK_REPORT=str(tmp_path / "report"))
    assert "lanewise check: 1 kernel could not be checked" in done.stderr.splitlines()
    (record,) = map(json.loads, (tmp_path / "report").read_text().splitlines())
    assert (record["kernel"], "functions by their address" in record["not_checked"]) == ("calls", True)
    assert done.returncode == 0


def test_libraries_end_as_ever(run: Run) -> None:
    done = run("library", LANEWISE_CHECK="memory")
    assert (done.returncode, done.stdout) == (66, "the library has ended\n")


def test_what_was_written_beside_an_array_is_told_when_it_is_freed(run: Run) -> None:
    plain, checked = (run("beside", LANEWISE_STRICT_BOUNDS="1", LANEWISE_CHECK=text) for text in ("0", "memory"))
    assert plain.returncode == checked.returncode != 0


def test_kernels_that_can_not_be_kept_are_no_success(run: Run) -> None:
    done = run(LANEWISE_CHECK="1", LANEWISE_CACHE_DIR="/proc/none")
    assert "LANEWISE_CACHE_DIR must name a folder that can be written to" in done.stderr
    assert done.returncode == 66


def test_an_unknown_check_is_said_once(run: Run) -> None:
    done = run("bounds", LANEWISE_CHECK="memroy")
    assert done.returncode == 66
    said = [line for line in done.stderr.splitlines() if not re.match("lanewise: warning", line)]
    assert said == [
        "lanewise: LANEWISE_CHECK: checked: there is no check 'memroy'; the checks are 'memory', 'values', "
        "'unwritten', 'races', 'barriers', 'races-strict', 'barriers-strict', 'leaks'"
    ]


def test_faults_as_data_limits_and_suppressions(run: Run, tmp_path: Path) -> None:
    report, known = tmp_path / "faults", tmp_path / "known"
    settings = {"LANEWISE_CHECK": "memory", "LANEWISE_CHECK_REPORT": str(report)}
    done = run("bounds", LANEWISE_CHECK_LIMIT="0", **settings)
    assert "error: " not in done.stderr
    (record,) = map(json.loads, report.read_text().splitlines())
    assert (record["rule"], record["kernel"], record["line"]) == ("out-of-bounds", "shift", SHIFT_LINE)
    assert Path(record["file"]).is_absolute()
    assert record["message"].endswith("in block (0, 0, 0), thread (31, 0, 0)")
    known.write_text(f"* program.cu:{SHIFT_LINE}\n")
    done = run("bounds", LANEWISE_CHECK_SUPPRESS=str(known), **settings)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_of_suppressions_that_is_not_there_is_said_once(run: Run) -> None:
    done = run("bounds", LANEWISE_CHECK="memory", LANEWISE_CHECK_SUPPRESS="nowhere")
    assert done.returncode == 66
    said = [line for line in done.stderr.splitlines() if not re.match("lanewise: warning", line)]
    assert said == ["lanewise: LANEWISE_CHECK_SUPPRESS: nowhere: can't be read: No such file or directory"]


def test_a_function_that_is_inlined_twice_is_one_place() -> None:
    source = """
__device__ int at(const int *p, int i) { return p[i]; }
__global__ void twice(int *p) { p[threadIdx.x] = at(p, threadIdx.x + 1) + at(p, threadIdx.x + 2); }
"""
    with pytest.raises(lw.CheckError) as raised:
        lw.compile(source, language="cuda", checked="memory")["twice"][1, 32](np.zeros(32, np.int32))
    (fault,) = raised.value.faults
    assert (fault.line, fault.times) == (2, 3)
