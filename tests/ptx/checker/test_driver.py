# SPDX-License-Identifier: Apache-2.0
"""The checker lets right shuffles pass and catches wrong ones, each within a few kernels; kernels mean one thing."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

import lanewise.ptx.shuffles.proof as proof
from lanewise.ptx.shuffles.iterations import Together
from lanewise.ptx.symbolic.state import State

from . import naive
from .__main__ import main
from .driver import judged, outcomes
from .judge import compare
from .parting import parting
from .rewriting import synthesised
from .stencils import Stencil, plain_stencil, stencil
from .wrapping import wrapping

_FEW = 12
_TRAPPED = {
    "stores overlooked": ("store", "atomic", "exchange"),
    "ways overlooked": ("load in a diamond", "divergent loop", "carried by a loop"),
    "guards overlooked": ("predicated",),
}  # fmt: skip
"""Mistakes that only show where something of that is in the kernel."""


def _unchanged(text: str) -> str:
    return text


def _with(traps: tuple[str, ...]) -> Iterator[int]:
    """Seeds of kernels that have one of these traps."""
    return (seed for seed in itertools.count() if set(traps) & set(stencil(seed).traps))


def test_right_shuffles_pass() -> None:
    found = [judged(seed, naive.rewritten, plain_stencil) for seed in range(30)]
    assert [outcome.failure for outcome in found if outcome.failure] == []
    assert sum(outcome.shuffles for outcome in found) > 40


@pytest.mark.parametrize("mistake", [mistake for mistake in naive.WRONG if mistake not in _TRAPPED])
def test_wrong_shuffles_are_caught_within_few_kernels(mistake: str) -> None:
    wrong = partial(naive.rewritten, mistake=mistake)
    assert any(judged(seed, wrong, plain_stencil).failure for seed in range(_FEW))


@pytest.mark.parametrize(("mistake", "traps"), _TRAPPED.items(), ids=list(_TRAPPED))
def test_what_is_overlooked_is_caught_within_few_kernels_that_have_it(mistake: str, traps: tuple[str, ...]) -> None:
    wrong = partial(naive.rewritten, mistake=mistake)
    assert any(judged(seed, wrong).failure for seed in itertools.islice(_with(traps), 3 * _FEW))


@pytest.mark.parametrize("index", ["strided", "reversed", "tid & 31", "tid rem n", "tid * tid", "tid >> 1", "tid ^ 1",
                                   "looked up", "offset by a diamond", "offset by selp"])  # fmt: skip
def test_addresses_that_are_no_neighbours_are_caught(index: str) -> None:
    """The naive rewriting takes all indices for tid.x plus something."""
    assert any(judged(seed, naive.rewritten).failure for seed in itertools.islice(_with((index,)), 4 * _FEW))


def test_an_index_that_wraps_is_caught() -> None:
    assert any(judged(seed, naive.rewritten, wrapping).failure for seed in range(_FEW))


def _all_at_one_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "apart", property(lambda self: False, lambda self, value: None))


def _all_in_one_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "together_of", lambda terms, out_of_step: Together())


@pytest.mark.parametrize("mistake", [_all_at_one_time, _all_in_one_iteration])
def test_lanes_that_are_taken_for_alike_are_caught(
    mistake: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake(monkeypatch)
    assert any(judged(seed, synthesised, parting).failure for seed in range(_FEW))


def test_kernels_whose_lanes_part_are_right() -> None:
    found = [judged(seed, synthesised, parting) for seed in range(100, 115)]
    assert [outcome.failure for outcome in found if outcome.failure] == []
    assert sum(outcome.shuffles for outcome in found) > 5


@pytest.mark.parametrize(
    ("make", "count"), [(stencil, 40), (wrapping, 15), (parting, 15)], ids=["stencils", "wrapping", "parting"]
)
def test_kernels_mean_one_thing(make: Callable[[int], Stencil], count: int) -> None:
    """Each runs without anything undefined, and equally for all orders of lanes, addresses and garbage."""
    for outcome in outcomes(1000, count, _unchanged, make=make):
        assert outcome.failure == "", outcome.seed
        assert not outcome.shuffles


def test_kernels_are_those_of_their_seed() -> None:
    assert stencil(5).text == stencil(5).text != stencil(6).text


def test_a_failing_rewriting_is_a_failure() -> None:
    def fails(text: str) -> str:
        raise ValueError("no")

    assert "ValueError: no" in judged(1, fails).failure


def test_differences_tell_where() -> None:
    made = plain_stencil(1)
    wrong = naive.rewritten(made.text, "wrong sign")
    difference = compare(made.text, wrong, made.kernel, made.launches, (1,))
    assert difference
    assert difference.argument >= 0
    assert "thread (" in str(difference)
    assert "blocks of" in str(difference)


def test_a_run_fails_if_a_kernel_does_or_nothing_was_rewritten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(3, 0, 1, _unchanged, tmp_path) == 1
    assert "3 random kernels, none failed; 0 got shuffles" in capsys.readouterr().out
    assert main(6, 0, 2, partial(naive.rewritten, mistake="no corner case"), tmp_path) == 1
    assert list(tmp_path.glob("*.rewritten.ptx"))
    assert "kernel of seed" in capsys.readouterr().out
