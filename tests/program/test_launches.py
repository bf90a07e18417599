# SPDX-License-Identifier: Apache-2.0
"""Launches: printf, failures, threads, devices, and what stands between launches."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.config import Config
from lanewise.session import Session

SOURCE = """
#include <cassert>
#include <cstdio>
__global__ void twice(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
__global__ void says(int n) { printf("item %d of %d\\n", threadIdx.x, n); }
__global__ void traps(int *out, int at) { out[blockIdx.x] = 1; if (blockIdx.x == at) __trap(); }
__global__ void asserts(int limit) { assert(threadIdx.x < limit); }
extern __shared__ float scratch[];
__global__ void reverse(float *p) {
    scratch[threadIdx.x] = p[threadIdx.x]; __syncthreads(); p[threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
}
__global__ void iterate(double *p, int rounds) {
    double v = p[blockIdx.x]; for (int i = 0; i < rounds; ++i) v = v * 0.999 + 1; p[blockIdx.x] = v;
}
"""


@pytest.fixture
def module(compile_cuda: Callable[[str], lw.Module]) -> lw.Module:
    return compile_cuda(SOURCE)


def test_printf_goes_to_standard_output(module: lw.Module, capsys: pytest.CaptureFixture[str]):
    module["says"][1, 3](3)
    assert sorted(capsys.readouterr().out.splitlines()) == ["item 0 of 3", "item 1 of 3", "item 2 of 3"]


def test_a_trap_names_the_work_item_and_the_next_launch_works(module: lw.Module):
    out = np.zeros(4, np.int32)
    for _ in range(2):
        with pytest.raises(lw.LaunchError, match=r"traps.*: __trap\(\) in block \(2, 0, 0\), thread \(0, 0, 0\)"):
            module["traps"][4, 1](out, 2)
    module["traps"][4, 1](out, -1)
    assert out.tolist() == [1, 1, 1, 1]


def test_a_failed_assertion_names_condition_and_place(module: lw.Module):
    with pytest.raises(
        lw.LaunchError, match=r"<source>:10: .*assertion `threadIdx.x < limit` failed in block .*thread \(5, 0, 0\)"
    ):
        module["asserts"][1, 6](5)


def test_what_was_printed_before_a_failure_is_not_lost(
    compile_cuda: Callable[[str], lw.Module], capsys: pytest.CaptureFixture[str]
):
    module = compile_cuda('#include <cstdio>\n__global__ void k() { printf("before\\n"); __trap(); }')
    with pytest.raises(lw.LaunchError):
        module["k"][1, 1]()
    assert capsys.readouterr().out == "before\n"


def test_dynamic_shared_memory(module: lw.Module):
    for size in (4, 256, 1024):
        p = np.arange(size, dtype=np.float32)
        module["reverse"].launch(1, size, [p], shared=np.int64(4 * size))
        assert (p == np.arange(size)[::-1]).all()


def test_a_device_by_name_and_as_an_object(module: lw.Module):
    for device in ("cpu", "reference", lw.device("cpu"), lw.device("reference"), None):
        y, x = np.zeros(8, np.float32), np.ones(8, np.float32)
        module["twice"].launch(2, 4, (y, x, 8), device=device)
        assert (y == 2).all()


def test_devices():
    devices = lw.devices()
    assert [device.name for device in devices] == ["cpu", "reference", "simt"]
    assert lw.device("cpu") is devices[0]
    assert "threads" in devices[0].description


def test_kernels_run_at_once_from_many_threads(module: lw.Module):
    wrong: list[Any] = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for block in (64, 128, 256):
            x = rng.random(5000, np.float32)
            y = np.zeros_like(x)
            module["twice"][(5000 + block - 1) // block, block](y, x, 5000)
            if not (y == 2 * x).all():
                wrong.append((seed, block))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_template_instances_are_made_from_many_threads():
    module = lw.compile("template <int N> __global__ void add(int *p) { atomicAdd(p, N); }", language="cuda")
    p = np.zeros(8, np.int32)
    threads = [threading.Thread(target=lambda n=n: module[f"add<{n}>"][1, 4](p[n:])) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert p.tolist() == [4 * n for n in range(8)]


def test_python_runs_on_while_a_kernel_does(module: lw.Module):
    p = np.zeros(2)
    module["iterate"][2, 1](p, 1)
    thread = threading.Thread(target=lambda: module["iterate"][2, 1](p, 60_000_000))
    thread.start()
    ticks = 0
    while thread.is_alive():
        thread.join(0.001)
        ticks += 1
    assert ticks > 5


@pytest.mark.parametrize("threads", [1, 3])
def test_the_number_of_threads(module: lw.Module, compile_in: Callable[..., lw.Module], threads: int):
    session = Session(Config(None, threads, "cpu"))
    assert f"{threads} threads" in session.device("cpu").description
    own = compile_in(session, SOURCE)
    y, x = np.zeros(1000, np.float32), np.ones(1000, np.float32)
    own["twice"][8, 128](y, x, 1000)
    assert (y == 2).all()


@pytest.mark.parametrize(("value", "said"), [("0", "1 to 1024, not '0'"), ("two", "1 to 1024, not 'two'")])
def test_a_bad_number_of_threads_is_named(value: str, said: str):
    environment = {**os.environ, "LANEWISE_NUM_THREADS": value}
    command = [sys.executable, "-c", "import lanewise as lw; lw.devices()"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert f"lanewise.errors.Error: LANEWISE_NUM_THREADS must be a whole number from {said}" in done.stderr


def test_a_child_of_fork_can_launch(module: lw.Module):
    x = np.ones(1000, np.float32)
    module["twice"][8, 128](np.zeros(1000, np.float32), x, 1000)
    child = os.fork()
    if child == 0:
        y = np.zeros(1000, np.float32)
        module["twice"][8, 128](y, x, 1000)
        os._exit(0 if (y == 2).all() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


class TestPrepare:
    """`Kernel.prepare` compiles what a launch runs, and runs nothing."""

    @pytest.mark.parametrize("device", ["cpu", "reference"])
    def test_nothing_runs(self, module: lw.Module, device: str):
        y, x = np.zeros(4, np.float32), np.ones(4, np.float32)
        module["twice"].prepare(1, 4, (y, x, 4), device=device)
        assert y.tolist() == [0, 0, 0, 0]

    def test_the_launch_compiles_nothing_more(self, module: lw.Module, monkeypatch: pytest.MonkeyPatch):
        y, x = np.zeros(4, np.float32), np.ones(4, np.float32)
        module["twice"].prepare(1, 4, (y, x, 4))
        monkeypatch.setattr(sys.modules["lanewise.device.cpu.device"], "load_kernel", None)
        module["twice"][1, 4](y, x, 4)
        assert y.tolist() == [2, 2, 2, 2]

    def test_its_arguments_are_checked(self, module: lw.Module):
        with pytest.raises(lw.LaunchError, match="takes 3 arguments, not 0"):
            module["twice"].prepare(1, 4, ())
        with pytest.raises(lw.LaunchError, match="block"):
            module["twice"].prepare(1, 5000, (None, None, 0))
