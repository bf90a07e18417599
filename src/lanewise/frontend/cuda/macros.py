# SPDX-License-Identifier: Apache-2.0
"""The macros by which programs tell a CUDA compiler, its version and its mode.

Clang itself defines `__CUDA__`, `__CUDA_ARCH__` (in device code) and `__clang__`. What else to define was tried on CUB,
Thrust and libcu++ (CCCL 12.8 and 13.3), Eigen 3.4, GLM 0.9.9, helper_math.h and the programs of HeCBench:

* without `__CUDACC__`, all of them either fail or compile their code for other compilers;
* without `__NVCC__`, programs that know only nvcc define `__device__` as nothing, or leave it out;
* with `__NVCC__`, Eigen relies on nvcc's late look-up of names in templates. It knows clang's mode as well.

So a unit is compiled as `NVCC` first. If an error lies in a header of a library, it is compiled again as `CLANG`.
"""

from typing import Final, NamedTuple


class Macro(NamedTuple):
    """One macro, and why it is defined."""

    name: str
    value: str
    why: str


CLANG: Final = (
    Macro("__CUDACC__", "1", "marks a CUDA compilation; without it headers define `__device__` as nothing"),
    Macro("__CUDACC_VER_MAJOR__", "12", "the version whose headers ours correspond to"),
    Macro("__CUDACC_VER_MINOR__", "8", "as above"),
    Macro("__CUDACC_VER_BUILD__", "93", "as above; some programs compare all three"),
)
"""The mode of clang's own CUDA support, which libraries recognise by `__CUDA__` and `__clang__`."""

NVCC: Final = (
    *CLANG,
    Macro("__NVCC__", "1", "marks nvcc; programs guard their device code with it as well"),
)
"""The mode of nvcc with clang as the host compiler. It doesn't have `__CUDACC_RTC__`, which promises that there is no
host code, nor macros of options that were not given, such as `__CUDACC_EXTENDED_LAMBDA__`."""


def defined(macros: tuple[Macro, ...]) -> list[str]:
    """Clang's arguments that define `macros`."""
    return [f"-D{macro.name}={macro.value}" for macro in macros]
