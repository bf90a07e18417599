# SPDX-License-Identifier: Apache-2.0
"""What is known of a compiled translation unit without reading its IR: kept in the cache, as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from lanewise.frontend.signature import Parameter, Signature, VariableType


@dataclass(frozen=True)
class KernelInfo:
    """`qualified` is the name with namespaces and template arguments, `written` the signature that tells overloads
    apart, `shared_bytes` the static shared memory that the kernel names."""

    qualified: str
    written: str
    signature: Signature
    shared_bytes: int


@dataclass(frozen=True)
class ProgramInfo:
    """Kernels in the order of the module, variables, symbols of the template instances asked for, and warnings."""

    kernels: tuple[KernelInfo, ...]
    variables: tuple[VariableType, ...]
    instances: dict[str, str]
    warnings: tuple[str, ...]

    def to_json(self) -> bytes:
        return json.dumps(asdict(self)).encode()


def from_json(data: bytes) -> ProgramInfo:
    """The inverse of `to_json`. ValueError, KeyError or TypeError for anything else."""
    stored: dict[str, Any] = json.loads(data)
    return ProgramInfo(
        tuple(_kernel(k) for k in stored["kernels"]),
        tuple(VariableType(v["name"], v["symbol"], v["dtype"], tuple(v["shape"])) for v in stored["variables"]),
        dict(stored["instances"]),
        tuple(stored["warnings"]),
    )


def _kernel(stored: dict[str, Any]) -> KernelInfo:
    signature = stored["signature"]
    parameters = tuple(Parameter(**p) for p in signature["parameters"])
    return KernelInfo(
        stored["qualified"], stored["written"], Signature(signature["symbol"], parameters), stored["shared_bytes"]
    )
