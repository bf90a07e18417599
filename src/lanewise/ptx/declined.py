# SPDX-License-Identifier: Apache-2.0
"""A kernel, or a load, that is left unchanged."""

from __future__ import annotations


class DeclinedError(Exception):
    """A function that can't be analysed; `start` is the place of the obstacle in the source."""

    def __init__(self, why: str, start: int) -> None:
        super().__init__(why)
        self.why = why
        self.start = start
