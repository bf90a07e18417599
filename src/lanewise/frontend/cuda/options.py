# SPDX-License-Identifier: Apache-2.0
"""The options that CUDA C++ is compiled with."""

from typing import NamedTuple

from lanewise.frontend.given_options import DEFAULT_ARCH


class CudaOptions(NamedTuple):
    """Options of a compilation.

    `arch` is the value of `__CUDA_ARCH__` as sm_XX. `defines` are macros with their values (None: defined as 1).
    `options` are further arguments of clang, such as `-std=c++20`, or of nvcc (`nvcc_options/`). `names` are template
    instances to put into the module, as a program would write them: `scale<float, 4>`.
    """

    arch: str = DEFAULT_ARCH
    defines: tuple[tuple[str, str | None], ...] = ()
    include_dirs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
