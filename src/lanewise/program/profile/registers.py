# SPDX-License-Identifier: Apache-2.0
"""The registers that a thread of a kernel takes: what `ptxas` says where there is one, else an estimate."""

import re
import subprocess
from typing import Final, NamedTuple

from lanewise.config import ptxas_settings
from lanewise.errors import Error
from lanewise.ptx.assembler import find_ptxas
from lanewise.ptx.control.blocks import Flow
from lanewise.ptx.control.liveness import live_at_entry
from lanewise.ptx.control.steps import Register, steps_of
from lanewise.ptx.declined import DeclinedError
from lanewise.ptx.language.module import Function

MOST: Final = 255
LEAST: Final = 16
_SYSTEM: Final = 4
"""ThreadRegisters that an estimate adds, for the stack and for addresses of parameters."""
_USED: Final = re.compile(r"Used (\d+) registers")
_SECONDS: Final = 60
_WIDE: Final = {"b64": 2, "u64": 2, "s64": 2, "f64": 2, "b128": 4, "pred": 0}
"""ThreadRegisters of 32 bits that a value takes, where it isn't one."""


class ThreadRegisters(NamedTuple):
    """`number` of a thread; `estimated` if no ptxas has said so."""

    number: int
    estimated: bool


def registers_of(kernel: Function, text: str, arch: str) -> ThreadRegisters:
    """The registers of a kernel of PTX on GPUs of an architecture."""
    try:
        said = _by_ptxas(text, kernel.name, arch)
    except (Error, OSError, subprocess.SubprocessError):
        said = None
    return ThreadRegisters(estimate(kernel), True) if said is None else ThreadRegisters(said, False)


def _by_ptxas(text: str, kernel: str, arch: str) -> int | None:
    settings = ptxas_settings()
    command = [str(find_ptxas(settings)), "-v", f"-arch={arch}", f"--entry={kernel}", "-o", "/dev/null", "-"]
    ran = subprocess.run(
        command, input=text.encode(), capture_output=True, timeout=_SECONDS, check=False, env=settings.child_environment
    )
    found = _USED.search(ran.stderr.decode(errors="replace")) if ran.returncode == 0 else None
    return None if found is None else int(found[1])


def estimate(kernel: Function) -> int:
    """The most values that live at the same time, in registers of 32 bits, and a few."""
    try:
        flow = Flow(steps_of(kernel))
    except DeclinedError:
        return LEAST
    live = live_at_entry(flow, range_of(flow))
    most = 0
    for number in flow.order:
        following: set[Register] = set()
        for successor in flow.blocks[number].successors:
            following |= live[successor]
        for step in reversed(flow.steps_in(number)):
            most = max(most, _size(following | set(step.writes)))
            if step.guard is None:
                following -= set(step.writes)
            following |= set(step.reads)
        most = max(most, _size(following))
    return min(MOST, max(LEAST, most + _SYSTEM))


def range_of(flow: Flow) -> frozenset[int]:
    """The numbers of all steps."""
    return frozenset(range(len(flow.steps)))


def _size(registers: set[Register]) -> int:
    return sum(_WIDE.get(register.type, 1) for register in registers)
