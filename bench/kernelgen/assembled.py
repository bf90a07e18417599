# SPDX-License-Identifier: Apache-2.0
"""What ptxas makes of PTX: registers, and how many warps of a multiprocessor can be busy with them."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

_REGISTERS: Final = re.compile(r"Used (\d+) registers").search


class Multiprocessor(NamedTuple):
    """Limits of an architecture (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability")."""

    warps: int
    blocks: int
    registers: int = 65536
    registers_at_once: int = 256
    """A warp gets its registers in such portions."""


MULTIPROCESSORS: Final = {
    "sm_75": Multiprocessor(32, 16),
    "sm_80": Multiprocessor(64, 32),
    "sm_90": Multiprocessor(64, 32),
}


def ptxas() -> str | None:
    return shutil.which("ptxas")


def registers(text: str, arch: str) -> int | None:
    """Registers a thread in the code that ptxas makes for an architecture; None where it refuses the text."""
    found = ptxas()
    assert found is not None
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "kernel.ptx")
        source.write_text(text)
        command = [found, "-v", f"-arch={arch}", str(source), "-o", str(Path(folder, "kernel.cubin"))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    match = _REGISTERS(done.stderr + done.stdout)
    return int(match[1]) if done.returncode == 0 and match else None


def occupancy(registers: int, threads: int, arch: str) -> float:
    """The share of a multiprocessor's warps that blocks of so many threads fill, limited by registers alone."""
    machine = MULTIPROCESSORS[arch]
    per_block = -(-threads // 32)
    portion = machine.registers_at_once
    per_warp = -(-registers * 32 // portion) * portion
    blocks = min(machine.blocks, machine.registers // per_warp // per_block, machine.warps // per_block)
    return blocks * per_block / machine.warps
