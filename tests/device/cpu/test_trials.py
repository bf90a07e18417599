# SPDX-License-Identifier: Apache-2.0
"""Launches that try another mapping: python -m pytest tests/device/cpu/test_trials.py"""

import os
import re
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.prepared_cache import copy_cache

import lanewise as lw
from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.device.cpu import CpuDevice, trials
from lanewise.device.cpu.background import Background
from lanewise.device.cpu.trials import ALWAYS, TrialPolicy
from lanewise.program.kernel import Kernel
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session

SEARCH = """
__global__ void longest(int *found, const unsigned char *text, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int back = 1; back < n; back++) {
        int length = 0;
        while (length < n && text[i + n + length] == text[i + n - back + length]) length++;
        if (length > found[i]) found[i] = length;
        if (length == n) break;
    }
}
"""
IN_OPENCL = SEARCH.replace("__global__ void", "__kernel void").replace(
    "(int *found, const unsigned char *text", "(__global int *found, __global const unsigned char *text"
).replace("blockIdx.x * blockDim.x + threadIdx.x", "get_global_id(0)")  # fmt: skip
NUMBER = r"[\d.e+-]+"
TRIED = (
    rf"launches tried both mappings: {NUMBER} us per (block|work-group) by the usual mapping, {NUMBER} us by the other "
    r"mapping, lanes \(\d+ (blocks|work-groups) timed\)"
)
SOON = TrialPolicy(long_ns=0)
ITEMS, LONGEST = 1 << 13, 24
PATIENCE = 60.0
"""Seconds for a compilation in the background on a machine that has much else to do."""


@pytest.fixture
def cache(libraries: Path, tmp_path: Path) -> Path:
    """A cache without any kernel."""
    copy_cache(libraries, tmp_path / "cache")
    return tmp_path / "cache"


def arguments_of_search() -> tuple[Any, ...]:
    text = np.random.default_rng(3).integers(0, 3, ITEMS + 2 * LONGEST, np.uint8)
    return np.zeros(ITEMS, np.int32), text, np.int32(LONGEST)


def kernel_in(cache: Path, source: str = SEARCH, language: str = "cuda", mapping: str | None = None) -> Kernel:
    session = Session(Config(cache_dir=cache, num_threads=2, device="cpu"))
    return compile_source(session, source, language=language, mapping=mapping)["longest"]


def device_with(cache: Path, policy: TrialPolicy = SOON) -> CpuDevice:
    return CpuDevice(Cache(cache), 2, trials=policy)


