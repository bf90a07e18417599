# SPDX-License-Identifier: Apache-2.0
"""The error for what can't be translated."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lanewise.ptx.language.lexer import Source


class RefusedError(Exception):
    """An instruction, operand or declaration that has no translation. `start`: its place in `source`, -1 if unknown."""

    def __init__(self, reason: str, start: int = -1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.start = start
        self.source: Source | None = None

    @property
    def told(self) -> str:
        """The reason, with the line."""
        return self.reason if self.source is None else str(self.source.error(self.start, self.reason))
