# SPDX-License-Identifier: Apache-2.0
"""Manifests: from a source and its options to a result, through the headers that the source included.

The headers of a source are known only after its compilation. So a manifest, found by the key of the source and its
options, lists variants: the included files, each with the digest of its content, those that were looked for and not
there, and the key of the result. A lookup reads the files again. The first variant whose digests all agree, and whose
absent files are absent still, has the result, and no preprocessor runs.

Not noticed: a file that appears under a name that a macro makes, where no folder of the options has the one that was
read.
"""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cache.store import Cache

_ABSENT: Final = "-"
"""The word in the place of a digest, for a file that is not there."""
MAX_VARIANTS = 8
"""Limit on variants per source: enough for switching between a few branches or configurations."""


class Found(NamedTuple):
    """A result, and the files that it depends on, absolute."""

    result: str
    dependencies: tuple[str, ...]


class _Variant(NamedTuple):
    result: str
    dependencies: tuple[tuple[str, str], ...]  # absolute path, digest of the content
    absent: tuple[str, ...] = ()  # absolute paths


class Manifests:
    """The manifests in a store. Nothing here raises `OSError`: what can't be read is a miss."""

    __slots__ = ("_cache",)

    def __init__(self, cache: Cache) -> None:
        self._cache = cache

    def lookup(self, key: str) -> str | None:
        """The result recorded for `key` with the present dependencies; None if there is none."""
        found = self.find(key)
        return None if found is None else found.result

    def find(self, key: str) -> Found | None:
        """The same, with its dependencies."""
        digests: dict[str, str | None] = {}
        for variant in self._read(key):
            if any(map(os.path.isfile, variant.absent)):
                continue
            if all(_digest(path, digests) == digest for path, digest in variant.dependencies):
                return Found(variant.result, tuple(path for path, _ in variant.dependencies))
        return None

    def record(
        self,
        key: str,
        dependencies: Iterable[Path],
        result: str,
        started: float | None = None,
        absent: Iterable[str] = (),
    ) -> None:
        """Record `result` for `key` with the present content of these files. `absent`: the absolute paths of files that
        would be read if they were there.

        `started` is the start of the compilation, in seconds since the epoch. If a file was changed since then, the
        compiler may have read another content, so nothing is recorded.
        """
        digests: dict[str, str | None] = {}
        pairs: list[tuple[str, str]] = []
        for path in sorted({absolute(path) for path in dependencies}):
            digest = _digest(path, digests)
            if digest is None or "\n" in path or (started is not None and _changed_since(path, started)):
                return
            pairs.append((path, digest))
        fresh = _Variant(result, tuple(pairs), tuple(sorted(path for path in absent if "\n" not in path)))
        others = [variant for variant in self._read(key) if variant[1:] != fresh[1:]]
        self._write(key, [fresh, *others[: MAX_VARIANTS - 1]])

    def _path(self, key: str) -> Path | None:
        base = self._cache.base
        return None if base is None else base / "manifests" / key[:2] / key

    def _read(self, key: str) -> list[_Variant]:
        path = self._path(key)
        if path is None:
            return []
        try:
            head, _, body = path.read_bytes().partition(b"\n")
        except OSError:
            return []
        if hashlib.sha256(body).hexdigest().encode() != head:
            return []
        return _parse(body.decode("utf-8", "surrogateescape"))

    def _write(self, key: str, variants: list[_Variant]) -> None:
        path = self._path(key)
        if path is None:
            return
        lines: list[str] = []
        for variant in variants:
            lines.append(f"= {variant.result}\n")
            lines.extend(f"{digest} {name}\n" for name, digest in variant.dependencies)
            lines.extend(f"{_ABSENT} {name}\n" for name in variant.absent)
        body = "".join(lines).encode("utf-8", "surrogateescape")
        self._cache.write_file(path, hashlib.sha256(body).hexdigest().encode() + b"\n" + body)


def absolute(path: str | Path) -> str:
    """The path from the root on. It keeps `..`, which leads elsewhere after a link to a folder."""
    return os.path.join(os.getcwd(), path)


def _parse(text: str) -> list[_Variant]:
    found: list[tuple[str, list[tuple[str, str]], list[str]]] = []
    for line in text.split("\n")[:-1]:
        word, _, rest = line.partition(" ")
        if word == "=":
            found.append((rest, [], []))
        elif word == _ABSENT:
            found[-1][2].append(rest)
        else:
            found[-1][1].append((rest, word))
    return [_Variant(result, tuple(pairs), tuple(absent)) for result, pairs, absent in found]


def _digest(path: str, known: dict[str, str | None]) -> str | None:
    if path not in known:
        try:
            with open(path, "rb") as file:
                known[path] = hashlib.sha256(file.read()).hexdigest()
        except OSError:
            known[path] = None
    return known[path]


def _changed_since(path: str, started: float) -> bool:
    try:
        return os.stat(path).st_mtime >= started
    except OSError:
        return True
