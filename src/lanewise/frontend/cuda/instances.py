# SPDX-License-Identifier: Apache-2.0
"""Template instances by their written name.

A program writes `scale<real, N>` in its own terms: type aliases, constants, default arguments. Only the compiler
knows which symbol that is. So each name is appended to the source as the initial value of a variable,

    extern "C" __device__ void *const __lanewise_instance_0 = (void *)&
    scale<real, N>
    ;

which instantiates the kernel. The variable's initial value in the IR is the symbol, and the variable is taken out.
NVRTC's name expressions work alike. The user's text is alone on a line of a file with the name of the request, so that
a diagnostic about it reads `kernel name 'scale<real, N>':1:7: error: ...`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from lanewise.analysis.references import symbols_in
from lanewise.errors import CompileError
from lanewise.frontend.kernel_names import KernelName
from lanewise.ir.module import GlobalVariable, Module

_VARIABLE = "__lanewise_instance_"
# Characters that no name of a template instance holds, and that would let a request say more than a name.
_FOREIGN = re.compile(r"[;{}#\"\\\n\r]")


def appended(names: Sequence[str]) -> str:
    """The C++ text that instantiates `names`, for the end of the user's source."""
    parts: list[str] = []
    for index, name in enumerate(names):
        if not name.strip() or _FOREIGN.search(name):
            raise CompileError(f"'{name}' is not the name of a kernel")
        place = f"#line 1 \"kernel name '{name}'\""
        variable = f'extern "C" __attribute__((device, nodebug)) void *const {_VARIABLE}{index}'
        parts.append(f"\n{place}\n{variable} = (void *)&\n{place}\n{name}\n;\n")
    return "".join(parts)


def explained(error: CompileError, names: Sequence[str]) -> CompileError:
    """`error`, in the user's terms if it is about the variable that `appended` has added."""
    for name in names:
        about = [text for text in error.diagnostics if text.startswith(f"kernel name '{name}':")]
        if any("overloaded function" in text for text in about):
            or_open = ", or leaves out an argument of its template" if "<" in name else ""
            return CompileError(f"'{name}' fits several templates or overloads{or_open}", error.diagnostics)
        if any("dynamic initialization" in text for text in about):
            return CompileError(f"'{name}' is not the name of a kernel", error.diagnostics)
    return error


def extract(module: Module, names: Sequence[str]) -> dict[str, str]:
    """Take the appended variables out of a module; returns the symbol of each name."""
    symbols: dict[str, str] = {}
    for number, name in enumerate(names):
        variable = module.symbols.pop(f"{_VARIABLE}{number}", None)
        if isinstance(variable, GlobalVariable) and variable.initializer is not None:
            symbols[name] = str(next(symbols_in(variable.initializer)).name)
    return symbols


def require_kernels(symbols: Mapping[str, str], kernels: Iterable[KernelName]) -> None:
    """Raises `CompileError` for a name that turned out to be something other than a kernel."""
    known = {kernel.symbol for kernel in kernels}
    for name, symbol in symbols.items():
        if symbol not in known:
            raise CompileError(f"'{name}' is not a kernel: it names {symbol}, which is not declared __global__")
