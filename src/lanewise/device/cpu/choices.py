# SPDX-License-Identifier: Apache-2.0
"""Choices between two mappings of a kernel that launches have made, kept beside its machine code in the cache."""

import json
from typing import Final, NamedTuple

from lanewise.cache import Cache, key
from lanewise.device.cpu.machine_code import entry_of_code, from_cache, mapping_wanted
from lanewise.device.launch import Extent
from lanewise.device.program import Program
from lanewise.workgroup.launch_assumptions import LaunchAssumptions
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.mapping import AGAINST_MODEL, AUTO, LANES, LOOP, Mapping

_FILE: Final = "choice.json"
_SHOWN: Final = {LANES: "lanes", LOOP: "a loop over work-items"}


class Choice(NamedTuple):
    """The faster code of one kernel for one block size, and what the clock said: microseconds of processor time per
    work-group, by both."""

    other: str
    """The mapping that was tried beside the usual one, LANES or LOOP: `LaunchFacts.other_mapping`. The usual one may be
    a mix of both."""
    is_other: bool
    """The code by `other` is the faster one."""
    usual_us: float
    other_us: float
    groups: int
    """Work-groups that were timed."""

    def __str__(self) -> str:
        return (
            f"launches tried both mappings: {self.usual_us:.3g} us per work-group by the usual mapping, "
            f"{self.other_us:.3g} us by the other mapping, {_SHOWN[self.other]} ({self.groups} work-groups timed)"
        )


def mapping_called(other: str) -> Mapping:
    """The mapping that compiles the other code of a kernel; `LaunchFacts.other_mapping`."""
    return AGAINST_MODEL if other == LANES else Mapping(LOOP)


def may_try(program: Program) -> bool:
    """Return whether launches may decide how a program's kernels are mapped: not if the user has named a mapping, nor
    for code that was saved, beside which there is no compiler."""
    return mapping_wanted(program) == AUTO and not program.files


def kept_choice(
    program: Program, kernel: str, size: Extent | None, assumptions: LaunchAssumptions, cache: Cache
) -> Choice | None:
    """The choice that launches have made, in this process or an earlier one; None if there is none."""
    stored = cache.get(_entry(program, kernel, size, assumptions), _FILE)
    try:
        return None if stored is None else Choice(**json.loads(stored.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def keep_choice(
    program: Program, kernel: str, size: Extent | None, assumptions: LaunchAssumptions, cache: Cache, choice: Choice
) -> None:
    """Keep a choice for later processes. The first that is kept stays."""
    cache.put(_entry(program, kernel, size, assumptions), {_FILE: json.dumps(choice._asdict()).encode()})


def _entry(program: Program, kernel: str, size: Extent | None, assumptions: LaunchAssumptions) -> str:
    return key("choice of the usual or the other mapping", entry_of_code(program, kernel, size, assumptions))


def remarks_with_choice(
    facts: LaunchFacts,
    program: Program,
    kernel: str,
    size: Extent | None,
    assumptions: LaunchAssumptions,
    cache: Cache,
) -> tuple[str, ...]:
    """The remarks on the code that launches use by now, and why they use it. `facts` are those of the code that `auto`
    has chosen without them."""
    if not may_try(program):
        return facts.remarks
    choice = kept_choice(program, kernel, size, assumptions, cache)
    if choice is None:
        return (*facts.remarks, f"unsure, so long launches also try {_SHOWN[facts.other_mapping]}")
    if choice.is_other:
        other = from_cache(program, kernel, size, assumptions, cache, mapping_called(facts.other_mapping))
        facts = facts if other is None else other.facts
    return (*facts.remarks, str(choice))
