# SPDX-License-Identifier: Apache-2.0
"""`lw.jit` and `lw.kernel`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Literal

from lanewise.errors import Error
from lanewise.frontend.python.code import Options
from lanewise.jit.function import JitFunction

if TYPE_CHECKING:
    from lanewise.transfer.plan import Transfers

_TRANSFERS: Final = ("auto", "exact", "interval", "whole")
_TILINGS: Final = ("auto", "rows", "vectors", "none")


def jit(
    function: Callable[..., Any] | None,
    *,
    exact: bool,
    boundscheck: bool,
    fallback: bool,
    transfers: Transfers,
    tiling: Literal["auto", "rows", "vectors", "none"],
    parallel_check: bool = False,
) -> Any:
    """See `lanewise.jit`."""
    if transfers not in _TRANSFERS:
        raise Error(f'transfers={transfers!r}: it is "auto", "exact", "interval" or "whole"')
    if tiling not in _TILINGS:
        raise Error(f'tiling={tiling!r}: it is "auto", "rows", "vectors" or "none"')
    options = Options(exact, boundscheck, tiling, parallel_check)
    if function is None:

        def marked(given: Callable[..., Any]) -> JitFunction:
            return _made(given, options, fallback=fallback, transfers=transfers)

        return marked
    return _made(function, options, fallback=fallback, transfers=transfers)


def kernel(function: Callable[..., Any] | None, *, exact: bool, boundscheck: bool) -> Any:
    """See `lanewise.kernel`."""
    from lanewise.jit.kernel_function import made_kernel

    options = Options(exact, boundscheck)
    return functools.partial(made_kernel, options=options) if function is None else made_kernel(function, options)


def _made(function: Callable[..., Any], options: Options, *, fallback: bool, transfers: Transfers) -> JitFunction:
    if isinstance(function, JitFunction):
        return function
    if not hasattr(function, "__code__"):
        raise Error(f"lw.jit marks functions, not {function!r}")
    return JitFunction(function, options, fallback=fallback, transfers=transfers)
