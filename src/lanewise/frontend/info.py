# SPDX-License-Identifier: Apache-2.0
"""Facts about a compiled translation unit that need no reading of its IR: kept in the cache, as JSON."""

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from lanewise.frontend.signature import (
    NO_BOUNDS,
    LaunchBounds,
    Parameter,
    ReferenceType,
    Signature,
    VariableType,
)

if TYPE_CHECKING:
    from lanewise.frontend.checked_places import CheckTable


class KernelInfo(NamedTuple):
    """`qualified` is the name with namespaces and template arguments, `written` the signature, by which overloads
    differ. `shared_bytes` is the static shared memory that the kernel names. `bounds` are the limits of its launches,
    `textures` the symbols of the texture and surface references that it uses."""

    qualified: str
    written: str
    signature: Signature
    shared_bytes: int
    bounds: LaunchBounds = NO_BOUNDS
    textures: tuple[str, ...] = ()
    asks_dimensions: bool = False
    """It calls OpenCL's get_work_dim."""
    attributes: str = ""
    """Attributes of OpenCL C in its declaration, separated by spaces."""
    sees_groups: bool = True
    """It may depend on the sizes of its work-groups."""


class ProgramInfo(NamedTuple):
    """Kernels in the order of the module, variables, symbols of the template instances asked for, and warnings."""

    kernels: tuple[KernelInfo, ...]
    variables: tuple[VariableType, ...]
    instances: dict[str, str]
    warnings: tuple[str, ...]
    textures: tuple[ReferenceType, ...] = ()
    """Texture and surface references."""
    refused: dict[str, str] = {}  # noqa: RUF012 : never changed
    """The names of kernels in the source that are left out, and why."""
    checks: "CheckTable | None" = None
    """Places where accesses are checked, in a program that is."""
    global_bytes: int = 0
    """Bytes of the variables in global memory, of a program in OpenCL C."""

    def to_json(self) -> bytes:
        """A row a record, its fields in order."""
        return json.dumps(self).encode()


def from_json(data: bytes) -> ProgramInfo:
    """The inverse of `to_json`. ValueError or TypeError for anything else."""
    kernels, variables, instances, warnings, textures, refused, checks, global_bytes = json.loads(data)
    return ProgramInfo(
        tuple(_kernel(*row) for row in kernels),
        tuple(VariableType(name, symbol, dtype, tuple(shape)) for name, symbol, dtype, shape in variables),
        dict(instances),
        tuple(warnings),
        tuple(ReferenceType(*row) for row in textures),
        dict(refused),
        None if checks is None else _checks(*checks),
        global_bytes,
    )


def _checks(places: list[list[Any]], pointers: dict[str, list[int]], doubled: list[str]) -> "CheckTable":
    from lanewise.frontend.checked_places import check_table  # few programs are checked

    return check_table(places, pointers, doubled)


def _kernel(
    qualified: str,
    written: str,
    signature: tuple[str, list[Any]],
    shared_bytes: int,
    bounds: list[Any],
    textures: list[str],
    asks_dimensions: bool,
    attributes: str,
    sees_groups: bool,
) -> KernelInfo:
    symbol, parameters = signature
    max_work_items, block, cluster, *more = bounds
    return KernelInfo(
        qualified,
        written,
        Signature(symbol, tuple(Parameter(*p) for p in parameters)),
        shared_bytes,
        LaunchBounds(max_work_items, block and tuple(block), cluster and tuple(cluster), *more),
        tuple(textures),
        asks_dimensions,
        attributes,
        sees_groups,
    )