def launched(kernel: Kernel, device: CpuDevice) -> bytes:
    arguments = arguments_of_search()
    kernel.launch(ITEMS // 64, 64, arguments, device=device)
    return arguments[0].tobytes()


def decided(kernel: Kernel, device: CpuDevice) -> set[bytes]:
    """The results of launches up to the choice."""
    found: set[bytes] = set()
    end = time.monotonic() + PATIENCE
    while "launches tried" not in kernel.remarks(64)[-1]:
        assert time.monotonic() < end, kernel.remarks(64)
        found.add(launched(kernel, device))
        time.sleep(0.01)  # a processor for the compilation
    return found


@pytest.mark.parametrize(("source", "language"), [(SEARCH, "cuda"), (IN_OPENCL, "opencl")])
def test_launches_choose_and_the_choice_is_kept(cache: Path, source: str, language: str):
    kernel = kernel_in(cache, source, language)
    assert "unsure, so long launches also try lanes" in kernel.remarks(64)
    results = decided(kernel, device_with(cache))
    fixed = kernel_in(cache, source, language, "auto,fixed")
    assert results == {launched(fixed, device_with(cache))}
    remarks = kernel.remarks(64)
    assert re.fullmatch(TRIED, remarks[-1])
    chosen = "lanes" if " lanes" in remarks[0].partition(",")[0] else "a loop"
    assert chosen in remarks[0]
    assert launched(kernel_in(cache, source, language), device_with(cache)) in results
    assert not any("tried" in remark or "also try" in remark for remark in fixed.remarks(64))


def test_a_choice_of_an_earlier_process_is_taken(
    cache: Path, libraries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    another = tmp_path / "another"
    copy_cache(libraries, another)
    kernel = kernel_in(cache)
    decided(kernel, device_with(cache))

    def compile_again(*_: object) -> None:
        raise AssertionError("nothing is tried again")

    monkeypatch.setattr(trials.KernelTrial, "__init__", compile_again)
    launched(kernel_in(cache), device_with(cache))
    with pytest.raises(AssertionError, match="nothing is tried again"):
        launched(kernel_in(another), device_with(another))


@pytest.mark.parametrize("mapping", ["auto,fixed", "loop", "lanes"])
def test_nothing_is_tried_beside_what_was_asked_for(cache: Path, mapping: str, monkeypatch: pytest.MonkeyPatch):
    made: list[object] = []
    monkeypatch.setattr(trials.KernelTrial, "__init__", lambda self, *_: made.append(self))
    launched(kernel_in(cache, mapping=mapping), device_with(cache, ALWAYS))
    assert not made


def test_a_launch_does_not_wait_for_the_other_code(cache: Path, monkeypatch: pytest.MonkeyPatch):
    may_compile = threading.Event()

    def compile_slowly(*_: object) -> None:
        may_compile.wait(PATIENCE)
        raise lw.CompileError("never made")

    monkeypatch.setattr(trials, "in_unseen_child", compile_slowly)
    kernel, device = kernel_in(cache), device_with(cache)
    results = {launched(kernel, device) for _ in range(3)}
    may_compile.set()
    assert results == {launched(kernel, device)}  # and it does without code that can't be made


def test_threads_launch_while_a_choice_is_made(cache: Path):
    kernel, device = kernel_in(cache), device_with(cache)
    found: list[set[bytes]] = []
    threads = [threading.Thread(target=lambda: found.append(decided(kernel, device))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set().union(*found)) == 1


def test_a_stream_takes_part(cache: Path):
    kernel = kernel_in(cache)
    device = device_with(cache, ALWAYS)
    stream = lw.Stream(device)
    many = [arguments_of_search() for _ in range(4)]
    for arguments in many:
        kernel.launch(ITEMS // 64, 64, arguments, stream=stream)
    stream.synchronize()
    assert {arguments[0].tobytes() for arguments in many} == {launched(kernel, device_with(cache))}


def test_a_replayed_graph_takes_part_and_chooses(cache: Path):
    kernel, device = kernel_in(cache), device_with(cache)
    arguments = arguments_of_search()
    launched(kernel, device)  # its code is loaded, so that replays need no Python
    stream = lw.Stream(device)
    with stream.capture() as graph:
        kernel.launch(ITEMS // 64, 64, arguments, stream=stream)
    end = time.monotonic() + PATIENCE
    while "launches tried" not in kernel.remarks(64)[-1]:
        assert time.monotonic() < end, kernel.remarks(64)
        graph.launch(stream)
        stream.synchronize()
        time.sleep(0.01)
    assert arguments[0].tobytes() == launched(kernel, device_with(cache))


def _script(tmp_path: Path, cache: Path, code: str) -> subprocess.CompletedProcess[str]:
    prologue = f"""
import os, sys, time
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parents[3])!r})
from tests.device.cpu.test_trials import *
cache = Path({str(cache)!r})
kernel, device = kernel_in(cache), device_with(cache)
"""
    script = tmp_path / "script.py"
    script.write_text(prologue + textwrap.dedent(code))
    return subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=90, check=False, env=os.environ.copy()
    )


def unseen_children(parent: int) -> list[str]:
    """The processes that compile for a process in the background."""
    found: list[str] = []
    for process in filter(str.isdecimal, os.listdir("/proc")):
        try:
            words = Path("/proc", process, "cmdline").read_text()
        except OSError:
            continue
        if "serve_unseen" in words and f", {parent}, " in words:
            found.append(process)
    return found


def test_the_program_does_not_see_the_child_that_compiles(tmp_path: Path, cache: Path):
    done = _script(
        tmp_path,
        cache,
        """
        import signal
        launched(kernel, device)  # for its first code a linker has run
        kernel.remarks(64)
        heard = []
        signal.signal(signal.SIGCHLD, lambda *_: heard.append(1))
        end, waited, child = time.monotonic() + 60, [], []
        while "tried" not in kernel.remarks(64)[-1] and time.monotonic() < end:
            launched(kernel, device)
            child += unseen_children(os.getpid())
            try:
                waited.append(os.waitpid(-1, os.WNOHANG))
            except ChildProcessError:
                pass
        print(bool(child), len(heard), waited)
        """,
    )
    assert (done.returncode, done.stdout) == (0, "True 0 []\n"), done


def test_a_process_ends_while_code_is_compiled_and_so_does_the_child(tmp_path: Path, cache: Path):
    done = _script(
        tmp_path,
        cache,
        """
        for _ in range(3):
            launched(kernel, device)
        end = time.monotonic() + 30
        found = []
        while not found and time.monotonic() < end and "tried" not in kernel.remarks(64)[-1]:
            found = unseen_children(os.getpid())
        print(*found)
        """,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()
    for child in done.stdout.split():
        end = time.monotonic() + 10
        while Path("/proc", child).exists():
            assert time.monotonic() < end, "the child of a process that has ended is still there"
            time.sleep(0.02)


def test_the_child_of_a_fork_asks_again_for_code_that_its_parent_waits_for(tmp_path: Path, cache: Path):
    done = _script(
        tmp_path,
        cache,
        """
        begun, usual = threading.Event(), trials.in_unseen_child
        def never(*arguments):
            begun.set()
            threading.Event().wait()
        trials.in_unseen_child = never
        first = launched(kernel, device)
        while not begun.is_set():
            assert launched(kernel, device) == first
        child = os.fork()
        if child == 0:
            trials.in_unseen_child = usual
            os._exit(0 if decided(kernel, device) == {first} else 1)
        assert os.waitpid(child, 0)[1] == 0
        """,
    )
    assert done.returncode == 0, done.stderr


def test_the_child_of_a_fork_tries_by_itself(tmp_path: Path, cache: Path):
    done = _script(
        tmp_path,
        cache,
        """
        first = launched(kernel, device)  # the thread of this process has begun
        child = os.fork()
        other = device_with(cache)
        results = decided(kernel, other)
        assert results == {first}, results
        if child == 0:
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        """,
    )
    assert done.returncode == 0, done.stderr


def test_work_that_fails_does_not_end_the_work_behind_it() -> None:
    done = threading.Event()
    background = Background()
    background.add(lambda: [][0])
    background.add(done.set)
    assert done.wait(10)
