# SPDX-License-Identifier: Apache-2.0
"""Reads the tables of this folder. README.md has their form."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

FOLDER = Path(__file__).parent

WHOLE = "#include"
"""The name in the tables for including a header at all."""


@dataclass(frozen=True)
class Header:
    """The names of one header, as one table has them."""

    name: str
    """As it is included, or that and a topic: "cuda_runtime.h: atomics"."""
    summary: str
    scope: str
    """The namespace of its names, or empty."""
    architecture: str
    defines: tuple[str, ...]
    options: tuple[str, ...]
    supported: tuple[str, ...]
    different: Mapping[str, str]
    """Name -> how it differs from CUDA's."""
    refused: Mapping[str, str]
    """Name -> a part of what the compiler says."""
    examples: Mapping[str, str]
    """Name -> statements of a device function that use it."""

    @property
    def include(self) -> str:
        """The header to include: `cuda_runtime.h` for "cuda_runtime.h: atomics"."""
        return self.name.partition(":")[0]


@dataclass(frozen=True)
class Chapter:
    """One file."""

    title: str
    order: int
    headers: tuple[Header, ...]


def chapters() -> list[Chapter]:
    """All files, in the order of the document. ValueError for one that README.md's form doesn't allow."""
    found = [_chapter(path) for path in FOLDER.glob("*.toml")]
    return sorted(found, key=lambda chapter: (chapter.order, chapter.title))


def _chapter(path: Path) -> Chapter:
    content = tomllib.loads(path.read_text())
    title, order = content.pop("title"), content.pop("order", 50)
    return Chapter(title, order, tuple(_header(path, name, table) for name, table in content.items()))


def _header(path: Path, name: str, table: dict[str, Any]) -> Header:
    def words(key: str) -> tuple[str, ...]:
        return tuple(cast(list[str], table.pop(key, [])))

    def texts(key: str) -> dict[str, str]:
        return cast(dict[str, str], table.pop(key, {}))

    header = Header(
        name=name,
        summary=table.pop("summary", ""),
        scope=table.pop("scope", ""),
        architecture=table.pop("architecture", "sm_80"),
        defines=words("defines"),
        options=words("options"),
        supported=words("supported"),
        different=texts("different"),
        refused=texts("refused"),
        examples=texts("examples"),
    )
    names = [*header.supported, *header.different, *header.refused]
    twice = {n for n in names if names.count(n) > 1} | set(header.examples) - set(names)
    if table or twice:
        raise ValueError(f"{path.name}, [{name!r}]: unknown keys or names listed twice: {[*table, *sorted(twice)]}")
    return header
