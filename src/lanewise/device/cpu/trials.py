# SPDX-License-Identifier: Apache-2.0
"""Trials of a kernel's other mapping by its launches.

Where the model of costs can't tell lanes from a loop over work-items, and both give the same results
(`workgroup/alternatives.py`), the clock tells:

    watched    all work-groups run by the code that `auto` has chosen, until they have taken `TrialPolicy.long_ns`
    compiled   the other code is made in the background
    tried      work-groups run by both in turn (`runtime/core/trial.c`), in the middle of a launch if it is long
    ended      all run by the faster one, and the choice is kept in the cache; or there is no other code
"""

import contextlib
from collections.abc import Callable
from enum import Enum, auto
from typing import Final, NamedTuple, final

from lanewise import locks
from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.cache import Cache
from lanewise.child import Starter, in_unseen_child
from lanewise.device.cpu.background import background_of_this_process
from lanewise.device.cpu.choices import Choice, keep_choice, kept_choice, mapping_called, may_try
from lanewise.device.cpu.kernels import LoadedKernel, load_code
from lanewise.device.cpu.machine_code import MachineCode, entry_of_code, from_cache, shared_object_of, store_code
from lanewise.device.launch import Extent
from lanewise.device.program import Program
from lanewise.errors import Error
from lanewise.log import step
from lanewise.runtime import Pool, Trial, TrialState
from lanewise.workgroup.launch_assumptions import LaunchAssumptions
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.mapping import Mapping


class TrialPolicy(NamedTuple):
    """When a kernel's other mapping is tried."""

    long_ns: int = 20_000_000
    """Nanoseconds that work-groups have to take, added up over threads and launches, before anything is compiled."""
    if_sure: bool = False
    """Also where the model of costs is sure."""
    at_once: bool = False
    """The other code is compiled before the first launch, which waits for it."""


USUAL: Final = TrialPolicy()
ALWAYS: Final = TrialPolicy(0, if_sure=True, at_once=True)
"""For tests: whatever may run by two mappings does, from the first launch on."""


class TriedKernel(NamedTuple):
    """A kernel, the local size of its code and the launches that it is for, and where its code is kept."""

    program: Program
    kernel: str
    size: Extent | None
    assumptions: LaunchAssumptions
    cache: Cache

    def code(self, mapping: Mapping, start: Starter | None) -> MachineCode:
        """The code by another mapping, from the cache, or made in a child process that `start` starts; None: here.
        Error if there is none."""
        program, kernel, size, assumptions, cache = self
        found = from_cache(program, kernel, size, assumptions, cache, mapping)
        if found is not None:
            return found
        fused = has_fused_multiply_add()
        if start is None:
            return MachineCode(*shared_object_of(program.reader(fused=fused), kernel, size, assumptions, mapping))
        target = "fma" if fused else ""
        text = program.linked(fused=fused) if program.apart is None else program.apart(target)
        made = in_unseen_child(start, f"kernel {kernel}", _made, text, kernel, size, assumptions, mapping)
        store_code(cache, entry_of_code(program, kernel, size, assumptions, mapping), *made)
        return MachineCode(*made)


def _made(
    text: str | Callable[[], str], kernel: str, size: Extent | None, assumptions: LaunchAssumptions, mapping: Mapping
) -> tuple[bytes, LaunchFacts]:
    return shared_object_of(text if isinstance(text, str) else text(), kernel, size, assumptions, mapping)


def code_to_launch(
    first: LoadedKernel, tried: TriedKernel, policy: TrialPolicy, pool: Callable[[], Pool],
    address: Callable[[str], int],
) -> LoadedKernel:  # fmt: skip
    """The code that launches begin with, given that of `auto`: the one that earlier launches have chosen, or `first`,
    with a trial if the other is to be tried. `address` returns the address of a variable."""
    other = first.facts.other_mapping
    if not other or not (first.facts.is_unsure or policy.if_sure) or not may_try(tried.program):
        return first
    program, kernel, size, assumptions, cache = tried
    choice = None if policy.at_once else kept_choice(program, kernel, size, assumptions, cache)
    if choice is not None and not choice.is_other:
        return first
    if choice is not None:
        chosen = from_cache(program, kernel, size, assumptions, cache, mapping_called(other))
        if chosen is not None:
            with contextlib.suppress(OSError):  # evicted a moment ago
                return load_code(chosen, address)
    return first._replace(trial=KernelTrial(first, tried, policy, pool, address))


