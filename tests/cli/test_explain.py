# SPDX-License-Identifier: Apache-2.0
"""`lanewise explain`: a function of Python loops, and what became of it, line by line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[[str], Any]

SOURCE = """\
import numpy as np
import lanewise as lw


@lw.jit
def blur(a: lw.f64[:, :], b: lw.f64[:, :]):
    for i in lw.prange(a.shape[0]):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = a[i, j - 1] + a[i, j + 1]


@lw.jit(transfers="exact")
def every_other(a, b, factor=2.0):
    b[:] = 0
    for i in lw.prange(len(b)):
        b[i] = factor * a[2 * i]
    for name in ("a", "b"):
        print(name)
    return np.sqrt(a * a + 1)
"""


@pytest.fixture
def source(folder: Path, request: pytest.FixtureRequest) -> str:
    """A module with a name of its own, since Python imports each name once."""
    name = f"explained_{abs(hash(request.node.nodeid))}.py"
    (folder / name).write_text(SOURCE)
    return name


def below(shown: str, line: int) -> list[str]:
    """The facts below a line of the source."""
    lines = shown.splitlines()[1:]
    start = next(place for place, text in enumerate(lines) if text.split()[:1] == [str(line)])
    facts: list[str] = []
    for text in lines[start + 1 :]:
        if not text.lstrip().startswith("|"):
            break
        facts.append(text.lstrip().removeprefix("|").strip())
    return facts


def test_annotations_tell_the_types(run: Run, source: str):
    done = run(f"explain {source}:blur")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{source}:5: blur\n")
    facts = below(done.out, 7)
    assert facts[:3] == ["a parallel loop", "for a: float64[:, :], b: float64[:, :]", "axis y: i"]
    assert "not tiled: its body has no loop" in facts
    assert any(each.startswith("cpu, region 0: ") and "lanes" in each for each in facts)
    assert below(done.out, 8) == ["axis x: j, a loop over range whose iterations are independent"]


def test_a_call_tells_the_transfers_and_what_is_touched(run: Run, source: str):
    arguments = "-a rand:f64[200] -a b=zeros:f64[100] --device simt"
    done = run(f"explain {source}:every_other {arguments}")
    assert (done.code, done.err) == (0, "a\nb\n"), "the function prints, too"
    assert "transfers (packed): 800 bytes to the device, 800 back; the arrays are 2400 bytes" in below(done.out, 15)
    touched = ["write b[i]: 8 bytes at 0 + 8 i, i < 100", "read a[2 * i]: 8 bytes at 0 + 16 i, i < 100"]
    assert set(touched) <= set(below(done.out, 16))
    assert below(done.out, 17) == ["this loop is run by Python: line 17 is no loop over range"]
    assert "an expression of whole arrays" in below(done.out, 19)


def test_json_has_the_facts(run: Run, source: str):
    found = json.loads(run(f"explain {source}:blur --json").out)
    assert (found["name"], found["line"], found["source"][0]) == ("blur", 5, "@lw.jit")
    assert {"line": 7, "depth": 0, "text": "a parallel loop"} in found["facts"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (":every_other", "'every_other': parameter 'a' has no type; annotate it, or give arguments for a call"),
        (":every_other -a zeros[4] -a zeros:f64[4]", "say the type of the elements"),
        (":blur -a zeros[4,4]", "missing a required argument: 'b'"),
        (":blur -a zeros[4,4] -a zeros[4,4] -a c=3", "unexpected keyword argument 'c'"),
        (":blur -a 3 -a zeros[4,4]", "expected an array"),
        (":other", "there is no function 'other' with @lw.jit; it has: "),
        ("", "name a function: "),
    ],
)
def test_mistakes_are_told(run: Run, source: str, arguments: str, told: str):
    done = run(f"explain {source}{arguments}")
    assert done.code in (1, 2)
    assert told in " ".join(done.err.replace("│", " ").split())
