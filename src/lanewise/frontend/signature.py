# SPDX-License-Identifier: Apache-2.0
"""Signatures of kernels and types of variables: what a launch checks its arguments against."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lanewise.frontend.source_types import Dtype, Kind


class Parameter(NamedTuple):
    """A parameter of a kernel. `offset`, in bytes, is its place among the packed arguments, `size` its size there.

    `dtype` (see `source_types.Dtype`) is the parameter's own, or that of what a pointer points to, as is `align`, in
    bytes; `const`: the kernel only reads through it.
    """

    name: str
    ctype: str
    kind: Kind
    size: int
    offset: int
    dtype: Dtype
    const: bool
    align: int = 1


class Signature(NamedTuple):
    """A kernel's symbol and parameters."""

    symbol: str
    parameters: tuple[Parameter, ...]


class VariableType(NamedTuple):
    """Of a variable: name as written, symbol, dtype and shape."""

    name: str
    symbol: str
    dtype: Dtype
    shape: tuple[int, ...]
