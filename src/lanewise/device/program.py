# SPDX-License-Identifier: Apache-2.0
"""A compiled translation unit, as a device gets it."""

import functools
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from lanewise.ir.module import Module

NONE: Mapping[str, str] = MappingProxyType({})


class Program(NamedTuple):
    """A program. `key` identifies all of its content but for the options."""

    key: str
    name: str
    """Name of the source, for messages."""
    product: Callable[[str, str], str]
    """`product(form, target)`: the program in a form that a device accepts, from the cache if it is there. A warm start
    asks for none.

    ir          kernel IR of the front end; no target
    linked-ir   the same with all functions that it calls; target "fma" for processors that multiply and add in one
                rounding, else ""
    ptx         PTX of all kernels; the target is an architecture, such as sm_80. A program that is PTX is passed as
                it stands
    simulated-ptx   the same, but without a choice of the user's its mathematical functions are the CPU's
    ptx-ir      kernel IR that was made from that PTX, with all functions that it calls. A program of this form has it
                as `linked`

    CompileError for what the form can't express, Error for a form that there isn't.
    """
    names: Mapping[str, str]
    """Name of each kernel in the source, by symbol."""
    files: Mapping[str, bytes] = MappingProxyType({})
    """Code and data that devices stored for themselves in a saved module, by name. They need no compiler."""
    foreign: bool = False
    """True if others wrote its IR: LLVM may end the process that compiles it."""
    options: Mapping[str, str] = NONE
    """Wishes for devices, by name, such as the CPU's `mapping`. A device ignores those of others."""
    refused: Mapping[str, str] = NONE
    """Error for each kernel of `names` that has no code in any form, by symbol."""
    variables: tuple[str, ...] = ()
    """Symbols of the variables that the host can name."""
    module: "Callable[[str, Collection[str] | None], Module] | None" = None
    """`module(target, roots)`: the form linked-ir for a target, read, or the part of it that the functions `roots`
    need; a module of the caller's own. None: it is read from the text."""

    apart: Callable[[str], Callable[[], str]] | None = None
    """`apart(target)`: a function that makes the form linked-ir for a target in another process, to which it can be
    sent; it takes little time itself. None: there is none."""

    def reader(self, *, fused: bool) -> "Callable[[Collection[str] | None], Module]":
        """A function that reads the linked kernel IR; see `pipelines.source`. `fused`: as for `linked`."""
        if self.module is not None:
            return functools.partial(self.module, "fma" if fused else "")
        from lanewise.ir.reader import read_module  # a warm start reads nothing

        return functools.partial(read_module, self.linked(fused=fused))

    def ir(self) -> str:
        """Kernel IR of the front end."""
        return self.product("ir", "")

    def linked(self, *, fused: bool) -> str:
        """Kernel IR with all functions that it calls. `fused`: for processors that multiply and add in one rounding."""
        return self.product("linked-ir", "fma" if fused else "")

    def kernel_name(self, symbol: str) -> str:
        """A kernel's name in the source."""
        return self.names.get(symbol, symbol)
