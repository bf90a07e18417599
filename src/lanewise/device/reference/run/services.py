# SPDX-License-Identifier: Apache-2.0
"""Services of a launch for its program: memory, indices of work-items, printing, traps."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NoReturn, final

from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value
from lanewise.device.reference.arithmetic.integers import sign_extended, wrapped
from lanewise.device.reference.faults import Fault, WorkItemExit
from lanewise.device.reference.memory.objects import Memory, read_bits, read_text
from lanewise.device.reference.memory.textures import Textures
from lanewise.device.reference.run.checked_meetings import CheckedMeetings
from lanewise.device.reference.run.checked_races import CheckedRaces
from lanewise.device.reference.run.meets import Meets
from lanewise.device.reference.run.printing import formatted
from lanewise.device.reference.run.races import Races

_PORTION: Final = 4096
"""Loop iterations between two calls of `Services.between_turns`: some milliseconds."""


@final
class Services:
    """One launch's memory and services."""

    def __init__(
        self,
        memory: Memory,
        output: Callable[[str], object],
        turns: int,
        *,
        is_cooperative: bool = False,
        checked_races: CheckedRaces | None = None,
    ) -> None:
        self.memory: Final = memory
        self.is_cooperative: Final = is_cooperative
        """True if work-groups may wait for one another."""
        self._output: Final = output
        self._turns: Final = turns
        self.turns: Final = itertools.chain.from_iterable(self._portions(turns))
        """Exhausted after `turns` loop iterations of all work-items together."""
        self.between_turns: Callable[[], None] | None = None
        """Called from time to time during the interpretation, at the start of a loop iteration."""
        self.textures: Final = Textures()
        self.races: Final = Races(memory)
        self.checked_races: Final = checked_races
        """The races of a checked kernel; None: `races` ends the launch at the first one."""
        self.meets: Final[Meets] = checked_races or self.races
        self.meetings: Final = CheckedMeetings(memory)
        self.by_address: Final[dict[int, tuple[Callable[..., Any], str]]] = {}
        """The functions that may be called through a pointer, each with its type."""

    def _portions(self, turns: int) -> Iterator[Iterable[None]]:
        while turns > 0:
            yield itertools.repeat(None, min(turns, _PORTION))
            turns -= _PORTION
            if self.between_turns is not None:
                self.between_turns()

    def out_of_turns(self) -> NoReturn:
        raise Fault(f"still running after {self._turns} jumps of all work-items: an endless loop?")

    def target(self, address: Value, type_: str) -> Callable[..., Any]:
        """The function at an address. It must have the type that the call expects."""
        if address.__class__ is Indeterminate:
            raise Fault(f"a call of a function whose address depends on {address.why}")
        found = self.by_address.get(address)
        if found is None:
            raise Fault(f"a call of the function at {address:#x}, where there is none")
        function, own_type = found
        if own_type != type_:
            raise Fault(f"a call, as one of type {type_}, of the function at {address:#x}, which is of type {own_type}")
        return function

    def vprintf(self, format_: Value, packed: Value) -> Value:
        """Print, and return the number of arguments taken, or -1 without a format."""
        for pointer in (format_, packed):
            if pointer.__class__ is Indeterminate:
                raise Fault(f"a printf whose arguments depend on {pointer.why}")
        if format_ == 0:
            return -1

        def read(address: int, size: int) -> Value:
            bits, unknown = read_bits(self.memory.find(address, size, size, "load"), address, size)
            return Indeterminate("memory that was never written") if unknown else sign_extended(bits, size * 8)

        text, taken = formatted(read_text(self.memory, format_), packed, read, self.text)
        self._output(text.decode(errors="replace"))
        return taken

    def text(self, address: Value) -> bytes:
        return read_text(self.memory, address)

    def assert_fail(self, message: Value, file: Value, line: Value, function: Value, _: Value) -> NoReturn:
        shown = [self.text(a).decode(errors="replace") for a in (message, file, function)]
        raise Fault(f"assertion `{shown[0]}` failed ({shown[1]}:{line}: {shown[2]})")


def trap() -> NoReturn:
    raise Fault("a trap")


def exit_work_item() -> NoReturn:
    raise WorkItemExit


def unreachable() -> NoReturn:
    raise Fault("the end of code that is never to be reached (a function that must return a value and doesn't?)")


def assume(condition: Value) -> None:
    if condition.__class__ is Indeterminate:
        raise Fault(f"an assumption that depends on {condition.why}")
    if not condition:
        raise Fault("an assumption (__builtin_assume or the like) that does not hold")


def switch_value(value: Value) -> Value:
    if value.__class__ is Indeterminate:
        raise Fault(f"a switch that depends on {value.why}")
    return value


def clock(bits: int) -> Callable[[], Value]:
    """An increasing counter, in nanoseconds."""
    return lambda: wrapped(time.monotonic_ns(), bits)


def lane_relation(relation: str) -> Callable[[int], Value]:
    """%lanemask_lt and its relatives, as a function of the lane."""
    relations: dict[str, Callable[[int], int]] = {
        "eq": lambda lane: 1 << lane,
        "le": lambda lane: (2 << lane) - 1,
        "lt": lambda lane: (1 << lane) - 1,
        "ge": lambda lane: ~((1 << lane) - 1),
        "gt": lambda lane: ~((2 << lane) - 1),
    }
    choose = relations[relation]
    return lambda lane: wrapped(choose(lane), 32)
