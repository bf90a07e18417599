# SPDX-License-Identifier: Apache-2.0
"""One launch: all work-groups in order, and the report of a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType, TracebackType
from typing import Any, Final

from lanewise.device.reference.arithmetic.indeterminate import Value
from lanewise.device.reference.faults import Fault, WorkItemExit, stack_overflow
from lanewise.device.reference.run.grid import check_size, run_together
from lanewise.device.reference.run.group import FaultOf, Path, Runner, run_group
from lanewise.device.reference.run.progress import Places
from lanewise.device.reference.run.services import Services
from lanewise.device.reference.run.stuck import MESSAGE, Looks, Stuck
from lanewise.device.reference.run.work_item import Triple, WorkItem
from lanewise.device.reference.translate.locations import Locations
from lanewise.device.reference.translate.program import PythonProgram
from lanewise.errors import LaunchError
from lanewise.ir.function import Function

_FILE_NAME: Final = "<lanewise reference program>"


def compiled(program: PythonProgram) -> CodeType:
    return compile(program.source, _FILE_NAME, "exec")


class Execution:
    """A program with the services of its launch."""

    def __init__(
        self, program: PythonProgram, code: CodeType, services: Services, locations: Locations, kernel: Function
    ) -> None:
        self._program: Final = program
        self._services: Final = services
        self._locations: Final = locations
        self._places: Final = Places(program.instructions)
        self._kernel_name: Final = locations.function_name(kernel)
        services.races.place_of = lambda number: locations.place(program.watched[number])
        self._routines: list[Any] = []
        """Generators of all work-items that may be suspended."""
        names: dict[str, Any] = dict(program.constants)
        names.update({name: bind(services) for name, bind in program.bindings.items()})
        names.update(turns=services.turns, out_of_turns=services.out_of_turns)
        exec(code, names)
        services.by_address.update({a: (names[name], type_) for a, (name, type_) in program.by_address.items()})
        self._kernel: Final[Callable[..., Any]] = names[program.kernel]

    def run(self, grid: Triple, block: Triple, arguments: list[Value], patience: float | None = None) -> None:
        """Run the work-groups in increasing linear order, x fastest. LaunchError for the first fault, and if a
        work-item has waited for `patience` seconds while no state changed."""
        if patience is not None:
            self._services.between_turns = Looks(patience, _FILE_NAME, self._services.memory, lambda: self._routines)
        try:
            self._run(grid, block, arguments)
        except Stuck as stuck:
            raise LaunchError(self._report_stuck(stuck)) from None

    def _run(self, grid: Triple, block: Triple, arguments: list[Value]) -> None:
        together = self._program.meets_grid and self._services.is_cooperative
        run_one = self._run_waiting if self._program.waits else self._run_plain
        try:
            if together:
                check_size(self._kernel_name, grid, block)
                groups = [self._started(self._work_items(place, grid, block), arguments) for place in _triples(grid)]
                run_together(self._kernel_name, self._services.memory, groups)
                return
            for place in _triples(grid):
                self._services.memory.begin_group()
                self._services.meets.begin_group()
                self._services.meetings.begin_group()
                run_one(self._work_items(place, grid, block), arguments)
        except FaultOf as fault:
            raise LaunchError(self._report(fault.item, fault.cause)) from None

    def _work_items(self, place: Triple, grid: Triple, block: Triple) -> Iterator[WorkItem]:
        for number, thread in enumerate(_triples(block)):
            yield WorkItem(number, thread, place, block, grid, self._program.warp_size)

    def _run_plain(self, items: Iterator[WorkItem], arguments: list[Value]) -> None:
        """Run a kernel without barriers and warp operations: one work-item after the other."""
        kernel, memory = self._kernel, self._services.memory
        for item in items:
            memory.current = item.private
            try:
                kernel(item, *arguments)
            except WorkItemExit:
                pass
            except Fault as fault:
                raise FaultOf(item, fault) from None
            except RecursionError as error:
                raise FaultOf(item, stack_overflow(error)) from None

    def _run_waiting(self, items: Iterator[WorkItem], arguments: list[Value]) -> None:
        for _ in self._started(items, arguments):
            raise AssertionError("only a cooperative launch waits for the grid")

    def _started(self, items: Iterator[WorkItem], arguments: list[Value]) -> Iterator[None]:
        runners = [Runner(i, self._kernel(i, *arguments)) for i in items]
        self._routines = [r for r in self._routines if r.gi_frame is not None] + [r.routine for r in runners]
        return run_group(self._services, runners, self._places, self._describe)

    # -- what went wrong ---------------------------------------------------------------------------------------

    def _report(self, item: WorkItem, fault: Fault, place: str | None = None) -> str:
        place = place or self._place_of(fault.__traceback__)
        where = f"block {(item.ctaid_x, item.ctaid_y, item.ctaid_z)}, thread {(item.tid_x, item.tid_y, item.tid_z)}"
        return f"{place + ': ' if place else ''}kernel {self._kernel_name}, {where}: {fault}"

    def _report_stuck(self, stuck: Stuck) -> str:
        item: object = None
        place: str | None = None
        traceback = stuck.__traceback__
        while traceback is not None:
            frame = traceback.tb_frame
            if frame.f_code.co_filename == _FILE_NAME:
                item = frame.f_locals.get("w")
                number: int = frame.f_locals.get("at", 0)
                turning = self._program.blocks[frame.f_code.co_name][number]
                place = next(filter(None, map(self._locations.place, turning.instructions)), place)
            traceback = traceback.tb_next
        fault = Fault(MESSAGE).with_traceback(stuck.__traceback__)
        if item is None:  # no work-item was running, while those that wait took turns
            item = next((r.gi_frame.f_locals.get("w") for r in self._routines if r.gi_frame is not None), None)
        return (
            self._report(item, fault, place) if isinstance(item, WorkItem) else f"kernel {self._kernel_name}: {fault}"
        )

    def _place_of(self, traceback: TracebackType | None) -> str | None:
        """The innermost line of the user's source in a traceback."""
        lines: list[int] = []
        while traceback is not None:
            if traceback.tb_frame.f_code.co_filename == _FILE_NAME:
                lines.append(traceback.tb_lineno)
            traceback = traceback.tb_next
        return self._innermost(lines)

    def _describe(self, path: Path) -> str:
        return self._innermost([line for _, line in path]) or "an unknown line"

    def _innermost(self, lines: list[int]) -> str | None:
        for line in reversed(lines):
            place = self._locations.place(self._program.instructions[line - 1])
            if place is not None:
                return place
        return None


def _triples(size: Triple) -> Iterator[Triple]:
    for z in range(size[2]):
        for y in range(size[1]):
            for x in range(size[0]):
                yield x, y, z
