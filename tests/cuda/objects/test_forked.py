# SPDX-License-Identifier: Apache-2.0
"""Work shared out over forks."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanewise.cuda.objects.forked import MOST_TASKS, shared_out

HERE = os.getpid()
SOURCE = """
__global__ void a(float *p) { p[threadIdx.x] *= 2; }
__global__ void b(float *p) { p[threadIdx.x] += blockIdx.x; }
__global__ void c(int *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = n; }
void run(float *p, int *q) { a<<<1, 64>>>(p); b<<<2, 128>>>(p); c<<<1, 32>>>(q, 7); }
"""


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


def children() -> set[str]:
    return {pid for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()}


@pytest.fixture(autouse=True)
def no_child_is_left() -> Iterator[None]:
    before = children()
    yield
    assert children() <= before


def test_results_are_in_order_and_by_several_processes():
    def work(number: int) -> tuple[int, int]:
        time.sleep(0.01)
        return 2 * number, os.getpid()

    done = shared_out(range(40), work)
    assert [number for number, _ in done] == list(range(0, 80, 2))
    assert len({pid for _, pid in done}) == 2


@pytest.mark.parametrize("count", [0, 1, MOST_TASKS + 1])
def test_few_and_many_tasks_are_done_here(count: int):
    assert shared_out(range(count), lambda _: os.getpid()) == [HERE] * count


def test_what_a_fork_could_not_do_is_done_here():
    def work(number: int) -> int:
        time.sleep(0.01)
        if os.getpid() != HERE:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    assert shared_out(range(8), work) == list(range(8))


def test_an_error_is_raised_here():
    def work(number: int) -> int:
        time.sleep(0.01)
        if number == 5:
            raise ValueError("five")
        return number

    with pytest.raises(ValueError, match="five"):
        shared_out(range(8), work)


def test_an_interrupt_stops_all():
    def work(number: int) -> int:
        if os.getpid() == HERE:
            raise KeyboardInterrupt
        time.sleep(60)
        return number

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        shared_out(range(8), work)
    assert time.monotonic() - started < 30


def test_an_object_file_is_the_same_however_many_processors_there_are(tmp_path: Path):
    source = tmp_path / "three.cu"
    source.write_text(SOURCE)
    made: list[bytes] = []
    for processors in ("{0}", "{0, 1}", "{0, 1, 2}"):
        output = tmp_path / "three.o"
        code = (
            f"import os; os.sched_getaffinity = lambda _: {processors}\n"
            f"from lanewise.cuda.nvcc.driver import main; raise SystemExit(main(['-c', {str(source)!r}, '-o', "
            f"{str(output)!r}]))"
        )
        environment = {**os.environ, "LANEWISE_CACHE_DIR": str(tmp_path / processors)}
        subprocess.run([sys.executable, "-c", code], env=environment, check=True)
        made.append(output.read_bytes())
    assert made[0] == made[1] == made[2]


KILLED = """
import time
import os
os.sched_getaffinity = lambda _: {0, 1}
from lanewise.cuda.objects.forked import shared_out
start = os.getpid()
def work(task):
    if os.getpid() != start:
        print(os.getpid(), flush=True)
    time.sleep(60)
shared_out([0, 1], work)
"""


def test_forks_end_with_a_process_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        fork = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 5
    while (status := _status_of(fork)) not in ("", "Z") and time.monotonic() < deadline:
        time.sleep(0.01)
    assert status in ("", "Z")


def _status_of(process: int) -> str:
    """The letter of a process's state, "" if there is none."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""
