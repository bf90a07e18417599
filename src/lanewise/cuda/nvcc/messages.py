# SPDX-License-Identifier: Apache-2.0
"""The texts of `nvcc --version` and `nvcc --help`."""

from __future__ import annotations

from typing import Final

from lanewise.cuda.version import RELEASE, VERSION

HELP: Final = """\
Usage: lanewise nvcc [options] FILE ...

Compiles CUDA programs, host code and kernels, for the processors of this machine. Takes the options of NVIDIA's nvcc.

  -o FILE                    the output
  -c  -dc  -ptx  -E  -lib    stop after this step: an object file, PTX, preprocessed text, a static library
  -shared                    a shared library
  -I -isystem -D -U -include -std=c++17        as for a C++ compiler
  -L -l -Xlinker OPTIONS                       for the link
  -O0 to -O3  -g  -G  -lineinfo  -w            optimisation and debugging
  -arch=sm_80  -gencode ...  -code ...         the value of __CUDA_ARCH__
  -use_fast_math  -ftz  -prec-div  -prec-sqrt  -fmad
  -Xcompiler OPTIONS  -ccbin PROGRAM           the host compiler, g++, whose library and linker are used
  -cudart static|shared|none                   the runtime library; static without it
  -M  -MD  -MF FILE  -MT NAME  -MP             dependencies for make
  -x cu|c++|c   --options-file FILE   -run   -v   --dryrun   --version
"""


def version_text() -> str:
    """The text of `nvcc --version`; build systems look for "release" and "V" in it."""
    from lanewise.cache import tool_versions

    return (
        "nvcc: NVIDIA (R) Cuda compiler driver, as Lanewise stands in for it\n"
        f"{tool_versions()}\n"
        f"Cuda compilation tools, release {RELEASE}, V{VERSION}"
    )
