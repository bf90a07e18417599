# SPDX-License-Identifier: Apache-2.0
"""Each function of the mathematical library on the CPU device: errors within what OpenCL and CUDA allow at special and
random points (`make ulp` looks at all floats), and the special values of C's annex F."""

import itertools
from typing import Any

import numpy as np
import pytest
from bench.ulp import kernels, points, sweep, table
from bench.ulp.judge import Judge

import lanewise as lw

from .special_values import Special, number, same, specials

POINTS = 5000
ROWS = table.rows()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_function(row: table.Row) -> None:
    module = lw.compile(kernels.source([row]), language="cuda")
    judge = Judge(row)
    for columns in points.chunks(row, POINTS):
        judge.add(columns, sweep.results(module, 0, columns))
    found = judge.outcome
    assert not found.wrong, f"{row.name}{found.wrong[0]}"
    for bound in (row.opencl, row.cuda):
        assert bound is None or found.ulp.error <= bound, f"{found.ulp.error} ulp at {row.name}{found.ulp}"
    if row.absolute is not None:
        assert found.absolute.error <= row.absolute, f"{found.absolute.error} at {row.name}{found.absolute}"

    of: type[np.floating[Any]] = np.float32 if row.type == "float" else np.float64
    cases = [special for special in specials() if special.function == row.function]
    if cases:
        columns = [
            np.array([number(text, of) for text in texts]) for texts in zip(*(c.arguments for c in cases), strict=True)
        ]
        got = sweep.results(module, 0, columns)
        assert [(case, value) for case, value in zip(cases, got, strict=True) if not same(value, case.result)] == []


def test_every_special_value_is_of_a_function_in_the_table() -> None:
    known = {row.function: len(row.parameters) for row in ROWS}
    assert [s for s in specials() if known.get(s.function) != len(s.arguments)] == []


def test_a_result_that_is_off_is_found() -> None:
    """The judge itself, on results that are wrong by two ulp, in sign, and in kind."""
    (row,) = table.rows(["exp"])
    x = np.array([0.0, 1.0, 2.0, -1e6, np.inf])
    good = np.exp(x)

    def judged(index: int, value: float) -> Any:
        got = good.copy()
        got[index] = value
        judge = Judge(row)
        judge.add([x], got)
        return judge.outcome

    assert judged(0, 1.0).ulp.error < 1
    assert 1.5 < judged(1, good[1] + 2 * np.spacing(good[1])).ulp.error < 2.5
    for index, value in ((3, -0.0), (4, np.nan), (4, 1e308)):
        assert judged(index, value).wrong_count == 1


@pytest.mark.parametrize(
    "name", ["expf", "log", "sin", "powf", "tgamma", "fmod", "remquof (quotient)", "atan2f", "erfcf"]
)
def test_devices_agree_to_the_bit(name: str) -> None:
    (row,) = table.rows([name])
    module = lw.compile(kernels.source([row]), language="cuda")
    some = [column[:: max(1, len(column) // 40)][:40] for column in itertools.chain(*points.chunks(row, 0))]
    some = [np.ascontiguousarray(column) for column in some]
    on_cpu = sweep.results(module, 0, some)
    with lw.on("reference"):
        on_reference = sweep.results(module, 0, some)
    different = (on_cpu != on_reference) & ~(np.isnan(on_cpu) & np.isnan(on_reference))
    assert not different.any(), [(column[different], on_cpu[different], on_reference[different]) for column in some]


def test_a_special_value_is_compared_with_its_sign() -> None:
    assert not same(np.float64(0.0), "-0")
    assert same(np.float32(-2.3561945), "-3*pi/4")
    assert Special("exp", ("-0",), "1") in specials()
