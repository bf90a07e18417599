# SPDX-License-Identifier: Apache-2.0
"""What is known of a compiled translation unit without reading its IR: kept in the cache, as JSON."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from lanewise.frontend.signature import Parameter, Signature, VariableType


class KernelInfo(NamedTuple):
    """`qualified` is the name with namespaces and template arguments, `written` the signature that tells overloads
    apart, `shared_bytes` the static shared memory that the kernel names."""

    qualified: str
    written: str
    signature: Signature
    shared_bytes: int


class ProgramInfo(NamedTuple):
    """Kernels in the order of the module, variables, symbols of the template instances asked for, and warnings."""

    kernels: tuple[KernelInfo, ...]
    variables: tuple[VariableType, ...]
    instances: dict[str, str]
    warnings: tuple[str, ...]

    def to_json(self) -> bytes:
        """A row a record, its fields in order."""
        return json.dumps(self).encode()


def from_json(data: bytes) -> ProgramInfo:
    """The inverse of `to_json`. ValueError or TypeError for anything else."""
    kernels, variables, instances, warnings = json.loads(data)
    return ProgramInfo(
        tuple(_kernel(*row) for row in kernels),
        tuple(VariableType(name, symbol, dtype, tuple(shape)) for name, symbol, dtype, shape in variables),
        dict(instances),
        tuple(warnings),
    )


def _kernel(qualified: str, written: str, signature: tuple[str, list[Any]], shared_bytes: int) -> KernelInfo:
    symbol, parameters = signature
    return KernelInfo(qualified, written, Signature(symbol, tuple(Parameter(*p) for p in parameters)), shared_bytes)
