# SPDX-License-Identifier: Apache-2.0
"""How the mapping to lanes says that it can't."""

from typing import NoReturn


class CannotMap(Exception):
    """The code can't become lanes; the reason is the message. It becomes a loop over work-items instead."""


def cannot(reason: str) -> NoReturn:
    raise CannotMap(reason)
