# SPDX-License-Identifier: Apache-2.0
"""A pytest plugin, there once Lanewise is installed: tests that run on each device that the command line names.

def test_saxpy(lanewise_device):
    mod["saxpy"][4, 256](y, x, 2.0, n)        # on that device, since it is the default within the test

pytest --lanewise-devices cpu,reference
pytest --lanewise-check                   # kernels that tests compile tell of accesses out of bounds and the like
pytest --lanewise-check=memory
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from lanewise.device.base import Device

OPTION = "--lanewise-devices"
CHECKS = "--lanewise-check"
_FIXTURE = "lanewise_device"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lanewise")
    group.addoption(
        OPTION,
        metavar="NAMES",
        default="",
        help=f"devices, separated by commas, that each test with the fixture {_FIXTURE} runs on "
        "(default: LANEWISE_DEVICE, else cpu)",
    )
    group.addoption(
        CHECKS,
        metavar="CHECKS",
        nargs="?",
        const="1",
        default="",
        help="weave checks into kernels that name none: all, or names separated by commas (default: LANEWISE_CHECK)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Ask for checks in the environment, so that processes that tests start have them, too."""
    wanted = str(config.getoption(CHECKS))
    if wanted:
        from lanewise.config import ask_for_checks

        if wanted.partition("::")[0].endswith(".py"):
            what = f"{wanted!r} stands where names of checks do, but is a file"
            raise pytest.UsageError(f"{CHECKS}: {what}; {CHECKS}=1 before a test's name asks for all checks")
        config.add_cleanup(ask_for_checks(wanted))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if _FIXTURE in metafunc.fixturenames:
        from lanewise.config import default_device

        given = str(metafunc.config.getoption(OPTION))
        names = [name.strip() for name in given.split(",") if name.strip()] or [default_device()]
        metafunc.parametrize(_FIXTURE, names, indirect=True)


@pytest.fixture
def lanewise_device(request: pytest.FixtureRequest) -> Iterator[Device]:
    """The device that this test runs on, and the default one of its launches."""
    import lanewise

    with lanewise.on(str(request.param)) as device:
        yield device
