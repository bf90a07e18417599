# SPDX-License-Identifier: Apache-2.0
"""Calls side by side: in order, at most so many at once, and what one raises comes out when none goes on."""

import threading

import pytest

from lanewise.linking.side_by_side import side_by_side


def test_results_come_in_the_order_of_the_items():
    assert side_by_side(lambda x: x * x, range(20), 3) == [x * x for x in range(20)]
    assert side_by_side(str, [], 2) == []


def test_as_many_calls_as_were_asked_for_go_on_at_once():
    both = threading.Barrier(2, timeout=20)  # a call alone would wait for the other in vain
    assert side_by_side(lambda _: both.wait() in (0, 1), range(4), 2) == [True] * 4


def test_one_thread_is_the_caller_s():
    assert side_by_side(lambda _: threading.current_thread(), range(3), 1) == [threading.current_thread()] * 3


def test_what_a_call_raises_is_raised_when_none_goes_on():
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def work(item: int) -> None:
        if item == 0:
            begun.set()
            assert may_end.wait(20)
            ended.set()
        else:
            assert begun.wait(20)
            threading.Timer(0.05, may_end.set).start()
            raise ValueError("the second")

    with pytest.raises(ValueError, match="the second"):
        side_by_side(work, range(2), 2)
    assert ended.is_set()


def test_without_another_thread_the_caller_does_all(monkeypatch: pytest.MonkeyPatch):
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert side_by_side(str, range(4), 3) == ["0", "1", "2", "3"]
