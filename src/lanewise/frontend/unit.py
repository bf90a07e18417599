# SPDX-License-Identifier: Apache-2.0
"""Translation units: the interface between the front ends and all that is the same for every language.

A front end is a function from a source and the user's options to a unit: a frozen value that holds both and can be
compiled. Units answer for what only one language has, such as template instances; no caller asks which language it is.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

from lanewise.cache import Cache
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.info import ProgramInfo
from lanewise.frontend.source import Source
from lanewise.ir.module import Module


class KernelModule(NamedTuple):
    """Result of a front end: kernel IR, and what launches need to know of it.

    `info` has the kernels with their signatures, the variables and the warnings. `dependencies` are the files read
    beside the source, absolute; the cache compares their contents. `module` is the text, read, if the front end has
    read it; whoever takes it may change it. `absent`: files that would be read if they were there, absolute.
    """

    text: str
    info: ProgramInfo
    dependencies: tuple[Path, ...] = ()
    module: Module | None = None
    absent: tuple[str, ...] = ()


class Unit(Protocol):
    """A source and the options to compile it with. Units are immutable, and equal if all that they hold is equal."""

    @property
    def name(self) -> str:
        """Name of the source for messages: the path of its file, or `<source>`."""
        ...

    @property
    def digest(self) -> str:
        """A digest of the language, the source and every option: equal digests mean equal results, as long as the
        files that the source includes, the folder of the process and the tools are the same."""
        ...

    @property
    def arch(self) -> str:
        """The architecture, as sm_XX, of PTX for which none is named."""
        ...

    @property
    def terms(self) -> str:
        """The language in whose terms messages speak: "cuda" or "opencl"; see `lanewise.wording`."""
        ...

    @property
    def is_foreign(self) -> bool:
        """True if the user wrote the kernel IR, on which LLVM may end the process."""
        ...

    @property
    def main_line(self) -> int | None:
        """The line of a host program's `main`, which isn't run; None without one."""
        ...

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> KernelModule:
        """Compile the unit. `meanwhile` loads what comes next; call it once while another process works, or never.
        `cache` may keep what other units need as well. Raises CompileError with the compiler's diagnostics."""
        ...

    def for_arch(self, arch: str) -> "Unit":
        """The unit for another architecture; the unit itself if its kernel IR is the same for all."""
        ...

    def with_instance(self, name: str) -> "Unit | None":
        """The unit with one more kernel, the instance of a template; None if `name` can't be one."""
        ...

    def in_general_form(self) -> "Unit | None":
        """The unit with kernels that take any global offset and size, as their last seven arguments (see
        `opencl/kernels.py`); None if it has no such form, or is in it."""
        ...

    @property
    def text(self) -> str | None:
        """The source as it was written, to show lines of; None if there is none."""
        ...

    def ptx(self) -> tuple[Source, ...]:
        """The source, or all that are linked, if they are PTX; else none."""
        ...

    def hint(self, name: str) -> str:
        """Advice that ends the error for a kernel `name` that there isn't: "; ...", or nothing."""
        ...


MakeUnit: TypeAlias = Callable[[Any, GivenOptions], Unit]
"""A front end. Its source is a `Source`, or any value if the language isn't written as text. Raises Error for options
or values that the language doesn't take."""
