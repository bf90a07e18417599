# SPDX-License-Identifier: Apache-2.0
"""The elements that a load or store touches, or several that are done as one."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.ir.instruction import Instruction, Metadata
from lanewise.ir.layout import size_of
from lanewise.ir.types import Type
from lanewise.workgroup.layout import abi

_KEPT: Final = frozenset({"!tbaa"})

GROUP_MARGIN: Final = abi.ARENA_MARGIN
"""Bytes before and after memory of the group that its thread may read and write, too."""

Places = tuple[int, ...]
"""Distances of fields from the first one, in elements, ascending; the first is 0."""


class Elements(NamedTuple):
    """The kind of elements that are touched."""

    type: Type
    """The type of an element, a scalar."""
    align: int
    """Alignment of an element, no more than its size: only the addresses of active work-items keep the promise of
    more."""
    metadata: Metadata
    name: str | None

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return size_of(self.type, {})


def elements_of(accesses: Sequence[Instruction], type_: Type) -> Elements:
    """The elements of `type_` that loads or stores touch."""
    metadata = {kept_metadata(access) for access in accesses}
    size = size_of(type_, {})
    align = min(access.align or size for access in accesses)
    name = accesses[0].name if len(accesses) == 1 else None
    return Elements(type_, min(align, size), metadata.pop() if len(metadata) == 1 else (), name)


def kept_metadata(access: Instruction) -> Metadata:
    """The metadata of an access that also holds of its lane code."""
    return tuple(m for m in access.metadata if m[0] in _KEPT)
