# SPDX-License-Identifier: Apache-2.0
"""What two modules have in common: all of them but places in the source."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from lanewise.ptx.language.module import Module

_PLACES = frozenset({"start", "end", "source", "line", "module"})
"""The last is a function's way back to the module that holds it."""


def described(part: object) -> object:
    """A part of a model as nested tuples, each with the name of its class: equal where the programs are."""
    if is_dataclass(part):
        named = [(f.name, described(getattr(part, f.name))) for f in fields(part) if f.name not in _PLACES]
        return type(part).__name__, *named
    if isinstance(part, list | tuple):
        return tuple(described(item) for item in part)
    if isinstance(part, float):
        return part.hex()
    return part


def assert_same(first: Module, second: Module) -> None:
    """With the first item that differs in the message, rather than the whole."""
    assert len(first.items) == len(second.items)
    for one, other in zip(first.items, second.items, strict=True):
        assert described(one) == described(other)
    assert described(first) == described(second)
