# SPDX-License-Identifier: Apache-2.0
"""Faults of generated code: they end its launch, not the process: python -m pytest tests/runtime/test_faults.py"""

import ctypes
import faulthandler
import os
import signal
import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.runtime import SUCCESS, Access, Failure, Known, Outcome, Pool

ONE = (1, 1, 1)
READ, WRITE, CALL = range(3)


def _touch(pool: Pool, kernel, how: int, address: int) -> Outcome:
    return pool.launch(kernel("touch"), (10, 1, 1), ONE, struct.pack("QQ", how, address), 0)


@pytest.mark.parametrize(("how", "access"), [(READ, Access.READ), (WRITE, Access.WRITE)])
@pytest.mark.parametrize("address", [0, 24, 0x5000])
def test_wrong_addresses(pool: Pool, kernel, how: int, access: Access, address: int):
    for _ in range(3):
        outcome = _touch(pool, kernel, how, address)
        assert (outcome.failure, outcome.block, outcome.address) == (Failure.FAULT, (3, 0, 0), address)
        assert outcome.signal == signal.SIGSEGV
        assert outcome.known == Known.BLOCK
        assert outcome.access in (access, Access.SOME)


def test_a_call_of_what_is_no_code(pool: Pool, kernel):
    assert _touch(pool, kernel, CALL, 0).failure is Failure.FAULT


def test_an_address_that_the_processor_can_not_name(pool: Pool, kernel):
    outcome = _touch(pool, kernel, READ, 0x00AB_CDEF_0123_4567)
    assert outcome.failure is Failure.FAULT
    assert outcome.access in (Access.NO_ADDRESS, Access.SOME)


def test_memory_that_may_only_be_read(pool: Pool, kernel):
    text = ctypes.cast(ctypes.pythonapi.Py_GetVersion, ctypes.c_void_p).value
    assert text is not None
    outcome = _touch(pool, kernel, WRITE, text)
    assert (outcome.failure, outcome.address) == (Failure.FAULT, text)
    assert _touch(pool, kernel, READ, text) is SUCCESS


def test_the_report_says_what_generated_code_tells(pool: Pool, kernel):
    outcome = pool.launch(kernel("touch_with_position"), (5, 1, 1), ONE, b"", 0)
    assert outcome.known == Known.PLACE | Known.THREAD | Known.BLOCK
    assert (outcome.file, outcome.line, outcome.function) == ("dir/file.cu", 42, "blur(float *)")
    assert (outcome.thread, outcome.address) == ((1, 2, 3), 16)


def test_a_position_holds_for_one_group(cache, kernel):
    pool = Pool(1, cache)
    assert pool.launch(kernel("touch_with_position"), ONE, ONE, b"", 0).known & Known.PLACE
    assert _touch(pool, kernel, READ, 8).known == Known.BLOCK


@pytest.mark.parametrize(
    ("name", "number"), [("divide_by_zero", signal.SIGFPE), ("illegal_instruction", signal.SIGILL)]
)
def test_other_faults(pool: Pool, kernel, name: str, number: int):
    outcome = pool.launch(kernel(name), (20, 1, 1), ONE, b"", 0)
    if name == "divide_by_zero" and outcome is SUCCESS:
        pytest.skip("this processor divides by zero")
    assert (outcome.failure, outcome.signal) == (Failure.FAULT, number)


@pytest.mark.parametrize("groups", [1, 40])
def test_stack_overflow(pool: Pool, kernel, groups: int):
    for _ in range(2):
        assert pool.launch(kernel("descend_for_ever"), (groups, 1, 1), ONE, b"", 0).failure is Failure.STACK_OVERFLOW


@pytest.mark.parametrize("name", ["descend_printing_for_ever", "descend_yielding_for_ever"])
def test_stack_overflow_in_a_service(pool: Pool, kernel, name: str):
    outcome = pool.launch(kernel(name), (4, 1, 1), ONE, b"", 0, cooperative=name == "descend_yielding_for_ever")
    assert outcome.failure is Failure.STACK_OVERFLOW


