# SPDX-License-Identifier: Apache-2.0
"""Names of the objects of a launch, as reports of races have them."""

from collections.abc import Sequence
from typing import Final, NamedTuple, final

import numpy as np

from lanewise.device.race_log import DYNAMIC, RacedObject
from lanewise.device.reference.memory.arguments import ArgumentValue
from lanewise.device.reference.memory.symbols import SymbolTable
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.function import Function
from lanewise.ir.layout import array_shape, size_of
from lanewise.ir.module import Module
from lanewise.ir.written_names import written_name

_OURS: Final = ("lw.", "__lw_")
"""Prefixes of variables that Lanewise has added."""


class _Range(NamedTuple):
    object: RacedObject
    start: int
    size: int


@final
class NamedObjects:
    """The arrays among the arguments of a launch, and the variables of its module, but for those that Lanewise has
    added, of which the report is the last argument. `dynamic_shared`: bytes of dynamic shared memory, without what the
    checks have added behind it."""

    def __init__(
        self,
        module: Module,
        symbols: SymbolTable,
        kernel: Function,
        arguments: Sequence[ArgumentValue],
        dynamic_shared: int,
    ) -> None:
        self._ranges: Final[list[_Range]] = []
        for number, (parameter, argument) in enumerate(zip(kernel.arguments[:-1], arguments[:-1], strict=True)):
            if isinstance(argument, np.ndarray):
                start = int(argument.__array_interface__["data"][0])
                self._add(RacedObject("argument", parameter.name or "", number), start, argument.nbytes)
        for variable in module.variables:
            name = variable.name or ""
            is_shared = variable.type.addrspace == SHARED
            is_dynamic = is_shared and variable.initializer is None
            if not symbols.has_address(variable) or (name.startswith(_OURS) and not is_dynamic):
                continue
            size = dynamic_shared if is_dynamic else size_of(variable.value_type, module.types)
            kind = DYNAMIC if is_dynamic else "shared array" if is_shared else "variable"
            shape, element = array_shape(variable.value_type, module.types)
            self._add(RacedObject(kind, written_name(name), -1, shape, element), symbols.address(variable), size)

    def _add(self, object_: RacedObject, start: int, size: int) -> None:
        self._ranges.append(_Range(object_, start, size))

    def find(self, address: int) -> tuple[RacedObject, int] | None:
        """The object that an address is in, and the offset there; None if it has no name."""
        for object_, start, size in self._ranges:
            if start <= address < start + size:
                return object_, address - start
        return None
