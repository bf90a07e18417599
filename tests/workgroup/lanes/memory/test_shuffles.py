# SPDX-License-Identifier: Apache-2.0
"""Networks of shuffles: which element comes where, and by how many shuffles."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from lanewise.workgroup.lanes.memory import shuffles
from lanewise.workgroup.lanes.memory.shuffles import Piece, put_together, taken_apart

BUILD: Any = None


def vector(elements: Sequence[int]) -> Any:
    return SimpleNamespace(elements=list(elements), type=SimpleNamespace(count=len(elements)))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The shuffles of a network, which move numbers."""
    done: list[Any] = []

    def shuffle(a: Any, b: Any, mask: Sequence[int], build: Any) -> Any:
        del build
        both = a.elements + ([-1] * len(a.elements) if b is None else b.elements)
        done.append(vector([both[place] if place >= 0 else -1 for place in mask]))
        return done[-1]

    monkeypatch.setattr(shuffles, "shuffle", shuffle)
    return done


CASES = [(4, 4, 8), (16, 3, 6), (16, 16, 64), (16, 32, 128), (16, 24, 96), (8, 64, 192), (4, 5, 16), (16, 33, 512)]
"""Work-items of a vector, elements of a record, and the shuffles that it takes, at most."""


@pytest.mark.parametrize(("count", "k", "most"), CASES)
def test_records_are_put_together(made: list[Any], count: int, k: int, most: int):
    fields = [vector([k * item + field for item in range(count)]) for field in range(k)]
    stored = put_together(fields, BUILD)
    assert [element for each in stored for element in each.elements] == list(range(k * count))
    assert len(made) <= most


@pytest.mark.parametrize(("count", "k"), [(count, k) for count, k, _ in CASES])
@pytest.mark.parametrize("every", [1, 2])
def test_records_are_taken_apart(made: list[Any], count: int, k: int, every: int):
    places = range(0, k, every)
    pieces = [
        Piece(vector(numbers), tuple(n if n % k in places else None for n in numbers))
        for numbers in (range(start, start + count) for start in range(0, k * count, count))
    ]
    found = taken_apart(pieces, places, k, count, BUILD)
    assert {place: found[place].elements for place in places} == {
        place: [k * item + place for item in range(count)] for place in places
    }
    assert made


def test_large_records_are_taken_apart_by_few_shuffles(made: list[Any]):
    pieces = [Piece(vector(n), tuple(n)) for n in (range(at, at + 16) for at in range(0, 512, 16))]
    taken_apart(pieces, range(32), 32, 16, BUILD)
    assert len(made) == 128
