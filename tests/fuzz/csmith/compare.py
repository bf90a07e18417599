# SPDX-License-Identifier: Apache-2.0
"""One program of Csmith, compiled by g++ and by Lanewise, and the results of all threads compared."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Final

import numpy as np

import lanewise as lw

from .program import THREADS, generated, host_program, kernel

_PATIENCE: Final = 2
"""Seconds for g++'s code; Csmith makes a program without end now and then."""


def compared(seed: int, mapping: str) -> tuple[str, str | None]:
    """The kernel of a seed, and what is wrong with it: "" for nothing, None for a program that was left out."""
    program = generated(seed)
    source = kernel(program)
    wanted = expected(host_program(program))
    if wanted is None:
        return source, None
    out = np.zeros(len(wanted), np.uint64)
    try:
        lw.compile(source, language="cuda", mapping=mapping)["k"][THREADS](out)
    except lw.Error as error:
        return source, f"{type(error).__name__}: {str(error)[:300]}"
    wrong = np.flatnonzero(out != wanted)
    return source, f"threads {wrong.tolist()} of {len(out)} differ from g++" if wrong.size else ""


def expected(source: str) -> np.ndarray | None:
    """The results of g++'s code, without optimisation; None where it does not end in time."""
    with tempfile.TemporaryDirectory() as folder:
        file, program = Path(folder, "p.cpp"), Path(folder, "p")
        file.write_text(source)
        command = ["g++", "-w", "-O0", "-fpermissive", "-std=c++17", "-o", str(program), str(file)]
        subprocess.run(command, check=True, capture_output=True, text=True)
        try:
            done = subprocess.run([program], capture_output=True, text=True, check=True, timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            return None
    return np.array([int(line, 16) for line in done.stdout.split()], np.uint64)
