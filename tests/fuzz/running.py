# SPDX-License-Identifier: Apache-2.0
"""Runs a random kernel on the CPU and on the reference device, and compares to the bit."""

import functools

import numpy as np

from lanewise.config import Config
from lanewise.program.compilation import compile_source
from lanewise.program.module import Module
from lanewise.session import Session

from .kernel import RandomKernel


@functools.cache
def _session() -> Session:
    """Devices without a compile cache: no kernel comes twice."""
    return Session(Config(cache_dir=None, num_threads=2, device="cpu"))


def compiled(kernel: RandomKernel) -> Module:
    return compile_source(_session(), kernel.source, language="cuda", options=("-w",))


def check(kernel: RandomKernel) -> None:
    """AssertionError, or the device's error, where the kernel does not do the same on both devices."""
    module = compiled(kernel)
    found, wanted = kernel.arguments(), kernel.arguments()
    for arguments, device in ((wanted, "reference"), (found, "cpu")):
        module["kernel"].launch(kernel.grid, kernel.block, arguments, shared=kernel.dynamic_shared(), device=device)
    for name, left, right in zip(("out", "totals"), found, wanted, strict=False):
        places = np.flatnonzero(left != right)
        differences = [(int(p), int(left[p]), int(right[p])) for p in places[:5]]
        assert not places.size, f"{name}: {places.size} of {left.size} differ; place, cpu, reference: {differences}"
