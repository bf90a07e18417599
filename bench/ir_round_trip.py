# SPDX-License-Identifier: Apache-2.0
"""Time to read and write 50,000 instructions of kernel IR; asked is at most 2 s for both together.

Run: python bench/ir_round_trip.py

The module is real: every CUDA file of the tests as clang writes it, unoptimised and with debug information, its
functions repeated under other names until there are enough instructions.
"""

from __future__ import annotations

import re
import statistics
import time
from pathlib import Path

from lanewise.errors import CompileError
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module

INSTRUCTIONS = 50_000
REPEATS = 7
KERNELS = Path(__file__).parents[1] / "tests" / "kernels"


def main() -> None:
    """Print the median of several runs."""
    texts = repeated(kernel_texts(), INSTRUCTIONS)
    reading: list[float] = []
    writing: list[float] = []
    count = 0
    for _ in range(REPEATS):
        start = time.perf_counter()
        modules = [read_module(text) for text in texts]
        middle = time.perf_counter()
        for module in modules:
            write_module(module)
        end = time.perf_counter()
        reading.append(middle - start)
        writing.append(end - middle)
        count = sum(1 for module in modules for function in module.functions for _ in function.instructions())
    read, write = statistics.median(reading), statistics.median(writing)
    print(f"{count} instructions, median of {REPEATS}: read {read:.2f} s, write {write:.2f} s")
    print(f"50,000 instructions: {(read + write) * 50_000 / count:.2f} s together (asked: at most 2 s)")


def kernel_texts() -> list[str]:
    """IR of the CUDA files of the tests, those that need no options."""
    texts: list[str] = []
    for path in sorted(KERNELS.rglob("*.cu")):
        try:
            texts.append(compile_cuda(Source(path.read_text(), path), CudaOptions()).text)
        except CompileError:
            continue
    return texts


def repeated(texts: list[str], instructions: int) -> list[str]:
    """The texts, their definitions repeated so that all together hold at least so many instructions."""
    bodies = [re.findall(r"^define .*?^}$", text, re.MULTILINE | re.DOTALL) for text in texts]
    count = sum(line.startswith("  ") for group in bodies for body in group for line in body.splitlines())
    copies = -(-instructions // count)
    return [
        "\n\n".join([text, *(renamed(body, copy) for copy in range(1, copies) for body in group)])
        for text, group in zip(texts, bodies, strict=True)
    ]


def renamed(definition: str, copy: int) -> str:
    """The definition under another name."""
    return re.sub(r"@([\w$.]+)\(", rf"@\1.copy{copy}(", definition, count=1)


if __name__ == "__main__":
    main()
