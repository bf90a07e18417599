# SPDX-License-Identifier: Apache-2.0
"""Translates units into programs: through their front end, or through the cache past it."""

import hashlib
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from lanewise.cache import Cache, Found, Manifests, key
from lanewise.device.program import Program
from lanewise.frontend.info import ProgramInfo, from_json
from lanewise.garbage import with_rare_searches
from lanewise.log import looked_up, step
from lanewise.program.source.products import Products, read_text

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule, Unit
    from lanewise.ir.module import Module

_IR: Final = "kernel.ll"
_INFO: Final = "program.json"
_KEPT_READ: Final = 1 << 19
"""Characters of kernel IR that is kept as the front end has read it, some 10 MB, until something first needs it."""


class TranslatedUnit(NamedTuple):
    """A compiled unit: the program that devices open, what is known of it, and its products for other uses."""

    program: Program
    info: ProgramInfo
    products: Products
    dependencies: tuple[str, ...] = ()
    """The files that were included, absolute."""


def translate(unit: "Unit", options: Mapping[str, str], cache: Cache) -> TranslatedUnit:
    """The kernel IR of `unit` and what is known of it, from the cache if nothing that it depends on has changed.

    `options` are those of `Program.options`; the kernel IR is the same for all. CompileError with the compiler's
    diagnostics.
    """
    request = _request(unit)
    manifests = Manifests(cache)
    recorded = manifests.find(request)
    found = _from_cache(unit, options, cache, recorded) if recorded is not None else None
    looked_up(f"kernel IR of {unit.name}", found=found is not None)
    if found is not None:
        return found
    started = time.time()
    text, info, dependencies, module, absent = _compile(unit, cache)
    content = text.encode(errors="surrogateescape")
    known = info.to_json()  # the current directory doesn't matter any more: it has led to the included files
    result = key("unit", unit.digest, hashlib.sha256(content).hexdigest(), hashlib.sha256(known).hexdigest())
    if cache.put(result, {_IR: content, _INFO: known}) is not None:
        manifests.record(request, dependencies, result, started, absent)
    made = _translation(unit, options, cache, result, lambda: text, info, module if len(text) < _KEPT_READ else None)
    return made._replace(dependencies=tuple(map(str, dependencies)))


def record_same(unit: "Unit", made: TranslatedUnit, cache: Cache) -> None:
    """Record a program as the one that `unit`, which includes no files, is translated to, as another unit was."""
    Manifests(cache).record(_request(unit), (), made.program.key)


def _request(unit: "Unit") -> str:
    return key(unit.digest, str(Path.cwd()))


def _translation(
    unit: "Unit",
    options: Mapping[str, str],
    cache: Cache,
    result: str,
    ir: Callable[[], str],
    info: ProgramInfo,
    module: "Module | None" = None,
) -> TranslatedUnit:
    def for_arch(arch: str) -> Products | None:
        other = unit.for_arch(arch)
        return None if other == unit else translate(other, options, cache).products

    products = Products(
        result, unit.name, ir, cache, options, foreign=unit.is_foreign, for_arch=for_arch, module=module
    )
    names = {kernel.signature.symbol: kernel.qualified for kernel in info.kernels}
    program = Program(
        result,
        unit.name,
        products,
        names,
        foreign=unit.is_foreign,
        options=options,
        variables=tuple(variable.symbol for variable in info.variables),
        module=products.module,
        apart=products.apart,
    )
    return TranslatedUnit(program, info, products)


def _from_cache(unit: "Unit", options: Mapping[str, str], cache: Cache, recorded: Found) -> TranslatedUnit | None:
    result = recorded.result
    path = cache.get(result, _INFO)
    if path is None:
        return None
    try:
        info = from_json(path.read_bytes())
    except (OSError, ValueError, TypeError):
        return None
    made = _translation(unit, options, cache, result, lambda: _ir(unit, cache, result), info)
    return made._replace(dependencies=recorded.dependencies)


def _ir(unit: "Unit", cache: Cache, result: str) -> str:
    """The IR of a cached unit; compiled again if the cache has lost it since."""
    stored = read_text(cache.get(result, _IR))
    return _compile(unit, cache).text if stored is None else stored


@with_rare_searches
def _compile(unit: "Unit", cache: Cache) -> "KernelModule":
    if unit.is_foreign:  # compiled by another process: this one may never need LLVM
        return unit.compile(cache, _load_compiler)
    from lanewise.llvm.preload import library_loading  # a warm start needs it not

    with library_loading():
        return unit.compile(cache, _load_compiler)


def _load_compiler() -> None:
    """Load what the IR will need next (LLVM alone takes 30 ms), while clang runs in a process of its own."""
    with step("load LLVM while clang runs"):
        from lanewise.llvm import LlvmModule

        LlvmModule.parse("")
        import_module("lanewise.frontend.description")
