# SPDX-License-Identifier: Apache-2.0
"""A fuzzing run counts every kernel, and finds the one at which a worker crashes or hangs."""

import tempfile
import threading
from pathlib import Path

import pytest

from . import driver, watch, worker
from .driver import Run

WORKER = """
import os, sys, time
first, count, together, shrink = map(int, sys.argv[1:5])
for start in range(first, first + count, together):
    seeds = range(start, min(start + together, first + count))
    print("at", start, len(seeds), flush=True)
    if CRASHES in seeds:
        os.abort()
    if HANGS in seeds:
        time.sleep(60)
    if FAILS in seeds:
        print("failed", FAILS, "/nowhere/5.cu", "AssertionError: out differs", flush=True)
    print("passed", len(seeds) - (FAILS in seeds), flush=True)
"""


LEAVES_A_CHILD = """
import os, subprocess, sys, time
print("at", sys.argv[1], 1, flush=True)
child = "import os, time; end, i = time.monotonic() + 20, 0\\nwhile time.monotonic() < end:\\n" \
    "    i += 1; os.makedirs(os.environ['TMPDIR'] + f'/{i % 9}/{i}', exist_ok=True); time.sleep(0.001)"
subprocess.Popen([sys.executable, "-c", child], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while len(os.listdir(os.environ["TMPDIR"])) < 9:
    time.sleep(0.01)
"""


def run(count: int, *, crashes: int = -1, hangs: int = -1, fails: int = -1, jobs: int = 1) -> Run:
    code = WORKER.replace("CRASHES", str(crashes)).replace("HANGS", str(hangs)).replace("FAILS", str(fails))
    made = Run(100, count, jobs, patience=1, worker=("-c", code))
    made.execute()
    return made


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "FOLDER", tmp_path)
    monkeypatch.setattr(driver, "KERNELS_A_WORKER", 20)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("count", [1, 8, 20, 50])
def test_every_kernel_is_counted(count: int, jobs: int):
    made = run(count, jobs=jobs)
    assert (made.done, made.failures) == (count, [])


def test_failure_is_reported_with_its_seed_and_the_command_that_repeats_it():
    made = run(50, fails=125)
    (failure,) = made.failures
    assert made.done == 50
    assert "seed 125: AssertionError: out differs" in str(failure)
    assert "python -m tests.fuzz.repeat /nowhere/5.cu" in str(failure)


@pytest.mark.parametrize("seed", [100, 107, 113, 149])
def test_kernel_that_crashes_is_found_and_the_others_are_run(seed: int):
    made = run(50, crashes=seed)
    (failure,) = made.failures
    assert (made.done, failure.seed) == (50, seed)
    assert "status -6" in failure.message
    assert failure.path.read_text().startswith("// grid")


def test_kernel_that_hangs_is_found_and_the_others_are_run():
    made = run(20, hangs=111)
    (failure,) = made.failures
    assert (made.done, failure.seed, failure.message) == (20, 111, "hangs")


@pytest.mark.parametrize(("ends", "message"), [("time.sleep(60)", "hangs"), ("os.abort()", "status -6")])
def test_child_of_a_worker_ends_with_it(ends: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A compiler that a worker has started, say, which writes to its folder while that is removed."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made = Run(100, 1, patience=1, worker=("-c", LEAVES_A_CHILD + ends))
    made.execute()
    (failure,) = made.failures
    assert (made.done, failure.seed) == (1, 100)
    assert message in failure.message
    assert not list(tmp_path.glob("fuzzing-*"))


@pytest.mark.parametrize(("share", "looks"), [(0.0, 1), (1.0, 2), (0.25, 5)])
def test_worker_hangs_when_it_is_idle_or_has_taken_long(share: float, looks: int, monkeypatch: pytest.MonkeyPatch):
    """A worker with a quarter of a processor, on a busy machine, is given four times as long."""
    taken = iter(share * 0.1 * look for look in range(1000))
    seen: list[float] = []

    def processor_seconds(process: int) -> float:
        seen.append(next(taken))
        return seen[-1]

    monkeypatch.setattr(watch, "processor_seconds", processor_seconds)
    ended = threading.Event()
    watched = watch.Watch(0, 0.1, ended.set)
    assert ended.wait(60)
    watched.stop()
    assert len(seen) - 1 == looks


def test_word_of_a_worker_is_heard(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watch, "processor_seconds", lambda process: 0.0)
    ended = threading.Event()
    watched = watch.Watch(0, 30, ended.set)
    watched.word()
    watched.stop()
    assert not ended.is_set()


def test_worker_that_does_not_start_is_a_failure():
    made = Run(100, 20, worker=("-c", "import nothing_of_this_name"))
    made.execute()
    (failure,) = made.failures
    assert "ModuleNotFoundError" in failure.message


def test_run_ends_when_its_time_is_over():
    made = Run(100, 10**9, seconds=0.5, worker=("-c", WORKER.replace("CRASHES", "-1").replace("HANGS", "-1")
               .replace("FAILS", "-1").replace('print("at"', 'time.sleep(0.01); print("at"')))  # fmt: skip
    made.execute()
    assert 0 < made.done < 10**6
    assert not made.failures
