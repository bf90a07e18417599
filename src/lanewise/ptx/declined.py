# SPDX-License-Identifier: Apache-2.0
"""A kernel, or a load, that is left as it is."""

from __future__ import annotations


class DeclinedError(Exception):
    """A function can't be analysed; `start` is the place in the source of what stands in the way."""

    def __init__(self, why: str, start: int) -> None:
        super().__init__(why)
        self.why = why
        self.start = start
