# SPDX-License-Identifier: Apache-2.0
"""Compiles several random kernels as one source, since most of clang's 60 ms goes into headers, and takes its IR apart
again, so that each kernel has a module of its own."""

import re
from collections.abc import Sequence
from typing import Final

from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda

from .kernel import RandomKernel
from .opening import Opener, opener
from .prelude import PRELUDE
from .running import OPTIONS

_ENTITY: Final = re.compile(
    r"^(?:define .*?@(?P<function>[\w.$]+)\(.*?^\}$|declare .*?@(?P<declared>[\w.$]+)\(.*?$"
    r"|@(?P<variable>[\w.$]+) = .*?$|attributes (?P<attributes>#\d+) = .*?$|(?P<node>!\d+) = .*?$|[^\n]+$)",
    re.MULTILINE | re.DOTALL,
)
_NAME: Final = re.compile(r"@([\w.$]+)|([#!]\d+)\b")
_ALL_GLOBALS: Final = re.compile(r", globals: !\d+")


def compiled_together(kernels: Sequence[RandomKernel]) -> list[Opener]:
    """The kernels, of one run of clang. CompileError where one of them is at fault."""
    parts = [f"namespace k{place} {{\n{kernel.body}}}\n" for place, kernel in enumerate(kernels)]
    ir = compile_cuda(Source(PRELUDE + "".join(parts)), CudaOptions(options=OPTIONS))
    symbols = {name.qualified: name.symbol for name in ir.kernels}
    wanted = [symbols[f"k{place}::{RandomKernel.name}"] for place in range(len(kernels))]
    return [
        opener(text, symbol, RandomKernel.name, kernel.block)
        for kernel, text, symbol in zip(kernels, _taken_apart(ir.text, wanted), wanted, strict=True)
    ]


def _taken_apart(ir: str, symbols: Sequence[str]) -> list[str]:
    """For each symbol the module of what it reaches, by name."""
    entities: list[tuple[str, str]] = []
    for found in _ENTITY.finditer(ir):
        text = _ALL_GLOBALS.sub("", found[0])  # which the compile unit lists, reached or not
        entities.append((next((name for name in found.groups() if name), ""), text))
    references = {name: {a or b for a, b in _NAME.findall(text)} for name, text in entities if name}
    always = {a or b for name, text in entities if not name for a, b in _NAME.findall(text)}
    modules: list[str] = []
    for symbol in symbols:
        reached: set[str] = set()
        work = [symbol, *always]
        while work:
            name = work.pop()
            if name not in reached:
                reached.add(name)
                work += references.get(name, ())
        modules.append("\n".join(text for name, text in entities if not name or name in reached) + "\n")
    return modules
