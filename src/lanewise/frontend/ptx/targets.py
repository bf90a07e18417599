# SPDX-License-Identifier: Apache-2.0
"""The places that an instruction may branch to."""

from __future__ import annotations

from typing import Final

from lanewise.ptx.control.steps import Step
from lanewise.ptx.language.operands import Name

ENDS: Final = frozenset({"bra", "brx", "ret", "exit", "trap"})
"""Instructions that nothing follows, unless they are guarded."""


def targets_of(step: Step) -> list[int]:
    """The steps that an instruction may branch to, once for each edge; what follows a guarded branch is one of them."""
    instruction, scope = step.instruction, step.scope
    names: list[str] = []
    if instruction.name == "bra" and isinstance(instruction.operands[0], Name):
        names = [instruction.operands[0].text]
    elif instruction.name == "brx" and isinstance(instruction.operands[1], Name):
        names = list(scope.targets_of(instruction.operands[1].text) or ())
        names = [*names, *names[:1]]  # one more for the default of the switch
    places = [scope.label(name) for name in names]
    found = [place for place in places if place is not None]
    if instruction.name == "bra" and instruction.guard is not None:
        found.append(step.number + 1)
    return found
