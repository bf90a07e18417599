# SPDX-License-Identifier: Apache-2.0
"""Random kernels by the name of their dialect: a language, or CUDA C++ with operations of warps, or with overlapping
views."""

from collections.abc import Callable, Mapping
from typing import Final

from . import kernel as cuda
from . import overlapping_views
from .choices import Choices
from .opencl import kernel as opencl
from .running import AnyKernel
from .warps import kernel as warps

MAKERS: Final[Mapping[str, Callable[[Choices], AnyKernel]]] = {
    "cuda": cuda.random_kernel,
    "opencl": opencl.random_kernel,
    "warps": warps.random_kernel,
    "views": overlapping_views.random_kernel,
}


def parsed(text: str) -> AnyKernel:
    """The kernel of a text with its first line, which tells the language."""
    return opencl.parsed(text) or cuda.parsed(text)
