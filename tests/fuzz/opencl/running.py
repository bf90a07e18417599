# SPDX-License-Identifier: Apache-2.0
"""Compiles random kernels in OpenCL C."""

import functools
from typing import Final

from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.frontend.opencl import OpenClOptions, compile_opencl

from ..opening import Opener, opener
from .kernel import OpenClKernel

_OPTIONS: Final = ("-w",)


@functools.cache
def _cache() -> Cache:
    """The user's, which holds the built-in and the mathematical functions; random kernels don't go there."""
    return Cache(from_environment().cache_dir)


def opened(kernel: OpenClKernel) -> Opener:
    """The kernel, in the form that its range needs."""
    options = OpenClOptions(options=_OPTIONS, general=not kernel.is_plain)
    text = compile_opencl(kernel.source, None, options, _cache()).text
    return opener(text, kernel.name, kernel.name, _cache())
