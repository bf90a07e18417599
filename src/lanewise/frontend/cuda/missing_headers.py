# SPDX-License-Identifier: Apache-2.0
"""Says of an #include that isn't found that it names a part of NVIDIA's toolkit which Lanewise doesn't have."""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError

_NOT_FOUND: Final = re.compile(r"'([^']+)' file not found")

_PARTS: Final = (
    (re.compile(r"(thrust|cub)/"), "the Thrust and CUB libraries"),
    (re.compile(r"curand"), "cuRAND"),
    (re.compile(r"cublas|cusparse|cusolver|cufft|nvjpeg|npp|nccl|cudnn|cutensor"), "NVIDIA's libraries for the host"),
    (re.compile(r"mma\.h|cutlass/|cute/"), "matrix operations of warps"),
    (re.compile(r"cuda_fp[46]\.h"), "floating-point numbers of 4 and 6 bits"),
    (re.compile(r"nvtx3/nvtx3\.hpp|nvToolsExtCuda"), "this part of NVTX"),
    (
        re.compile(r"(torch|ATen|c10|pybind11)/"),
        "PyTorch's C++ interface (compile the kernels alone, and launch them with tensors from Python)",
    ),
    (re.compile(r"nvrtc\.h|cupti\.h|optix"), "this library"),
)


def explained(error: CompileError) -> CompileError:
    """The error, with a note after each such diagnostic."""
    notes = [note for diagnostic in error.diagnostics if (note := _note(diagnostic))]
    if not notes:
        return error
    return CompileError("\n".join((str(error), *notes)), (*error.diagnostics, *notes))


def _note(diagnostic: str) -> str | None:
    match = _NOT_FOUND.search(diagnostic)
    if match is None:
        return None
    if match[1] == "mpi.h":
        return "note: Lanewise doesn't bring MPI: give the folder of an installed one's headers by -I"
    for header, part in _PARTS:
        if header.match(match[1]):
            return f"note: Lanewise doesn't have {part}: '{match[1]}' can't be used"
    return None
