# SPDX-License-Identifier: Apache-2.0
"""Translates units into programs: through their front end, or through the cache past it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lanewise.cache import Cache, Manifests, key
from lanewise.device.base import Program
from lanewise.frontend.info import ProgramInfo, from_json
from lanewise.garbage import with_rare_searches
from lanewise.log import looked_up, step
from lanewise.program.libraries import linker
from lanewise.workgroup.mapping import Mapping

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule, Unit

_IR: Final = "kernel.ll"
_INFO: Final = "program.json"


def translate(unit: Unit, mapping: Mapping, cache: Cache) -> tuple[Program, ProgramInfo]:
    """The kernel IR of `unit` and what is known of it, from the cache where nothing that it depends on has changed.
    `mapping`: how the CPU device is to map work-items; the kernel IR is the same for all.

    CompileError with the compiler's diagnostics.
    """
    request = key(unit.digest, str(Path.cwd()))
    manifests = Manifests(cache)
    result = manifests.lookup(request)
    found = _from_cache(unit, mapping, cache, result) if result is not None else None
    looked_up(f"kernel IR of {unit.name}", found=found is not None)
    if found is not None:
        return found
    started = time.time()
    text, info, dependencies = _compile(unit, cache)
    content = text.encode(errors="surrogateescape")
    result = key("unit", request, hashlib.sha256(content).hexdigest())
    if cache.put(result, {_IR: content, _INFO: info.to_json()}) is not None:
        manifests.record(request, dependencies, result, started)
    return _program(unit, mapping, cache, result, lambda: text, info), info


def _program(
    unit: Unit, mapping: Mapping, cache: Cache, result: str, text: Callable[[], str], info: ProgramInfo
) -> Program:
    names = {kernel.signature.symbol: kernel.qualified for kernel in info.kernels}
    return Program(result, unit.name, text, names, foreign=unit.is_foreign, link=linker(cache), mapping=mapping)


def _from_cache(unit: Unit, mapping: Mapping, cache: Cache, result: str) -> tuple[Program, ProgramInfo] | None:
    path = cache.get(result, _INFO)
    if path is None:
        return None
    try:
        info = from_json(path.read_bytes())
    except (OSError, ValueError, TypeError):
        return None
    return _program(unit, mapping, cache, result, lambda: _text(unit, cache, result), info), info


def _text(unit: Unit, cache: Cache, result: str) -> str:
    """The IR of a cached unit; compiled again where the cache has lost it since."""
    stored = read_text(cache.get(result, _IR))
    return _compile(unit, cache).text if stored is None else stored


def read_text(path: Path | None) -> str | None:
    """The content of a cached file; None where the cache has none, or has lost it a moment ago."""
    try:
        return None if path is None else path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None


@with_rare_searches
def _compile(unit: Unit, cache: Cache) -> KernelModule:
    return unit.compile(cache, _load_compiler)


def _load_compiler() -> None:
    """Load what the IR will need next (LLVM alone takes 30 ms), while clang runs in a process of its own."""
    with step("load LLVM while clang runs"):
        from lanewise.llvm import LlvmModule

        LlvmModule.parse("")
        import_module("lanewise.frontend.description")
