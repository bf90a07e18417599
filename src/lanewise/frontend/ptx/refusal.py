# SPDX-License-Identifier: Apache-2.0
"""The error for what can't be translated."""


class RefusedError(Exception):
    """An instruction, operand or declaration that has no translation. `start`: its place in the text, -1 if unknown."""

    def __init__(self, reason: str, start: int = -1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.start = start
