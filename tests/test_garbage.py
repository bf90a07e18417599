# SPDX-License-Identifier: Apache-2.0
"""Thresholds of Python's garbage collector, during compilations and after them."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest

from lanewise import garbage
from lanewise.garbage import THRESHOLD, with_rare_searches


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.set_threshold(700, 10, 11)
    yield
    gc.set_threshold(*before)
    if frozen:
        gc.freeze()


@with_rare_searches
def _threshold(within: int = 0) -> tuple[int, int, int]:
    return _threshold(within - 1) if within else gc.get_threshold()


@with_rare_searches
def _raise() -> None:
    raise ValueError("x")


def test_searches_are_rare_during_a_call_only() -> None:
    assert _threshold() == (THRESHOLD, 10, 11)
    assert gc.get_threshold() == (700, 10, 11)
    assert _threshold(within=3) == (THRESHOLD, 10, 11)
    assert gc.get_threshold() == (700, 10, 11)
    with pytest.raises(ValueError, match="x"):
        _raise()
    assert gc.get_threshold() == (700, 10, 11)


@pytest.mark.parametrize("own", [0, THRESHOLD + 1])
def test_a_program_that_searches_more_rarely_goes_on_so(own: int) -> None:
    gc.set_threshold(own, 10, 11)
    assert _threshold() == (own, 10, 11)
    assert gc.get_threshold() == (own, 10, 11)


def test_thresholds_that_a_program_sets_meanwhile_stay() -> None:
    with_rare_searches(lambda: gc.set_threshold(1234, 5, 6))()
    assert gc.get_threshold() == (1234, 5, 6)


def test_calls_of_several_threads_overlap() -> None:
    first, second = threading.Event(), threading.Event()

    @with_rare_searches
    def outer() -> None:
        first.set()
        second.wait()

    thread = threading.Thread(target=outer)
    thread.start()
    first.wait()
    assert _threshold() == (THRESHOLD, 10, 11)
    assert gc.get_threshold() == (THRESHOLD, 10, 11)
    second.set()
    thread.join()
    assert gc.get_threshold() == (700, 10, 11)


class _Cycle:
    def __init__(self) -> None:
        self.itself = self


@with_rare_searches
def _cycles(count: int) -> list[weakref.ref[_Cycle]]:
    return [weakref.ref(_Cycle()) for _ in range(count)]


@pytest.mark.parametrize("done", [0, 100])
def test_what_the_first_calls_make_is_old_at_once_and_still_found(done: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "_done", done)
    gc.unfreeze()
    made = _cycles(5000)
    assert (gc.get_count()[0] < 1000) == (done == 0)
    gc.collect(0)
    assert (made[0]() is not None) == (done == 0)
    gc.collect()
    assert not any(each() for each in made)


def test_what_a_program_has_frozen_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "_done", 0)
    gc.freeze()
    before = gc.get_freeze_count()
    _cycles(10)
    assert gc.get_freeze_count() == before
    gc.unfreeze()
