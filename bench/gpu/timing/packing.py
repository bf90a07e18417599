# SPDX-License-Identifier: Apache-2.0
"""Machine code of kernels by each compiler, in a folder that a machine without compilers plays.

For kernels of `bench/kernelgen`, the "compilers" are the versions of PTXASW's Figure 2, of the PTX of Lanewise and of
nvcc.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

import lanewise as lw
from lanewise.backend.nvptx.targets import target
from lanewise.errors import Error

from ...kernelgen.suite import SUITE as KERNELGEN
from .. import compilers
from ..problem import Array, Kernel
from ..suite import HELD_OUT, LOOKED_AT, SUITE, kernel
from ..tools import Tools
from ..woven import entry_name, without_lines
from .outputs import same_bits
from .playing import INDEX, SAME_BITS

_PARAMETER: Final = re.compile(r"\.param\s+\.([usbf]\d+)\b")
_VERSIONS: Final[dict[str, dict[str, bool]]] = {"no load": {"load": False}, "no corner": {"corner": False}, "full": {}}
"""PTXASW, Figure 2: shuffles without the loads of lanes at the edge, without the test for them, and all of it."""
_NAMES: Final = ("lanewise", "nvcc", "llvm")

Texts = dict[str, Callable[[], str]]
"""Functions that make PTX, by compiler."""


def pack(folder: Path, arch: str, tools: Tools, chosen: Sequence[str], tell: Callable[[str], object]) -> None:
    """Fill a folder, which is made. `chosen`: kernels, all if empty. Error where nvcc or ptxas is missing,
    and for an unknown kernel or architecture."""
    if tools.ptxas is None or tools.nvcc is None:
        raise Error("; ".join(tools.missing))
    target(arch, None)
    known = {name for _, name, _ in _wanted(arch, tools)}
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise Error(f"no kernel is called {unknown[0]!r}; the kernels are {', '.join(sorted(known))}")
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, Any]] = []
    for group, name, texts in _wanted(arch, tools):
        if chosen and name not in chosen:
            continue
        tell(name)
        made: dict[str, dict[str, str]] = {}
        parameters: list[str] = []
        for compiler, make in texts.items():
            try:
                text = without_lines(make())
                parameters = parameters or parameters_of(text)
                made[compiler] = {"file": _assembled(tools.ptxas, text, arch, folder), "entry": entry_name(text)}
            except (Error, subprocess.CalledProcessError) as error:
                tell(f"({compiler} of {name}: {error})")
        row: dict[str, Any] = {"group": group, "name": name, "parameters": parameters, "compilers": made}
        if SAME_BITS in made:
            row["small"] = f"{group}-{name}.npz".replace(" ", "-")
            np.savez_compressed(folder / row["small"], **_on_cpu(kernel(name), arch))
        rows.append(row)
    (folder / INDEX).write_text(json.dumps({"arch": arch, "kernels": rows}, indent=1) + "\n")


def parameters_of(ptx: str) -> list[str]:
    """Types of the parameters of PTX's kernel."""
    head = ptx[ptx.index(".entry") :]
    return _PARAMETER.findall(head[: head.index("{")])


def _wanted(arch: str, tools: Tools) -> Iterator[tuple[str, str, Texts]]:
    for group, kernels in (("suite", SUITE), ("held out", HELD_OUT)):
        for each in kernels:
            shown = "looked at" if each.name in LOOKED_AT else group
            texts = {name: _by(name, each.source(), arch, tools) for name in _NAMES}
            yield shown, each.name, {**texts, SAME_BITS: _same_bits(each.source(), arch)}
    for benchmark in KERNELGEN:
        source = benchmark.source.read_text()
        texts: Texts = {}
        for compiler in ("lanewise", "nvcc"):
            texts[compiler] = _by(compiler, source, arch, tools)
            for version, options in _VERSIONS.items():
                texts[f"{compiler}, {version}"] = _with_shuffles(texts[compiler], options)
        yield "KernelGen", benchmark.name, texts


def _by(compiler: str, source: str, arch: str, tools: Tools) -> Callable[[], str]:
    return lambda: compilers.ptx(compiler, source, arch, tools)


def _same_bits(source: str, arch: str) -> Callable[[], str]:
    return lambda: lw.compile(source, language="cuda", arch=arch, math="same-bits").ptx(arch)


def _on_cpu(of: Kernel, arch: str) -> dict[str, Array]:
    """The arrays that the kernel's small launch changes, as the device `cpu` leaves them, by place."""
    launch = of.launch()
    arguments = launch.fresh()
    module = lw.compile(of.source(), language="cuda", arch=arch)
    module[of.name].launch(launch.grid, launch.block, tuple(arguments), shared=launch.shared, device=lw.device("cpu"))
    arrays = [(place, each) for place, each in enumerate(launch.arguments) if isinstance(each, np.ndarray)]
    return {str(place): arguments[place] for place, each in arrays if not same_bits(arguments[place], each)}


def _with_shuffles(original: Callable[[], str], options: dict[str, bool]) -> Callable[[], str]:
    def make() -> str:
        module = lw.ptx.parse(without_lines(original()), "kernel.ptx")
        return lw.ptx.synthesise_shuffles(module, always=True, **options).text

    return make


def _assembled(ptxas: Path, text: str, arch: str, folder: Path) -> str:
    name = f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.cubin"
    if not (folder / name).exists():
        with tempfile.TemporaryDirectory() as temporary:
            source = Path(temporary, "kernel.ptx")
            source.write_text(text)
            command = [str(ptxas), "-O3", f"-arch={arch}", str(source), "-o", str(folder / name)]
            subprocess.run(command, check=True, capture_output=True, text=True)
    return name
