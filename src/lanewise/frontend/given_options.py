# SPDX-License-Identifier: Apache-2.0
"""The options of `lw.compile`, before a front end has made its own of them."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from lanewise.errors import Error

_T = TypeVar("_T")

DEFAULT_ARCH: Final = "sm_80"
"""The architecture of a module for which none is chosen."""


class GivenOptions(NamedTuple):
    """Options as the user passes them. `defines` are macros with their values, None for those without one. `options`
    may still be the one string that only some languages take."""

    arch: str | None = None
    defines: tuple[tuple[str, str | None], ...] = ()
    include_dirs: tuple[str, ...] = ()
    options: str | Sequence[str] = ()


def listed(what: str, values: Sequence[_T]) -> tuple[_T, ...]:
    """The values of option `what`. Error for one string, which Python takes for a list of letters."""
    if isinstance(values, str | bytes):
        raise Error(f"{what} must be a list, such as [{values!r}], not one string")
    return tuple(values)
