# SPDX-License-Identifier: Apache-2.0
"""The error for Python that can't be compiled, which names the place in the source."""

from __future__ import annotations

import ast

from lanewise.errors import CompileError


class UnsupportedError(Exception):
    """Something that isn't compiled. `node` is its place."""

    def __init__(self, reason: str, node: ast.AST | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.node = node
        self.file: str | None = None
        """The file of the node, if it isn't that of the region."""

    def told(self, file: str, text: str | None = None) -> CompileError:
        """The error for users: `file:line:column: error: reason`, and the line with a caret."""
        line, column = getattr(self.node, "lineno", 0), getattr(self.node, "col_offset", 0) + 1
        message = f"{file}:{line}:{column}: error: {self.reason}"
        if text is not None:
            message += f"\n    {text.strip()}"
        return CompileError(message, (message,))
