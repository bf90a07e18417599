# SPDX-License-Identifier: Apache-2.0
"""A translation unit on its way through the front end, and through the cache past it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache import Cache, Manifests, key
from lanewise.device.base import Program
from lanewise.garbage import with_rare_searches
from lanewise.log import looked_up, step
from lanewise.program.info import ProgramInfo, from_json
from lanewise.program.libraries import linker
from lanewise.workgroup.mapping import AUTO, Mapping

_IR: Final = "kernel.ll"
_INFO: Final = "program.json"

SAVED: Final = "saved"


class Unit(NamedTuple):
    """What to compile and how. `language` is "cuda", "opencl" or "ir", or SAVED for what was loaded compiled; `path` is
    None for text given in memory."""

    text: str
    path: Path | None
    language: str
    arch: str
    defines: tuple[tuple[str, str | None], ...]
    include_dirs: tuple[str, ...]
    options: tuple[str, ...]
    names: tuple[str, ...] = ()
    """Template instances wanted beside what the source instantiates."""
    general: bool = False
    """OpenCL C's kernels are to take any global offset and size."""
    mapping: Mapping = AUTO
    """How the CPU device is to map work-items: the front end's result is the same for all."""

    @property
    def name(self) -> str:
        return str(self.path) if self.path is not None else "<source>"

    def for_arch(self, arch: str) -> Unit:
        return self._replace(arch=arch)

    def in_general_form(self) -> Unit:
        return self._replace(general=True)

    def with_name(self, name: str) -> Unit:
        return self._replace(names=(*self.names, name))


def front_end(unit: Unit, cache: Cache) -> tuple[Program, ProgramInfo]:
    """The kernel IR of `unit` and what is known of it, from the cache where nothing that it depends on has changed.

    CompileError with the compiler's diagnostics.
    """
    request = key(
        unit.language, unit.name, str(Path.cwd()), unit.text, unit.arch,
        repr((unit.defines, unit.include_dirs, unit.options, unit.names, unit.general)),
    )  # fmt: skip
    manifests = Manifests(cache)
    result = manifests.lookup(request)
    found = _from_cache(unit, cache, result) if result is not None else None
    looked_up(f"kernel IR of {unit.name}", found=found is not None)
    if found is not None:
        return found
    started = time.time()
    text, dependencies, info = _compile(unit, cache)
    content = text.encode(errors="surrogateescape")
    result = key("unit", request, hashlib.sha256(content).hexdigest())
    if cache.put(result, {_IR: content, _INFO: info.to_json()}) is not None:
        manifests.record(request, dependencies, result, started)
    return _program(unit, cache, result, lambda: text, info), info


def _program(unit: Unit, cache: Cache, result: str, text: Callable[[], str], info: ProgramInfo) -> Program:
    names = {kernel.signature.symbol: kernel.qualified for kernel in info.kernels}
    foreign = unit.language == "ir"
    return Program(result, unit.name, text, names, foreign=foreign, link=linker(cache), mapping=unit.mapping)


def _from_cache(unit: Unit, cache: Cache, result: str) -> tuple[Program, ProgramInfo] | None:
    path = cache.get(result, _INFO)
    if path is None:
        return None
    try:
        info = from_json(path.read_bytes())
    except (OSError, ValueError, TypeError):
        return None
    return _program(unit, cache, result, lambda: _text(unit, cache, result), info), info


def _text(unit: Unit, cache: Cache, result: str) -> str:
    """The IR of a cached unit; compiled again where the cache has lost it since."""
    stored = read_text(cache.get(result, _IR))
    return _compile(unit, cache)[0] if stored is None else stored


def read_text(path: Path | None) -> str | None:
    """The content of a cached file; None where the cache has none, or has lost it a moment ago."""
    try:
        return None if path is None else path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None


@with_rare_searches
def _compile(unit: Unit, cache: Cache) -> tuple[str, tuple[Path, ...], ProgramInfo]:
    if unit.language == "ir":
        from lanewise.program.description import describe

        return unit.text, (), describe(unit.text, (), {}, ())
    if unit.language == "opencl":
        from lanewise.frontend.opencl import OpenClOptions, compile_opencl

        options = OpenClOptions(unit.defines, unit.include_dirs, unit.options, unit.general)
        made = compile_opencl(unit.text, unit.path, options, cache, _load_compiler)
        from lanewise.program.description import describe

        with step(f"describe the kernels of {unit.name}"):
            return made.text, made.dependencies, describe(made.text, (), {}, made.warnings, made.refused)
    from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda

    options = CudaOptions(unit.arch, unit.defines, unit.include_dirs, unit.options, unit.names)
    compiled = compile_cuda(Source(unit.text, unit.path), options, _load_compiler, cache)
    from lanewise.program.description import describe  # loaded meanwhile

    with step(f"describe the kernels of {unit.name}"):
        info = describe(compiled.text, compiled.kernels, compiled.instances, compiled.warnings)
    return compiled.text, compiled.dependencies, info


def _load_compiler() -> None:
    """Load what the IR will need next (LLVM alone takes 30 ms), while clang runs in a process of its own."""
    with step("load LLVM while clang runs"):
        from lanewise.llvm import LlvmModule

        LlvmModule.parse("")
        import_module("lanewise.program.description")
