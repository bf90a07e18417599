# SPDX-License-Identifier: Apache-2.0
"""printf, assert and __trap, on the CPU and on the reference device."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

SOURCE = Path(__file__).with_name("output.cu")

# As C's printf prints them.
ALL_TYPES = """\
int -7    42|42   |00042 5
unsigned 4000000000 hex ff FF 0xff octal 10
long -9000000000 18000000000000000000 fedcba9876543210
float 1.500000 0.67      3.142|1.234568e+04 0.0001
char x string text|     right|left      |sho percent %
nothing but text
promoted -3 -4 1 0.250000
star     42 2.2
"""


@cache
def module() -> lw.Module:
    return lw.compile(SOURCE)


@pytest.fixture(params=["cpu", "reference"])
def device(request: pytest.FixtureRequest) -> lw.Device:
    return lw.device(request.param)


def test_printf_formats_as_c_does(device: lw.Device, capfd: pytest.CaptureFixture[str]):
    module()["print_all_types"].launch(2, 4, (np.zeros(1, np.int8), 5), device=device)
    assert capfd.readouterr().out == ALL_TYPES


def test_printf_loses_no_line_and_keeps_a_work_items_order(device: lw.Device, capfd: pytest.CaptureFixture[str]):
    module()["print_from_everyone"].launch(6, 8, (0,), device=device)
    lines = capfd.readouterr().out.splitlines()
    place = {line: number for number, line in enumerate(lines)}
    assert len(lines) == len(place) == 2 * 48
    for block in range(6):
        for thread in range(8):
            assert place[f"block {block} thread {thread}"] < place[f"again {8 * block + thread}"]


def test_printf_returns_the_number_of_its_arguments(device: lw.Device, capfd: pytest.CaptureFixture[str]):
    out = np.zeros(1, np.int32)
    module()["returns_count_of_arguments"].launch(1, 1, (out,), device=device)
    assert out[0] == 3
    assert capfd.readouterr().out == "three: 1 2 3\n"


def test_assert_that_holds_is_silent(device: lw.Device):
    out = np.zeros(12, np.int32)
    module()["assert_holds"].launch(3, 4, (out,), device=device)
    assert (out == 1).all()


def test_failed_assert_names_condition_place_and_work_item(device: lw.Device):
    line = 1 + next(i for i, text in enumerate(SOURCE.read_text().splitlines()) if "i != limit" in text)
    with pytest.raises(lw.Error) as error:
        module()["assert_fails"].launch(3, 4, (np.zeros(12, np.int32), 6), device=device)
    message = str(error.value)
    for part in ("i != limit", f"{SOURCE.name}:{line}", "assert_fails", "(1, 0, 0)", "(2, 0, 0)"):
        assert part in message, f"{part} is not in: {message}"


def test_trap_names_kernel_and_work_item(device: lw.Device):
    with pytest.raises(lw.Error) as error:
        module()["traps"].launch(3, 4, (np.zeros(12, np.int32), 9), device=device)
    message = str(error.value)
    for part in ("traps", "(2, 0, 0)", "(1, 0, 0)"):
        assert part in message, f"{part} is not in: {message}"


def test_a_launch_after_a_trap_runs_as_if_nothing_had_been(device: lw.Device):
    out = np.zeros(12, np.int32)
    with pytest.raises(lw.Error):
        module()["traps"].launch(3, 4, (out, 0), device=device)
    out[:] = 0
    module()["traps"].launch(3, 4, (out, 99), device=device)
    assert (out == 1).all()
