# SPDX-License-Identifier: Apache-2.0
"""Interrupts, forks and threads around launches: python -m pytest tests/device/cpu/test_processes.py"""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

PROLOGUE = """
import faulthandler, multiprocessing, os, sys, threading, time
import numpy as np
import lanewise as lw

SOURCE = '''
__global__ void spin(volatile int *p) { *p = 1; while (*p != 2); }
__global__ void many(unsigned *p) { atomicAdd(p, 1u); }
__global__ void good(int *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] = 2 * i; }
'''

def is_usable(blocks=8):
    out = np.zeros(blocks * 64, np.int32)
    lw.compile(SOURCE, language="cuda")["good"][blocks, 64](out, out.size)
    return bool((out == 2 * np.arange(out.size)).all())
"""


def _start(tmp_path: Path, code: str) -> subprocess.Popen[str]:
    script = tmp_path / "script.py"
    script.write_text(PROLOGUE + textwrap.dedent(code))
    return subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ
        | {
            "LANEWISE_CACHE_DIR": str(tmp_path / "cache"),
            "LANEWISE_NUM_THREADS": "2",
            "LANEWISE_WATCHDOG": "off",  # endless kernels are what is interrupted here
        },
    )


def _run(tmp_path: Path, code: str) -> str:
    """What the script prints, which must end well."""
    process = _start(tmp_path, code)
    try:
        out, error = process.communicate(timeout=90)
    finally:
        process.kill()
    assert process.returncode == 0, error
    return out


INTERRUPTED = {
    "an endless kernel": """
        try:
            lw.compile(SOURCE, language="cuda")["spin"][4, 32](flag)
        except KeyboardInterrupt:
            print("interrupted")
        """,
    "a long grid": """
        try:
            lw.compile(SOURCE, language="cuda")["many"][2**31 - 1, 1024](flag.view(np.uint32))
        except KeyboardInterrupt:
            print("interrupted")
        """,
    "an endless kernel of another thread": """
        def work():
            try:
                lw.compile(SOURCE, language="cuda")["spin"].launch(4, 32, (flag,), timeout=3)
            except lw.LaunchError as error:
                print("timeout" in str(error))
        worker = threading.Thread(target=work)
        worker.start()
        try:
            while worker.is_alive():
                worker.join(0.1)
        except KeyboardInterrupt:
            print("interrupted")
        worker.join()
        """,
}


@pytest.mark.parametrize("what", INTERRUPTED)
def test_ctrl_c(tmp_path: Path, what: str):
    """KeyboardInterrupt, soon, and the process goes on."""
    code = """
        flag = np.zeros(1, np.int32)
        def tell():
            while not flag[0]:
                time.sleep(0.01)
            print("running", flush=True)
        threading.Thread(target=tell).start()
        """
    process = _start(tmp_path, code + INTERRUPTED[what] + "\n        print(is_usable())\n")
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, error
    assert out.splitlines()[0] == "interrupted"
    assert out.splitlines()[-1] == "True"


def _processor_seconds(process: int) -> float:
    """Of a process, all threads together, without its children: proc(5)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def test_ctrl_c_on_the_command_line(tmp_path: Path):
    source = tmp_path / "spin.cu"
    source.write_text("__global__ void spin(volatile int *p) { while (*p != 2); }\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "lanewise", "run", str(source), "--grid", "4", "--arg", "zeros:i32[1]"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"LANEWISE_CACHE_DIR": str(tmp_path / "cache"), "LANEWISE_WATCHDOG": "off"},
    )
    try:
        while process.poll() is None and _processor_seconds(process.pid) < 3:  # importing and compiling takes less
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert b"Traceback" not in error


def test_forked_children_launch_and_compile(tmp_path: Path):
    out = _run(
        tmp_path,
        """
        assert is_usable()
        stop = threading.Event()
        def launch_on():
            while not stop.is_set():
                is_usable(50)
        workers = [threading.Thread(target=launch_on) for _ in range(2)]
        for worker in workers:
            worker.start()
        codes = []
        for i in range(3):
            child = os.fork()
            if child == 0:
                faulthandler.dump_traceback_later(60, exit=True)
                source = "__global__ void k(int *p) { *p = %d; }" % i  # not in the cache yet
                out = np.zeros(1, np.int32)
                lw.compile(source, language="cuda")["k"][1, 1](out)
                os._exit(0 if is_usable(100) and out[0] == i else 3)
            codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        stop.set()
        for worker in workers:
            worker.join()
        print(codes, is_usable())
        """,
    )
    assert out == "[0, 0, 0] True\n"


def test_a_fork_in_a_thread(tmp_path: Path):
    out = _run(
        tmp_path,
        """
        assert is_usable()
        codes = []
        def work():
            child = os.fork()
            if child == 0:
                os._exit(0 if is_usable(50) else 3)
            codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        for _ in range(3):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        print(codes, is_usable())
        """,
    )
    assert out == "[0, 0, 0] True\n"


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(tmp_path: Path, method: str):
    out = _run(
        tmp_path,
        f"""
        if __name__ == "__main__":
            assert is_usable()
            with multiprocessing.get_context("{method}").Pool(2) as pool:
                print(pool.map(is_usable, [10, 20, 30, 40]))
        """,
    )
    assert out == "[True, True, True, True]\n"


def test_many_threads_compile_and_launch_at_once(tmp_path: Path):
    """More threads than a pool has slots for launches, on the same kernels and on kernels of their own."""
    out = _run(
        tmp_path,
        """
        wrong = []
        shared = lw.compile(SOURCE, language="cuda")
        gate = threading.Barrier(70)
        def work(seed):
            gate.wait()
            for blocks in (seed % 7 + 1, 3):
                out = np.zeros(blocks * (seed % 5 + 1), np.int32)
                shared["good"][blocks, seed % 5 + 1](out, out.size)
                if (out != 2 * np.arange(out.size)).any():
                    wrong.append(seed)
            if seed % 10 == 0:
                source = "__device__ int cell = %d; __global__ void k(int *p) { *p = cell++; }" % seed
                own, out = lw.compile(source, language="cuda"), np.zeros(1, np.int32)
                for i in range(3):
                    own["k"][1, 1](out)
                    if out[0] != seed + i:
                        wrong.append(seed)
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(70)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(wrong)
        """,
    )
    assert out == "[]\n"


def test_a_process_that_dies_while_it_compiles(tmp_path: Path):
    """kill -9 at any moment leaves no broken result and no lock to those that come later."""
    code = """
        for i in range(100):
            out = np.zeros(1, np.int32)
            lw.compile("__global__ void k(int *p) { *p = %d; }" % i, language="cuda")["k"][1, 1](out)
            assert out[0] == i
        """
    for wait in (0.3, 0.6, 0.9):
        process = _start(tmp_path, code)
        time.sleep(wait)
        process.kill()
        process.communicate()
    code = textwrap.dedent(code)
    assert _run(tmp_path, code.replace("range(100)", "range(12)") + "print(is_usable())\n") == "True\n"


def test_ends_while_launches_run(tmp_path: Path):
    """A daemon thread's endless launch doesn't keep the process from ending."""
    out = _run(
        tmp_path,
        """
        flag = np.zeros(1, np.int32)
        module = lw.compile(SOURCE, language="cuda")
        threading.Thread(target=lambda: module["spin"][4, 32](flag), daemon=True).start()
        while not flag[0]:
            time.sleep(0.01)
        print("leaving")
        """,
    )
    assert out == "leaving\n"
