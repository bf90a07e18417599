# SPDX-License-Identifier: Apache-2.0
"""NVIDIA's programs, found where they are installed: nvcc, ptxas, nvdisasm. What they say is kept in out/bench/gpu.

nvdisasm is no part of a small toolkit: the wheel `nvidia-cuda-nvdisasm` has it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from lanewise.config import ptxas_settings
from lanewise.errors import Error
from lanewise.ptx.assembler import find_ptxas

_KEPT: Final = Path(__file__).parents[2] / "out" / "bench" / "gpu"
_SECONDS: Final = 600


@dataclass(frozen=True)
class Tools:
    """Paths; None for what isn't found. `missing` says why, and where it was looked for."""

    ptxas: Path | None
    nvcc: Path | None
    nvdisasm: Path | None
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Assembled:
    """The resources of a kernel, as ptxas counts them, and nvdisasm's listing of it (empty without nvdisasm)."""

    registers: int
    stack: int
    spill_stores: int
    spill_loads: int
    shared: int
    """Bytes of static shared memory."""
    listing: str


def find_tools(nvdisasm: str | None = None) -> Tools:
    """The tools that there are; `nvdisasm`: its path, if it is said."""
    missing: list[str] = []
    try:
        ptxas = find_ptxas(ptxas_settings())
    except Error as error:
        ptxas = None
        missing.append(str(error))
    beside = [] if ptxas is None else [ptxas.parent, ptxas.resolve().parent]
    nvcc = _found("nvcc", beside)
    disassembler = Path(nvdisasm) if nvdisasm else _found("nvdisasm", [*beside, *_wheels()])
    if nvcc is None:
        missing.append("no nvcc found in PATH or beside ptxas: nothing to compare with")
    if disassembler is None:
        missing.append("no nvdisasm found in PATH, beside ptxas or as the wheel nvidia-cuda-nvdisasm: no SASS")
    return Tools(ptxas, nvcc, disassembler, tuple(missing))


def nvcc_ptx(tools: Tools, source: str, arch: str) -> str:
    """PTX of nvcc. subprocess.CalledProcessError if it refuses the source."""
    assert tools.nvcc is not None
    nvcc = str(tools.nvcc)

    def make() -> str:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "kernel.cu").write_text(source)
            _run([nvcc, "-ptx", f"-arch={arch}", "-std=c++17", "kernel.cu", "-o", "kernel.ptx"], folder)
            return Path(folder, "kernel.ptx").read_text()

    return kept(("nvcc", _version(nvcc), arch, source), make)


def assemble(tools: Tools, ptx: str, arch: str) -> Assembled:
    """The machine code of PTX with one kernel, by `ptxas -O3 -lineinfo`. subprocess.CalledProcessError if ptxas refuses
    it."""
    assert tools.ptxas is not None
    ptxas, nvdisasm = str(tools.ptxas), tools.nvdisasm

    def make() -> str:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "kernel.ptx").write_text(ptx)
            command = [ptxas, "-v", "-O3", "-lineinfo", f"-arch={arch}", "kernel.ptx", "-o", "kernel.cubin"]
            said = _run(command, folder)
            listing = "" if nvdisasm is None else _run([str(nvdisasm), "-c", "-g", "kernel.cubin"], folder)
            return json.dumps(asdict(resources(said, listing)))

    named = "" if nvdisasm is None else _version(str(nvdisasm))
    return Assembled(**json.loads(kept(("ptxas", _version(ptxas), named, arch, ptx), make)))


def resources(said: str, listing: str = "") -> Assembled:
    """The numbers in what `ptxas -v` says of one kernel."""

    def number(pattern: str) -> int:
        found = re.search(pattern, said)
        return int(found[1]) if found else 0

    return Assembled(
        number(r"Used (\d+) registers"), number(r"(\d+) bytes stack frame"), number(r"(\d+) bytes spill stores"),
        number(r"(\d+) bytes spill loads"), number(r"(\d+) bytes smem"), listing,
    )  # fmt: skip


def _found(name: str, folders: Sequence[Path]) -> Path | None:
    for path in [*(folder / name for folder in folders), *filter(None, [_which(name)])]:
        if path.is_file():
            return path
    return None


def _which(name: str) -> Path | None:
    found = shutil.which(name)
    return None if found is None else Path(found)


def _wheels() -> list[Path]:
    spec = importlib.util.find_spec("nvidia")
    roots = [] if spec is None else [Path(each) for each in spec.submodule_search_locations or ()]
    return [path.parent for root in roots for path in root.glob("*/bin/nvdisasm")]


def _run(command: Sequence[str], folder: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=_SECONDS)
    return done.stdout + done.stderr


_versions: Final[dict[str, str]] = {}


def _version(program: str) -> str:
    if program not in _versions:
        _versions[program] = _run([program, "--version"], ".")
    return _versions[program]


def kept(parts: Sequence[str], make: Callable[[], str]) -> str:
    """Return the text that `make` returns, from a file if it was made before of the same parts."""
    path = _KEPT / hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    if path.exists():
        return path.read_text()
    text = make()
    _KEPT.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    part.write_text(text)
    part.replace(path)
    return text