def test_a_fault_is_told_though_all_threads_fault_at_once(cache: Cache, kernel):
    crowd = Pool(8, cache)
    failures = {crowd.launch(kernel("descend_for_ever"), (64, 1, 1), ONE, b"", 0).failure for _ in range(100)}
    assert failures == {Failure.STACK_OVERFLOW}


def test_text_that_printf_can_not_read(pool: Pool, kernel):
    form, bad, result = ctypes.create_string_buffer(b"%d %s"), struct.pack("iiQ", 1, 0, 64), ctypes.c_int32()
    values = ctypes.create_string_buffer(bad)
    args = struct.pack("PPP", ctypes.addressof(form), ctypes.addressof(values), ctypes.addressof(result))
    for _ in range(3):
        outcome = pool.launch(kernel("print"), ONE, ONE, args, 0)
        assert (outcome.failure, outcome.address) == (Failure.FAULT, 64)
    args = struct.pack("PPP", 80, 0, ctypes.addressof(result))
    assert pool.launch(kernel("print"), ONE, ONE, args, 0).address == 80


def test_faults_on_many_threads_at_once(pool: Pool, kernel, counter):
    wrong: list[Outcome] = []

    def work(seed: int):
        for i in range(30):
            outcome = _touch(pool, kernel, READ, 16 * seed)
            if (outcome.failure, outcome.address) != (Failure.FAULT, 16 * seed):
                wrong.append(outcome)
            if i % 10 == 0 and pool.launch(kernel("descend_for_ever"), ONE, ONE, b"", 0).failure is Failure.FAULT:
                wrong.append(outcome)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert pool.launch(kernel("count"), (100, 1, 1), ONE, struct.pack("P", counter.address), 0) is SUCCESS


CRASH_OUTSIDE = """
import ctypes, faulthandler, sys
from pathlib import Path
from lanewise.cache import Cache
from lanewise.cache import Cache
from lanewise.runtime import Pool
{before}
Pool(2, Cache(Path(sys.argv[1])))
{after}
ctypes.string_at(16)
"""


@pytest.mark.parametrize("before", ["", "faulthandler.enable()"])
@pytest.mark.parametrize("after", ["", "faulthandler.enable()"])
def test_faults_elsewhere_are_left_to_others(cache, before: str, after: str):
    """A fault of the host's own code ends the process as it would have, with the report that it asked for."""
    code = CRASH_OUTSIDE.format(before=before, after=after)
    done = subprocess.run(
        [sys.executable, "-c", code, str(cache.base.parent)],
        env={name: value for name, value in os.environ.items() if name != "PYTHONFAULTHANDLER"},
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == -signal.SIGSEGV
    assert (b"Segmentation fault" in done.stderr) == bool(before or after)


FAULT_BEHIND_FAULTHANDLER = """
import ctypes, faulthandler, struct, sys
from pathlib import Path
from lanewise.cache import Cache
from lanewise.cache import Cache
from lanewise.runtime import Access, Failure, Pool, address_of, load
from lanewise.runtime.build import compile_c

pool = Pool(2, Cache(Path(sys.argv[1])))
touch = address_of(load(compile_c(Path(sys.argv[2]))), "touch")
pool.launch(touch, (1, 1, 1), (1, 1, 1), bytes(16), 0)
faulthandler.enable()
for access in (Access.UNKNOWN_ADDRESS, Access.READ):
    outcome = pool.launch(touch, (10, 1, 1), (1, 1, 1), struct.pack("QQ", 0, 64), 0)
    assert (outcome.failure, outcome.block) == (Failure.FAULT, (3, 0, 0))
    assert outcome.access in (access, Access.SOME)
"""


def test_a_faulthandler_that_was_enabled_later(cache):
    """It reports the first fault as if it were fatal, and goes; the launch ends all the same."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            FAULT_BEHIND_FAULTHANDLER,
            str(cache.base.parent),
            Path(__file__).with_name("kernels.c"),
        ],
        env={name: value for name, value in os.environ.items() if name != "PYTHONFAULTHANDLER"},
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(b"Segmentation fault") == 1


def test_faulthandler_stays_silent(pool: Pool, kernel, capfd):
    if not faulthandler.is_enabled():
        pytest.skip("pytest's faulthandler is off")
    _touch(pool, kernel, READ, 0)
    assert "Segmentation fault" not in capfd.readouterr().err
