# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/child/test_child.py"""

import itertools
import os
import signal

import pytest

from lanewise import child
from lanewise.child import in_child
from lanewise.errors import CompileError, Error
from lanewise.toolchain import zig
from lanewise.workgroup.layout.abi import arena_bytes


def test_a_result_comes_back():
    assert in_child("sum", arena_bytes, 100, 3, work_items=64) == arena_bytes(100, 3, 64)


def test_a_frozen_application_is_not_started_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(child.sys, "frozen", True, raising=False)
    monkeypatch.setattr(child, "_called", None)
    assert in_child("sum", arena_bytes, 100, 3, work_items=64) == arena_bytes(100, 3, 64)
    with pytest.raises(Error, match="no child process, since the interpreter's own program isn't known"):
        child.in_unseen_child(None, "sum", arena_bytes, 100, 3, work_items=64)


def test_an_error_comes_back():
    from lanewise.backend.nvptx.targets import target

    with pytest.raises(CompileError) as here:
        target("sm_1", None)
    with pytest.raises(CompileError) as there:
        in_child("arch", target, "sm_1", None)
    assert str(there.value) == str(here.value)
    assert there.value.diagnostics == here.value.diagnostics


@pytest.mark.parametrize(("number", "name"), [(signal.SIGKILL, "SIGKILL"), (signal.SIGABRT, "SIGABRT")])
def test_a_child_that_is_killed(number: int, name: str):
    with pytest.raises(CompileError, match=f"^module x: LLVM was ended by {name}: it said nothing$"):
        in_child("module x", signal.raise_signal, number)


def test_a_child_that_leaves():
    with pytest.raises(CompileError, match=r"^module x: LLVM ended with exit code 7"):
        in_child("module x", os._exit, 7)


def test_a_defect_of_our_own_is_told():
    with pytest.raises(CompileError, match=r"ended with exit code 1: TypeError: "):
        in_child("module x", zig, 1)  # pyright: ignore[reportCallIssue]


def test_a_child_that_waits_too_long(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(child, "WAIT_LIMIT_S", 0.5)
    with pytest.raises(CompileError, match=r"^module x: LLVM has not finished after "):
        in_child("module x", signal.pause)


def test_a_child_that_works_too_long(monkeypatch: pytest.MonkeyPatch):
    """What other processes take doesn't count, so a busy machine compiles what an idle one does."""
    monkeypatch.setattr(child, "TIME_LIMIT_S", 1)
    with pytest.raises(CompileError, match=r"^module x: LLVM has not finished after 1 s of processor time$"):
        in_child("module x", sum, itertools.count())
