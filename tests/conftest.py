# SPDX-License-Identifier: Apache-2.0
"""What all tests share."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import lanewise as lw

from . import sampling
from .device.apart.installed import installed
from .device.cuda.standin import gpu_or_standin
from .prepared_cache import prepared_cache

os.environ["LANEWISE_VERIFY"] = "1"  # of child processes, too
# Python doesn't notice a module that a test writes again within a second, of the same size, if its bytecode is kept.
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what is made now into the *.ll files")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        plain = not (config.option.keyword or config.option.markexpr)
        sampling.begin(whole=plain and config.args_source is pytest.Config.ArgsSource.TESTPATHS)


def pytest_report_header() -> str | None:
    if not sampling.is_sampled():
        return None
    return (
        f"a seventh of the cases of large tests, by LANEWISE_TEST_DAY={sampling.day()}; all: LANEWISE_TEST_ALL_SHAPES=1"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not sampling.is_sampled():
        return
    out = sampling.left_out((item.nodeid for item in items), sampling.day())
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in out])
    items[:] = [item for item in items if item.nodeid not in out]


def pytest_collection_finish() -> None:
    """All that the tests are made of stays: looking for garbage among it takes a twentieth of their time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def interrupts_count() -> Iterator[None]:
    """A shell ignores SIGINT in what it starts in the background, and so would all processes that tests start and
    interrupt."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    if ignored:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.fixture(scope="session")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[lw.Device]:
    """The device of that name, which has memory of its own in another process."""
    with installed(tmp_path_factory.mktemp("installed")):
        device = lw.device("apart")
    yield device
    device.channel.close()  # pyright: ignore[reportAttributeAccessIssue] : it is the client's


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with nothing but the native libraries, to be copied."""
    return prepared_cache(tmp_path_factory)


@pytest.fixture
def cuda() -> Iterator[lw.Device]:
    """The device of that name: a GPU, or simulated ones by a stand-in for the driver's calls."""
    with gpu_or_standin():
        yield lw.device("cuda")
