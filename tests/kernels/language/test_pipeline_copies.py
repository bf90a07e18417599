# SPDX-License-Identifier: Apache-2.0
"""Copies to shared memory by cuda_pipeline.h."""

from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

SOURCE = Path(__file__).with_name("pipeline_copies.cu")


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_two_tiles_in_turn(device: str):
    values = np.arange(3 * 5 * 48, dtype=np.int32).reshape(3, 5, 48)
    out = np.zeros((3, 48), np.int32)
    lw.compile(SOURCE)["sum_of_tiles"].launch(3, 48, (out, values, 5), shared=2 * 48 * 4, device=device)
    np.testing.assert_array_equal(out, sum(np.roll(values[:, t], -t - 1, axis=1) for t in range(5)))


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_zeros_fill_up_what_is_not_copied(device: str):
    given = np.arange(1, 17 * 16 + 1, dtype=np.uint16).astype(np.uint8).reshape(17, 16)
    out = np.zeros((17, 16), np.uint8)
    lw.compile(SOURCE)["filled_up"].launch(1, 17, (out.view(np.uint32), given.view(np.uint32)), device=device)
    np.testing.assert_array_equal(out, np.where(np.arange(16) < 16 - np.arange(17)[:, None], given, 0))
