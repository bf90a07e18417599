# SPDX-License-Identifier: Apache-2.0
"""What all tests share."""

import signal
from collections.abc import Iterator

import pytest


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
