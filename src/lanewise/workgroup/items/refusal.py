# SPDX-License-Identifier: Apache-2.0
"""The exception by which the mapping to lanes declines a region."""

from typing import NoReturn


class CannotMap(Exception):
    """A region that can't become lanes; the message is the reason. It becomes a loop over work-items instead."""


def cannot(reason: str) -> NoReturn:
    raise CannotMap(reason)
