# SPDX-License-Identifier: Apache-2.0
"""Pairs of parameters and the arguments written for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import typer

from lanewise.errors import LaunchError
from lanewise.frontend.signature import Parameter
from lanewise.program.arguments.packer import declaration

_NAMED: Final = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)


def bind(kernel: str, parameters: Sequence[Parameter], written: Sequence[str]) -> list[str]:
    """The text of each parameter's value: those that name it first, the others in order.

    LaunchError if a name is no parameter's, or if there are too few or too many values.
    """
    texts: dict[str, str] = {}
    unnamed: list[str] = []
    names = [parameter.name for parameter in parameters]
    for text in written:
        name, value = split_name(text)
        if name is None:
            unnamed.append(value)
        elif name not in names:
            raise LaunchError(f"kernel {kernel} has no parameter '{name}'; it has: {shown(parameters)}")
        elif name in texts:
            raise typer.BadParameter(f"{name} is given twice", param_hint="--arg")
        else:
            texts[name] = value
    left = [name for name in names if name not in texts]
    if len(unnamed) != len(left):
        missing = f"; without a value: {', '.join(left[len(unnamed) :])}" if len(unnamed) < len(left) else ""
        raise LaunchError(
            f"kernel {kernel} takes {len(names)} arguments, not {len(written)}: {shown(parameters)}{missing}"
        )
    texts.update(zip(left, unnamed, strict=True))
    return [texts[name] for name in names]


def split_name(text: str) -> tuple[str | None, str]:
    """The name and the rest of `y=out.npy`. The name is None if there is none."""
    match = _NAMED.fullmatch(text)
    return (match[1], match[2]) if match else (None, text)


def shown(parameters: Sequence[Parameter]) -> str:
    """The parameters, as in a declaration."""
    return ", ".join(map(declaration, parameters)) or "none"
