# SPDX-License-Identifier: Apache-2.0
"""Shared objects of the runtime that modules built ahead of time have with them, for machines without clang.

Each is known by the digest of its sources, so that it does not matter which module has brought it.
"""

from collections.abc import Mapping
from typing import Final

_brought: Final[dict[str, bytes]] = {}


def bring(libraries: Mapping[str, bytes]) -> None:
    """Let this process use shared objects, by the digests of their sources, where it would compile these."""
    _brought.update(libraries)


def brought(digest: str) -> bytes | None:
    """The shared object made of sources with this digest; None if no module has brought it."""
    return _brought.get(digest)
