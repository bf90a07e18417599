# SPDX-License-Identifier: Apache-2.0
"""The forms of a program that devices accept: kernel IR, linked kernel IR, PTX."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, final

from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.garbage import with_rare_searches
from lanewise.log import looked_up
from lanewise.program.source.libraries import link_for_gpus, link_for_host

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
        *,
        foreign: bool = False,
        for_arch: Callable[[str], Products | None] = lambda arch: None,
    ) -> None:
        """`ir()` returns the kernel IR that the program `program_key` was made from; `name` is that of the source.
        `for_arch` returns the products for another architecture, None if the kernel IR is the same for all."""
        self._key: Final = program_key
        self._name: Final = name
        self._foreign: Final = foreign
        self.ir: Final = ir
        self._cache: Final = cache
        self._for_arch: Final = for_arch

    def __call__(self, form: str, target: str) -> str:
        match form:
            case "ir":
                return self.ir()
            case "linked-ir":
                return link_for_host(self.ir(), self._cache, fused=target == "fma")
            case "ptx":
                return self.ptx(target)
            case _:
                raise Error(f"a program has no form '{form}'; its forms are 'ir', 'linked-ir' and 'ptx'")

    def ptx(self, arch: str, version: int | None = None, kernel: str | None = None) -> str:
        """PTX for an architecture and version of PTX (78 for 7.8; None: the least) of all kernels, or of one (a
        symbol). CompileError names what PTX has no instruction for."""
        other = self._for_arch(arch)
        if other is not None:
            return other.ptx(arch, version, kernel)
        entry = key("ptx", self._key, arch, str(version), str(kernel))
        stored = read_text(self._cache.get(entry, _PTX))
        looked_up(f"PTX of {self._name} for {arch}", found=stored is not None)
        if stored is not None:
            return stored
        from lanewise.child import guarded  # a warm start needs it not

        text = guarded(self._foreign, f"{self._name}: PTX", _ptx, self.linked_for_gpus(), arch, version, kernel)
        self._cache.put(entry, {_PTX: text.encode()})
        return text

    def linked_for_gpus(self) -> str:
        """Kernel IR with all functions that it calls, as GPUs run it."""
        return link_for_gpus(self.ir(), self._cache)


@with_rare_searches
def _ptx(text: str, arch: str, version: int | None, kernel: str | None) -> str:
    """PTX of kernel IR that has all it calls."""
    from lanewise.pipelines.gpu import compile_ptx

    return compile_ptx(text, arch, version, kernel)


def read_text(path: Path | None) -> str | None:
    """The content of a cached file; None if the cache has none, or has lost it a moment ago."""
    try:
        return None if path is None else path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None
