# SPDX-License-Identifier: Apache-2.0
"""A checked program on a device: each launch gets what its checks need, and ends with what they found."""

from __future__ import annotations

import struct
from typing import Final, final

import numpy as np

from lanewise.device.base import Device, OpenProgram
from lanewise.device.launch import Arguments, Launch, Parameters
from lanewise.device.memory import Span
from lanewise.device.program import Program
from lanewise.device.race_log import RaceLog
from lanewise.errors import LaunchError
from lanewise.frontend.checked_places import CheckTable
from lanewise.ir.check_report import PLACE_BYTES
from lanewise.program.checked.faults import faults_of
from lanewise.program.checked.messages import Messages
from lanewise.program.checked.seen_races import races_of
from lanewise.program.checked.telling import told

_SHADOW_ALIGN: Final = 16
"""Bytes that the shadow of dynamic shared memory starts at a multiple of, as `checks/shadows.py` has it."""


@final
class CheckedProgram:
    """A program whose kernels take the sizes of their arrays and a report as further arguments."""

    def __init__(
        self, program: OpenProgram, table: CheckTable, messages: Messages, terms: str, *, for_races: bool = False
    ) -> None:
        """`terms`: the language in whose terms messages speak. `for_races`: a device that looks for races by itself
        is to do so."""
        self._program: Final = program
        self._table: Final = table
        self._messages: Final = messages
        self._terms: Final = terms
        self._for_races: Final = for_races
        self._parameters: Final[dict[tuple[str, Parameters], Parameters]] = {}

    @property
    def device(self) -> Device:
        return self._program.device

    def prepare(self, launch: Launch) -> None:
        self._program.prepare(self._with_report(launch, self._report()))

    def launch(self, launch: Launch) -> None:
        report = self._report()
        races = RaceLog(launch.dynamic_bytes) if self._for_races else None
        failed: LaunchError | None = None
        try:
            self._program.launch(self._with_report(launch, report)._replace(races=races))
        except LaunchError as error:
            failed = error
        faults = faults_of(report, self._table.places, launch, races_of(races, self._table.places, launch))
        error = told(self._messages, launch.kernel, faults, self._terms) if faults else None
        if error is not None:
            raise error from failed
        if failed is not None:
            raise failed

    def reopen(self, program: Program) -> OpenProgram:
        """The program without checks of its launches: they need the table of the new one."""
        return self._program.reopen(program)

    def variable(self, symbol: str) -> Span:
        return self._program.variable(symbol)

    def _report(self) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        return np.zeros(max(1, len(self._table.places)) * PLACE_BYTES, np.uint8)

    def _with_report(self, launch: Launch, report: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> Launch:
        given = launch.arguments
        numbers = self._table.pointers[launch.kernel]
        local = iter(given.local_sizes)
        sizes = [
            next(local) if given.arrays[number] is None and given.parameters.is_local(number)
            else _nbytes(given.arrays[number])
            for number in numbers
        ]  # fmt: skip
        values = (*given.values, *sizes, launch.dynamic_bytes, report.ctypes.data)
        arrays = (*given.arrays, *(None for _ in sizes), None, report)
        more = (
            launch.dynamic_bytes + -launch.dynamic_bytes % _SHADOW_ALIGN if launch.kernel in self._table.doubled else 0
        )
        parameters = self._extended(launch.kernel, given.parameters)
        return launch._replace(
            arguments=Arguments(values, arrays, parameters, given.local_bytes, given.local_sizes),
            shared=launch.shared + more,
        )

    def _extended(self, kernel: str, parameters: Parameters) -> Parameters:
        key = (kernel, parameters)
        if key not in self._parameters:
            more = len(self._table.pointers[kernel]) + 2
            packing = parameters.packing
            gap = -packing.size % 8
            self._parameters[key] = parameters._replace(
                names=(*parameters.names, *("" for _ in range(more))),
                const=(*parameters.const, *(False for _ in range(more))),
                packing=struct.Struct(f"{packing.format}{'x' * gap}{'Q' * more}"),
            )
        return self._parameters[key]


def _nbytes(referred: object) -> int:
    return int(getattr(referred, "nbytes", 0))
