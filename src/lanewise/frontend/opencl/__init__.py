# SPDX-License-Identifier: Apache-2.0
"""OpenCL C 1.2 to kernel IR, by clang, a header of our own and the built-in library in library/."""

from lanewise.frontend.opencl.compile import OpenClOptions, compile_opencl

__all__ = ["OpenClOptions", "compile_opencl"]
