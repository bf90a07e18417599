# SPDX-License-Identifier: Apache-2.0
"""The forms of a program that devices accept: kernel IR, linked kernel IR, PTX."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, final

from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.garbage import with_rare_searches
from lanewise.ir.debug_info import LINES_WANTED
from lanewise.log import looked_up
from lanewise.program.source.libraries import link_for_gpus, link_for_host
from lanewise.program.source.mathematics import HARDWARE, mathematics_of_gpus, mathematics_of_simulated_gpus

if TYPE_CHECKING:
    from lanewise.ir.module import Module
    from lanewise.ir.module_text import ModuleText
    from lanewise.pipelines.source import Source

_PTX: Final = "kernel.ptx"


@final
class Products:
    """The forms of one program; see `device.program.Program.product`."""

    def __init__(
        self,
        program_key: str,
        name: str,
        ir: Callable[[], str],
        cache: Cache,
        options: Mapping[str, str] = MappingProxyType({}),
        *,
        foreign: bool = False,
        for_arch: Callable[[str], Products | None] = lambda arch: None,
        module: Module | None = None,
    ) -> None:
        """`ir()` returns the kernel IR that the program `program_key` was made from; `name` is that of the source.
        `options` are those of `Program.options`, which PTX's mathematics depends on.
        `for_arch` returns the products for another architecture, None if the kernel IR is the same for all. `module` is
        the kernel IR, read, if the front end has just made it: the first who would read the text gets it."""
        self._key: Final = program_key
        self._name: Final = name
        self._foreign: Final = foreign
        self.ir: Final = ir
        self._cache: Final = cache
        self._options: Final = options
        self._for_arch: Final = for_arch
        self._made: Final = [] if module is None else [module]
        self._has_read_part = False

    def __call__(self, form: str, target: str) -> str:
        match form:
            case "ir":
                return self.ir()
            case "linked-ir":
                return self._as_text(lambda module: link_for_host(module, self._cache, fused=target == "fma"))
            case "ptx":
                return self.ptx(target)
            case "simulated-ptx":
                return self.ptx(target, math=mathematics_of_simulated_gpus(self._options))
            case _:
                raise Error(
                    f"a program has no form '{form}'; its forms are 'ir', 'linked-ir', 'ptx' and 'simulated-ptx'"
                )

    def ptx(
        self, arch: str, version: int | None = None, kernel: str | None = None, without: tuple[str, ...] = (),
        lines: bool = False, math: str | None = None,
    ) -> str:  # fmt: skip
        """PTX for an architecture and version of PTX (78 for 7.8; None: the least) of all kernels, or of one (a
        symbol), or of all but those `without`. `lines`: it names lines of the source, whatever the options say. `math`:
        its mathematics (None: that for GPUs).
        CompileError names what PTX has no instruction for."""
        other = self._for_arch(arch)
        if other is not None:
            return other.ptx(arch, version, kernel, without, lines, math)
        math = math or mathematics_of_gpus(self._options)
        entry = key("ptx", self._key, arch, str(version), str(kernel), str(lines), math, *without)
        stored = read_text(self._cache.get(entry, _PTX))
        looked_up(f"PTX of {self._name} for {arch}", found=stored is not None)
        if stored is not None:
            return stored
        from lanewise.child import guarded  # a warm start needs it not

        source = self.source_for_gpus(lines, math)
        text = guarded(self._foreign, f"{self._name}: PTX", _ptx, source, arch, version, kernel, without)
        self._cache.put(entry, {_PTX: text.encode()})
        return text

    def source_for_gpus(self, lines: bool = False, math: str | None = None) -> Source:
        """Kernel IR with all functions that it calls, as GPUs run it: as text if another process is to compile it.
        `lines`, `math`: see `ptx`."""
        hardware = (math or mathematics_of_gpus(self._options)) == HARDWARE

        def link(module: Module) -> bool:
            if lines:
                module.metadata[LINES_WANTED] = "!{}"
            return link_for_gpus(module, self._cache, hardware=hardware) or lines

        def read(roots: Collection[str] | None) -> Module:
            module = self._read(roots)
            link(module)
            return module

        return self._as_text(link) if self._foreign else read

    def module(self, target: str, roots: Collection[str] | None = None) -> Module:
        """The form linked-ir, read; see `device.program.Program.module`."""
        module = self._read(roots)
        link_for_host(module, self._cache, fused=target == "fma")
        return module

    def apart(self, target: str) -> Callable[[], str]:
        """See `device.program.Program.apart`."""
        base = self._cache.base
        return functools.partial(_linked, self.ir(), None if base is None else base.parent, target == "fma")

    def _read(self, roots: Collection[str] | None) -> Module:
        from lanewise.ir.reader import read_module  # a warm start reads nothing

        has_read_part = self._has_read_part
        self._has_read_part = has_read_part or roots is not None
        try:
            module = self._made.pop()
        except IndexError:
            if roots is not None and has_read_part:
                return self._functions.read(roots)
            return read_module(self.ir(), roots)
        if roots is not None:
            from lanewise.pipelines.source import keep_bodies

            keep_bodies(module, roots)
        return module

    @functools.cached_property
    def _functions(self) -> ModuleText:
        """The text, cut up for the second part that is read of it: many programs have one kernel, and are read once."""
        from lanewise.ir.module_text import ModuleText

        return ModuleText(self.ir())

    def _as_text(self, link: Callable[[Module], bool]) -> str:
        from lanewise.ir.reader import read_module
        from lanewise.ir.writer import write_module

        text = self.ir()
        module = read_module(text)
        return write_module(module) if link(module) else text


def _linked(text: str, folder: Path | None, fused: bool) -> str:
    """The form linked-ir of kernel IR, in any process. `folder`: that of the cache."""
    products = Products("", "a program", lambda: text, Cache(folder))
    return products("linked-ir", "fma" if fused else "")


@with_rare_searches
def _ptx(source: Source, arch: str, version: int | None, kernel: str | None, without: tuple[str, ...]) -> str:
    """PTX of kernel IR that has all it calls."""
    from lanewise.pipelines.gpu import compile_ptx

    return compile_ptx(source, arch, version, kernel, without)


def read_text(path: Path | None) -> str | None:
    """The content of a cached file; None if the cache has none, or has lost it a moment ago."""
    try:
        return None if path is None else path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
