# SPDX-License-Identifier: Apache-2.0
"""`lanewise emulate` and `lanewise opt`: what PTX accesses, and loads replaced by warp shuffles."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, Final

import typer

import lanewise as lw
from lanewise.cli.explanation import explained
from lanewise.cli.output import write_bytes
from lanewise.cli.request import STANDARD_INPUT, Request, compiled
from lanewise.cli.terminal import Terminal
from lanewise.errors import CompileError, Error
from lanewise.frontend.table import FRONT_ENDS
from lanewise.ptx.control.blocks import Flow
from lanewise.ptx.control.steps import steps_of
from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.symbolic.trace import Trace

_SOURCES: Final = (*(suffix for row in FRONT_ENDS for suffix in row.suffixes), ".lwo")
"""Endings of files that become PTX first."""

_LOSSLESS: Final = "surrogateescape"
"""The handling of bytes that are no UTF-8: they pass through."""


def read_module(request: Request, terminal: Terminal) -> Module:
    """The PTX that `request` names, or that its source is compiled to. Standard input is PTX if no language is
    given."""
    file = request.file
    if not request.is_ptx and (request.language is not None or file.endswith(_SOURCES)):
        return lw.ptx.parse(compiled(request, terminal).ptx(request.arch), f"{file} (PTX)")
    try:
        if file == STANDARD_INPUT:
            data = sys.stdin.buffer.read()
        else:
            with open(file, "rb") as opened:
                data = opened.read()
    except OSError as error:
        raise Error(f"{file}: can't be read: {error.strerror}") from None
    return lw.ptx.parse(data.decode("utf-8", _LOSSLESS), "<stdin>" if file == STANDARD_INPUT else file)


# -- lanewise emulate ------------------------------------------------------------------------------------------


def emulate(module: Module, kernel: str | None, trace: bool, extensions: bool) -> None:
    """Print the loads and stores of each kernel of a module, or of one. If a kernel can't be emulated, an Error is
    raised after all others are printed."""
    failed: list[CompileError] = []
    kernels = _chosen(module, kernel)
    for number, function in enumerate(kernels):
        try:
            found = lw.ptx.emulate(function, extensions)
        except CompileError as error:
            failed.append(error)
            continue
        if not trace:
            print(_summary(function, found))
            continue
        if len(kernels) > 1:
            print(*([""] if number else []), f"// {function.name}", sep="\n")
        print(found, end="")
    if failed:
        raise CompileError("\n".join(map(str, failed)), tuple(d for error in failed for d in error.diagnostics))


def _chosen(module: Module, name: str | None) -> list[Function]:
    found = [kernel for kernel in module.kernels if name is None or kernel.name == name]
    if not found:
        known = ", ".join(kernel.name for kernel in module.kernels)
        which = "no kernels" if not known else f"no kernel {name}; it has {known}"
        raise Error(f"{module.source.file}: there {'are' if not known else 'is'} {which}")
    return found


def _summary(function: Function, trace: Trace) -> str:
    """A line on a kernel. A load counts once, even if several flows or iterations come to it."""
    loads, stores = ({a.line for a in trace.accesses if a.is_store == which} for which in (False, True))
    loops = len(Flow(steps_of(function)).loops)
    counts = ((len(loads), "load"), (len(stores), "store"), (loops, "loop"), (len(trace.accesses), "line"))
    told = [f"{n} {what}{'' if n == 1 else 's'}" for n, what in counts]
    return f"{trace.kernel}: {', '.join(told[:-1])}; a trace of {told[-1]}"


# -- lanewise opt ----------------------------------------------------------------------------------------------


def optimise(
    read: Callable[[], Module],
    out: str | None,
    explain: bool,
    as_json: bool,
    options: dict[str, Any],
    terminal: Terminal,
) -> None:
    """Rewrite a module. The PTX goes to standard output, unless it goes to a file or a report is wanted."""
    if explain and as_json:
        raise typer.BadParameter("say either --explain or --json", param_hint="--json")
    if out == "-" and (explain or as_json):
        raise typer.BadParameter("a report goes to standard output, so name a file", param_hint="--out")
    module = read()
    result = lw.ptx.synthesise_shuffles(module, **options)
    data = result.text.encode("utf-8", _LOSSLESS)
    if out is not None and out != "-":
        write_bytes(out, data)
    elif not explain and not as_json:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    if as_json:
        print(json.dumps(result.as_json(), indent=2))
        return
    for number, kernel in enumerate(result.kernels):
        if not explain:
            terminal.say(kernel.summary)
            continue
        print(*([""] if number else []), explained(module, kernel), sep="\n", end="")
