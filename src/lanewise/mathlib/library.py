# SPDX-License-Identifier: Apache-2.0
"""The library's sources as a `Library` with one unit per file, and the intrinsics that its functions replace."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from lanewise.cache import Cache
from lanewise.linking import Library, LibraryUnit

SOURCE: Final = Path(__file__).with_name("source")

_PUBLIC: Final = re.compile(r"^PUBLIC [^(]*?\b(\w+)\(", re.MULTILINE)
_ARGUMENTS: Final = (
    "-target", "nvptx64-nvidia-cuda", "-nostdinc", "-I", str(SOURCE), "-std=gnu11", "-O2", "-ffreestanding",
    "-fno-builtin", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fno-strict-aliasing",
    "-fno-vectorize", "-fno-slp-vectorize",
)  # fmt: skip

_UNARY: Final = ("acos", "asin", "atan", "cos", "cosh", "exp", "exp10", "exp2", "log", "log10", "log2", "sin", "sinh",
                 "tan", "tanh")  # fmt: skip
_BINARY: Final = ("atan2", "pow")
_APPROXIMATE: Final = {"sin": "sin", "cos": "cos", "ex2": "exp2", "lg2": "log2", "tanh": "tanh"}

ON_GPUS: Final[Mapping[str, str]] = MappingProxyType({
    **{f"llvm.{name}.f32": f"{name}f" for name in (*_UNARY, *_BINARY)},
    **{f"llvm.{name}.f64": name for name in (*_UNARY, *_BINARY)},
    "llvm.ldexp.f32.i32": "ldexpf", "llvm.ldexp.f64.i32": "ldexp",
    "llvm.powi.f32.i32": "pownf", "llvm.powi.f64.i32": "pown",
})  # fmt: skip
"""Intrinsics without an instruction on any target, and the functions of the library to call instead."""

ON_HOSTS: Final[Mapping[str, str]] = MappingProxyType({
    **ON_GPUS,
    **{f"llvm.nvvm.{theirs}.approx.f": f"__lw_fast_{ours}f" for theirs, ours in _APPROXIMATE.items()},
    "llvm.nvvm.ex2.approx.f32": "__lw_fast_exp2f",
    "llvm.maxnum.f32": "fmaxf", "llvm.maxnum.f64": "fmax", "llvm.minnum.f32": "fminf", "llvm.minnum.f64": "fmin",
})  # fmt: skip
"""The same for targets that also lack a GPU's approximate instructions, except those replaced by the exact operation.
On such a target the maximum of two zeros may be either one; on GPUs it is +0."""
WITHOUT_FUSED: Final[Mapping[str, str]] = MappingProxyType({
    **ON_HOSTS, "llvm.fma.f32": "fmaf", "llvm.fma.f64": "fma",
})  # fmt: skip
"""The same for hosts without an instruction that multiplies and adds in one rounding."""


def math_library(cache: Cache, *, fused: bool, hardware: bool = False) -> Library:
    """The library in the form for targets that multiply and add in one rounding, or for those that don't; or in that
    for GPUs, by their approximate instructions, which has functions of its own and else those of the first form."""
    form = "hardware" if hardware else "fused" if fused else "unfused"
    arguments = (*_ARGUMENTS, f"-DLW_FUSED={int(fused)}", f"-DLW_HARDWARE={int(hardware)}")
    return Library("math", functools.partial(_unit_of, form, hardware), arguments, cache)


def _unit_of(form: str, hardware: bool, symbol: str) -> LibraryUnit | None:
    file = (hardware_files().get(symbol) if hardware else None) or library_file(symbol)
    if file is None:
        return None
    folder = file.relative_to(SOURCE).parent.as_posix().replace("/", ".")
    return LibraryUnit(f"{form}.{folder}.{file.stem}", file)


def library_file(symbol: str) -> Path | None:
    """The source file of a public function in its form for all devices."""
    return _files().get(symbol)


@functools.cache
def _files() -> dict[str, Path]:
    """The source file of each public function."""
    return _defined_by(SOURCE.glob("*/*.c"))


@functools.cache
def hardware_files() -> dict[str, Path]:
    """The source file of each public function that GPUs have a form of their own of."""
    return _defined_by(SOURCE.glob("hardware/*/*.c"))


def _defined_by(files: Iterable[Path]) -> dict[str, Path]:
    return {name: path for path in sorted(files) for name in _PUBLIC.findall(path.read_text())}
