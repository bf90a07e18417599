# SPDX-License-Identifier: Apache-2.0
"""The front ends, in one table. A row's code is loaded when a source is in its language."""

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from lanewise.frontend.unit import MakeUnit


class FrontEnd(NamedTuple):
    """A front end. `unit` is the place of its function (see `unit.MakeUnit`), as MODULE:NAME."""

    language: str
    """Name for `language=`."""
    title: str
    """Name for people."""
    unit: str
    suffixes: tuple[str, ...] = ()
    """Endings of its files."""
    mark: str | None = None
    """Regular expression found in the code of each source text, and in none of another language."""
    takes_text: bool = True
    """The source is text or a file of it; else a Python value."""

    def load(self) -> "MakeUnit":
        """The front end's function."""
        module, _, name = self.unit.partition(":")
        return getattr(import_module(module), name)

    @property
    def listed(self) -> str:
        """The row in a list for people: `cuda (.cu, .cuh)`, `ir (kernel IR, .ll)`."""
        told = () if self.title.lower().startswith(self.language) else (self.title,)
        more = ", ".join((*told, *self.suffixes))
        return f"{self.language} ({more})" if more else self.language


FRONT_ENDS: Final = (
    FrontEnd(
        "cuda", "CUDA C++", "lanewise.frontend.cuda.unit:cuda_unit", (".cu", ".cuh"),
        mark=r"\b__(?:global|device)__\b",
    ),
    FrontEnd(
        "opencl", "OpenCL C", "lanewise.frontend.opencl.unit:opencl_unit", (".cl",),
        mark=r"\b__kernel\b|\bkernel\s+(?:__attribute__\s*\(\((?s:.*?)\)\)\s*)?void\b",
    ),
    FrontEnd(
        "ir", "kernel IR", "lanewise.frontend.kernel_ir:kernel_ir_unit", (".ll",),
        mark=r"(?m:^define [^\n]*\bptx_kernel\b|^target triple\s*=)",
    ),
    FrontEnd("ptx", "PTX", "lanewise.frontend.ptx.unit:ptx_unit", (".ptx",), mark=r"(?m:^\s*\.version\s+\d+\.\d+)"),
    FrontEnd(
        "spir", "SPIR-V or LLVM bitcode of OpenCL", "lanewise.frontend.opencl.unit:binary_unit", (".spv", ".bc"),
        takes_text=False,
    ),
    FrontEnd("python", "Python loops", "lanewise.frontend.python.unit:python_unit", takes_text=False),
)  # fmt: skip


def front_end_of(language: str) -> FrontEnd | None:
    """The front end of a language; None without one."""
    return next((row for row in FRONT_ENDS if row.language == language), None)


def front_end_of_file(suffix: str) -> FrontEnd | None:
    """The front end of files whose names end in `suffix`; None without one."""
    return next((row for row in FRONT_ENDS if suffix in row.suffixes), None)


def either(words: Iterable[str]) -> str:
    """Words as a choice: `a, b or c`."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
