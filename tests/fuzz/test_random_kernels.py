# SPDX-License-Identifier: Apache-2.0
"""Random kernels: the CPU device against the reference device, bit for bit.

    python -m pytest tests/fuzz                                  the same kernels each time
    LANEWISE_FUZZ_EXAMPLES=20000 python -m pytest tests/fuzz -n 2    as many, and other ones each time

A failure shows the smallest kernel found that fails, and the command that runs it again.
"""

import os
import secrets
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from .kernel import RandomKernel, random_kernels
from .running import check

ASKED = os.environ.get("LANEWISE_FUZZ_EXAMPLES", "")
EXAMPLES = int(ASKED or 240)
BATCHES = 8
"""Tests that the examples are spread over, so that all processors have some."""


@pytest.mark.parametrize("batch", range(BATCHES))
def test_cpu_does_what_reference_does(batch: int):
    @seed(secrets.randbits(64) if ASKED else batch)
    @settings(
        max_examples=-(-EXAMPLES // BATCHES),
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
    @given(random_kernels())
    def compare(kernel: RandomKernel):
        try:
            check(kernel)
        except Exception as error:
            path = Path(tempfile.gettempdir(), f"lanewise-fuzz-{batch}.cu")
            path.write_text(kernel.source)
            error.add_note(f"{kernel.source}\nTo run it again: python -m tests.fuzz.repeat {path}")
            raise

    compare()
