# SPDX-License-Identifier: Apache-2.0
"""The headers at the start of every translation unit, as nvcc includes them before the first line of a program.

nvcc's prologue brings the C library and a part of C++'s. Reading those takes longer than compiling a small kernel, so a
unit first gets `cuda_runtime.h` alone, which declares what most programs use. Rare headers are added if the text names
what they declare. If a name is still missing, `compile.py` compiles the unit a second time, with all of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

HEADERS: Final = Path(__file__).parent / "include"

ALWAYS: Final = "cuda_runtime.h"

RARE: Final = {
    "lanewise/dynamic_programming.h": re.compile(r"\b__v[a-z]+[a-z0-9_]*[2-4]\b|\b__vi[a-z]+\w*_[su]"),
    "lanewise/scoped_atomics.h": re.compile(r"\batomic[A-Z]\w+_(block|system)\b"),
    "lanewise/atomic_operations.h": re.compile(r"\b__(nv_atomic|NV_ATOMIC|NV_THREAD_SCOPE)_"),
}
"""Headers with hundreds of functions that few programs use, and how to tell that one does: SIMD within a word and DPX
(`__vadd4`, `__vimax3_s32`), atomics of other scopes."""

_STANDARD: Final = "lanewise/standard_library.h"

LEAN: Final = "-D_LIBCPP_REMOVE_TRANSITIVE_INCLUDES"
"""libc++ without what its headers happen to include beside what they need: <vector> takes 150 ms instead of 600."""

_MISSING_NAME: Final = (
    r"error: (no (member|template|type) named|use of undeclared|unknown type name|unknown template name"
    r"|implicit instantiation of|invalid operands|variable has incomplete type|incomplete type)"
    r"|note: candidate function not viable: call to __device__ function from __host__ function"
)
"""A name that isn't declared, or only for device code."""


def rare_headers(text: str) -> set[str]:
    """The rare headers whose names `text` has."""
    return {header for header, names in RARE.items() if names.search(text)}


def lean(text: str) -> list[str]:
    """Clang's arguments for a first attempt at `text`, which comes after `ALWAYS`."""
    return [LEAN, *_included(rare_headers(text))]


def complete() -> list[str]:
    """Clang's arguments for a unit that needs more than the lean prologue."""
    return _included([*sorted(RARE), _STANDARD])


def lacks_a_name(diagnostics: Collection[str]) -> bool:
    """True if a unit was refused for an error that the complete prologue may mend."""
    return any(re.search(_MISSING_NAME, diagnostic) for diagnostic in diagnostics)


def _included(headers: Collection[str]) -> list[str]:
    return [argument for header in sorted(headers) for argument in ("-include", header)]
