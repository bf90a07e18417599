# SPDX-License-Identifier: Apache-2.0
"""Passes that go beyond a limit of theirs leave a function, or a part of it, alone and say so."""

import re
from pathlib import Path

import pytest
from tests.passes.test_golden import transformed

import lanewise as lw
from lanewise.ir.remarks import remarks

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("name", "example", "limit", "reason"),
    [
        ("hoist_address_terms", "five_bases", "", "a loop with 5 bases of addresses, of at most 4"),
        ("version_by_alignment", "rows_of_one_length", "_MOST_COPIED", r"\d+ instructions would be copied, of .* 0"),
        ("step_pointers", "needs_4_five_pointers", "", "a loop with 5 pointers to step, of at most 4"),
        ("eliminate_dead_stores", "both_arms", "_MOST_STEPS", "more than 0 accesses to look at after a store"),
        (
            "unroll_private_arrays",
            "needs_7_few_operations",
            "",
            r"unrolled loops would have 5400 operations, of .* 4000",
        ),
        ("reuse_loads", "out_of_a_loop", "_MOST_REGISTERS", r"a value would live where \d+ registers are in use, of 0"),
    ],
)
def test_a_pass_that_reaches_its_limit_says_so(
    name: str, example: str, limit: str, reason: str, monkeypatch: pytest.MonkeyPatch
):
    if limit:
        monkeypatch.setattr(f"lanewise.passes.{name}.{limit}", 0)
    with remarks() as found:
        transformed(name, _before(name, example))
    assert any(re.fullmatch(reason, each.reason) for each in found)
    assert len(found) == len(set(found))


def test_a_remark_has_the_line_of_the_source(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("lanewise.passes.version_by_alignment._MOST_COPIED", 0)
    source = """__global__ void rows(float *out, const float *a, int columns) {
    float sum = 0;
    for (int k = 0; k < columns; k++) sum += a[threadIdx.x * columns + k];
    out[threadIdx.x] = sum;
}"""
    step = "version-by-alignment"
    *_, last = lw.compile(source, language="cuda").stages(target="ptx", stop_after=step, effects=True)
    assert not last.changed
    (told,) = last.remarks
    assert re.fullmatch(r"<source>:3: \d+ instructions would be copied, of at most 0", told)


def test_without_a_listener_nothing_is_kept():
    with remarks() as found:
        pass
    transformed("hoist_address_terms", _before("hoist_address_terms", "five_bases"))
    assert not found


def _before(name: str, example: str) -> str:
    """The module of an example, as it is before the pass."""
    text = (HERE / name / f"{example}.ll").read_text()
    return re.split("^; -- ", text, flags=re.MULTILINE)[0]
