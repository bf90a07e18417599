# SPDX-License-Identifier: Apache-2.0
"""PTX with a place for each instruction, and with loops that ptxas leaves rolled.

`with_lines` puts a `.loc` before each instruction, which names its own line in a pseudo-file: ptxas hands that on with
-lineinfo, so that nvdisasm tells the line of PTX of each instruction of SASS. `with_rolled_loops` puts
`.pragma "nounroll"` into each loop. Both want one statement a line, as compilers write PTX.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from lanewise.ptx.control.blocks import Flow
from lanewise.ptx.control.steps import steps_of
from lanewise.ptx.language.module import Module
from lanewise.ptx.language.parser import parse

FILE: Final = "kernel.ptx"
_NO_UNROLLING: Final = '\t.pragma "nounroll";'
_DEBUG: Final = re.compile(r"^\s*\.(?:loc|file)\b.*$", re.MULTILINE)
_DEBUG_SECTION: Final = re.compile(r"^\s*\.section\s+\.debug\w*\s*\{[^}]*\}", re.MULTILINE)
_HEAD: Final = re.compile(r"^\.address_size.*$", re.MULTILINE)


def without_lines(text: str) -> str:
    """PTX without places in a source, which would stand beside ours."""
    return re.sub(r"^(\.target\s.*?),\s*debug\s*$", r"\1", _DEBUG.sub("", _DEBUG_SECTION.sub("", text)), flags=re.M)


def with_rolled_loops(text: str) -> str:
    """PTX whose loops all ask ptxas not to unroll them."""
    module = parse(text, FILE)
    lines = text.split("\n")
    headers: set[int] = set()
    for function in _functions(module):
        flow = Flow(function)
        for header in flow.loops:
            first = flow.steps[flow.blocks[header].first].instruction
            headers.add(module.source.line(first.start) - 1)
    for line in sorted(headers, reverse=True):
        if not any('.pragma "nounroll"' in each for each in _before(lines, line)):
            lines.insert(line, _NO_UNROLLING)
    return "\n".join(lines)


def with_lines(text: str) -> str:
    """PTX with a `.loc` before each instruction, which names its line in `text`. Error if two share a line."""
    module = parse(text, FILE)
    starts = [each.instruction.start for steps in _functions(module) for each in steps.steps]
    numbers = [module.source.line(start) for start in starts]
    if len(set(numbers)) != len(numbers):
        raise ValueError("two instructions of PTX share a line")
    wanted = set(numbers)
    lines = text.split("\n")
    woven: list[str] = []
    for number, line in enumerate(lines, 1):
        if number in wanted:
            woven.append(f"\t.loc 1 {number} 0")
        woven.append(line)
    return _HEAD.sub(lambda found: f'{found[0]}\n.file 1 "{FILE}"', "\n".join(woven), count=1)


def loop_depths(text: str) -> Mapping[int, int]:
    """The loops of PTX around each line that has an instruction."""
    module = parse(text, FILE)
    found: dict[int, int] = {}
    for steps in _functions(module):
        flow = Flow(steps)
        for block in flow.blocks:
            depth = len(flow.loops_around(block.number)) if block.number in flow.place else 0
            for step in flow.steps_in(block.number):
                found[module.source.line(step.instruction.start)] = depth
    return found


def entry_name(text: str) -> str:
    """The symbol of the only kernel. ValueError if there are several, or none."""
    names = [each.name for each in parse(text, FILE).kernels]
    if len(names) != 1:
        raise ValueError(f"expected one kernel, and found {', '.join(names) or 'none'}")
    return names[0]


def _functions(module: Module):
    return [steps_of(each) for each in module.functions if each.body is not None]


def _before(lines: list[str], line: int) -> list[str]:
    """The lines between the label before a line and that line."""
    found: list[str] = []
    while line > 0 and not lines[line - 1].rstrip().endswith(":"):
        line -= 1
        found.append(lines[line])
        if lines[line].strip().endswith(";") and ".pragma" not in lines[line]:
            break
    return found