class _Step(Enum):
    WATCHED = auto()
    COMPILED = auto()
    TRIED = auto()
    ENDED = auto()


@final
class KernelTrial:
    """The trial of one kernel's other mapping, beside the code `first`. It asks for the pool at the first launch:
    kernels are compiled without."""

    def __init__(
        self, first: LoadedKernel, tried: TriedKernel, policy: TrialPolicy, pool: Callable[[], Pool],
        address: Callable[[str], int],
    ) -> None:  # fmt: skip
        self._first: Final = first.facts
        self._tried: Final = tried
        self._policy: Final = policy
        self._pool: Final = pool
        self._made: Trial | None = None
        self._making: Final = locks.lock()
        self._variable: Final = address
        self._step = _Step.WATCHED
        self._lock = locks.lock()
        self.second: LoadedKernel | None = None
        """The other code, once it is tried."""
        if policy.at_once:
            self._compile()

    @property
    def _trial(self) -> Trial:
        if self._made is None:
            with self._making:
                self._made = self._made or self._pool().new_trial(self._policy.long_ns)
        return self._made

    @property
    def address(self) -> int:
        """The address that launches take part by."""
        return self._trial.address

    def look(self) -> None:
        """Go on to the next step if it is time. It takes a moment, and is called by any thread after launches and
        during long ones; by C after those whose trial asks (`runtime/calls`, `runtime/queue`)."""
        if not self._trial.asks or not self._lock.acquire(blocking=False):
            return
        try:
            self._trial.answer()
            if self._step is _Step.WATCHED:
                self._step = _Step.COMPILED
                background_of_this_process().add(self._compile, lost=self._watch_again)
            elif self._step is _Step.TRIED and self._trial.state >= TrialState.FIRST:
                self._step = _Step.ENDED
                background_of_this_process().add(self._keep)
        finally:
            self._lock.release()

    def _watch_again(self) -> None:
        """Go back to the step before, in the child of a fork: the code is made for its parent alone."""
        self._lock = locks.lock()
        self._step = _Step.WATCHED
        self._trial.ask()

    def _compile(self) -> None:
        """Make the other code and begin to try it."""
        other, (program, kernel, *_) = self._first.other_mapping, self._tried
        second, arena_bytes = None, 0
        try:
            with step(f"compile {program.kernel_name(kernel)} by the other mapping, {other}, in the background"):
                code = self._tried.code(
                    mapping_called(other), None if self._policy.at_once else self._pool().start_detached
                )
            if _can_stand_in(code.facts, self._first):
                second = load_code(code, self._variable)
                arena_bytes = second.at(self._block(), kernel).facts.arena_bytes
        except (Error, OSError, MemoryError):
            pass  # the first code does without
        if second is None:
            self._step = _Step.ENDED
            return
        self.second = second
        self._step = _Step.TRIED
        self._trial.begin(second.function, arena_bytes)

    def _block(self) -> Extent:
        size = self._tried.size
        assert size is not None, "code for any local size has no other mapping"
        return size

    def _keep(self) -> None:
        """Keep the choice for later processes."""
        program, kernel, size, assumptions, cache = self._tried
        keep_choice(program, kernel, size, assumptions, cache, self.choice())

    def choice(self) -> Choice:
        """The choice that was made."""
        first_ns, second_ns, groups = self._trial.times()
        is_other = self._trial.state is TrialState.SECOND
        return Choice(self._first.other_mapping, is_other, first_ns / 1e3, second_ns / 1e3, groups)


def _can_stand_in(second: LaunchFacts, first: LaunchFacts) -> bool:
    """Return whether code can run work-groups of a launch that was made for the first code of the kernel."""
    return (
        second.flush_denormals == first.flush_denormals
        and second.shared_bytes == first.shared_bytes
        and set(second.apart) <= set(first.apart)
        and not second.calls
    )
