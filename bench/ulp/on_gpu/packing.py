# SPDX-License-Identifier: Apache-2.0
"""Machine code of functions and of their judges, in a folder."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import lanewise as lw
from lanewise.errors import Error

from ...gpu.tools import Tools
from .. import kernels
from ..table import Row
from . import sources
from .sources import INDEX


def pack(folder: Path, arch: str, tools: Tools) -> None:
    """Fill a folder, which is made. Error where nvcc or ptxas is missing."""
    if tools.ptxas is None or tools.nvcc is None:
        raise Error("; ".join(tools.missing))
    folder.mkdir(parents=True, exist_ok=True)
    floats, points = sources.every_float(), sources.at_points()
    for name, chosen in (("floats", floats), ("points", points)):
        _assemble(tools.ptxas, _ptx(chosen, arch), arch, folder / f"{name}.cubin")
    for name, text in (("judges", sources.judges(floats)), ("floats-by-nvcc", kernels.source(floats))):
        with tempfile.TemporaryDirectory() as temporary:
            source = Path(temporary, "functions.cu")
            source.write_text(text)
            command = [str(tools.nvcc), "-cubin", f"-arch={arch}", str(source), "-o", str(folder / f"{name}.cubin")]
            subprocess.run(command, check=True)
    index = {"arch": arch, "floats": [row.name for row in floats], "points": [row.name for row in points]}
    (folder / INDEX).write_text(json.dumps(index) + "\n")


def _ptx(chosen: Sequence[Row], arch: str) -> str:
    return lw.compile(kernels.source(chosen), language="cuda", arch=arch).ptx(arch)


def _assemble(ptxas: Path, text: str, arch: str, target: Path) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary, "functions.ptx")
        source.write_text(text)
        subprocess.run([str(ptxas), "-O3", f"-arch={arch}", str(source), "-o", str(target)], check=True)
