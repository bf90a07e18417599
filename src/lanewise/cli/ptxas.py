# SPDX-License-Identifier: Apache-2.0
"""`lanewise ptxas`: a stand-in for ptxas, which it runs on PTX whose loads have become warp shuffles.

Its own options begin with --lanewise-. They can also be given by an environment variable, since most compilers that
call ptxas pass on no options of a user's.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import lanewise as lw
from lanewise.config import PtxasSettings, ptxas_settings
from lanewise.errors import CompileError, Error
from lanewise.ptx import assembler
from lanewise.ptx.assembler import Input
from lanewise.ptx.shuffles.synthesis import Synthesis
from lanewise.ptx.symbolic import z3_module

_PREFIX: Final = "--lanewise-"


def stand_in(arguments: Sequence[str]) -> int:
    """Run `lanewise ptxas ARGUMENTS`; returns its exit code."""
    settings = ptxas_settings()
    options = _options([argument for argument in arguments if argument.startswith(_PREFIX)], settings.options)
    rest = [argument for argument in arguments if not argument.startswith(_PREFIX)]
    if options.install is not None or options.toolkit is not None:
        return _install(options, settings)
    ptxas = None if options.print else assembler.find_ptxas(settings)
    inputs = assembler.inputs_of(rest)
    unchanged = not inputs or (assembler.is_for_debugging(rest) and not options.print)
    if not unchanged and not z3_module.is_installed():
        _warn(f"PTX stays as it is: replacing loads by shuffles needs Z3: {z3_module.HOW_TO_INSTALL}")
        unchanged = True
    rewritten = {} if unchanged else _rewritten(inputs, options, assembler.arch_of(rest))
    if ptxas is None:
        if not inputs:
            raise Error("--lanewise-print: no PTX file is named")
        for one in inputs:
            sys.stdout.buffer.write(rewritten.get(one, one.data))
        return 0
    if rewritten:
        code = assembler.run_rewritten(ptxas, rest, settings.child_environment, rewritten)
        if code is not None:
            return code
    code = assembler.run_unchanged(ptxas, rest, settings.child_environment, inputs, stay=bool(rewritten))
    if rewritten and not code:
        names = ", ".join(one.title for one in rewritten)
        _warn(f"{names}: assembled as it is: ptxas refuses what was made of it")
    return code


def _rewritten(inputs: Sequence[Input], options: argparse.Namespace, arch: str | None) -> dict[Input, bytes]:
    """The new texts of the inputs in which something was replaced."""
    found: dict[Input, bytes] = {}
    for one in inputs:
        try:
            module = lw.ptx.parse(one.text, one.title)
            result = lw.ptx.synthesise_shuffles(
                module, always=options.always, max_delta=options.max_delta, corner=not options.no_corner,
                load=not options.no_load, uniform_branch=options.uniform_branch, arch=arch,
            )  # fmt: skip
        except CompileError as error:
            _warn((*error.diagnostics, str(error))[0].splitlines()[0], one)
            continue
        except Exception as error:  # a defect of ours is no reason for a user's build to end
            _warn(f"{type(error).__name__}: {error}".splitlines()[0], one)
            continue
        if any(kernel.shuffles for kernel in result.kernels):
            found[one] = assembler.encoded(result.text)
        _report(one, result, options.report)
    return found


def _report(one: Input, result: Synthesis, where: str | None) -> None:
    """Report one line per kernel on standard error, or append one line of JSON per file to the file `where`."""
    if where is None:
        return
    if not where:
        for kernel in result.kernels:
            print(f"lanewise: {one.title}: {kernel.summary}", file=sys.stderr)
        return
    line = json.dumps({"file": os.path.abspath(one.name) if not one.is_stdin else "-", **result.as_json()})
    try:
        with open(where, "a") as file:
            file.write(line + "\n")
    except OSError as error:
        _warn(f"{where}: can't be written: {error.strerror}")


def _warn(text: str, one: Input | None = None) -> None:
    left = "" if one is None else f"{one.title} is assembled as it is: "
    print(f"lanewise: warning: {left}{text}", file=sys.stderr)


# -- options ---------------------------------------------------------------------------------------------------


def _options(given: Sequence[str], text: str) -> argparse.Namespace:
    """The options in `text`, the value of LANEWISE_PTXAS_OPTIONS, followed by the given ones. Like argparse, it ends
    the process if an option is wrong or if help is wanted."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Error(f"LANEWISE_PTXAS_OPTIONS: {error}: {text!r}") from None
    options = _parser("LANEWISE_PTXAS_OPTIONS").parse_args(
        [_PREFIX + word[2:] if word.startswith("--") and not word.startswith(_PREFIX) else word for word in words]
    )
    return _parser("lanewise ptxas").parse_args(given, options)


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        program, "lanewise ptxas [--lanewise-OPTION ...] [options of ptxas] FILE.ptx ...", add_help=False,
        allow_abbrev=False, argument_default=argparse.SUPPRESS,
        description="Replace loads by warp shuffles, then run ptxas. All other options go to ptxas.",
        epilog="LANEWISE_PTXAS names the real ptxas. LANEWISE_PTXAS_OPTIONS holds options where none can be given, "
        'such as "--always --max-delta=1".',
    )  # fmt: skip
    add = parser.add_argument
    add("--lanewise-help", action="help", help="show this message and exit")
    add("--lanewise-always", dest="always", action="store_true", help="replace loads even where that is slower")
    add(
        "--lanewise-max-delta",
        dest="max_delta",
        metavar="N",
        type=_lanes,
        help="shuffle across at most N lanes, 0 to 31",
    )
    add("--lanewise-uniform-branch", dest="uniform_branch", action="store_true",
        help="shuffle only where the whole warp is active")  # fmt: skip
    add("--lanewise-no-corner", dest="no_corner", action="store_true",
        help="for measurements: leave out the loads at the warp's edges; the results are WRONG")  # fmt: skip
    add("--lanewise-no-load", dest="no_load", action="store_true",
        help="for measurements: leave out loads and shuffles; the results are WRONG")  # fmt: skip
    add("--lanewise-print", dest="print", action="store_true", help="print the rewritten PTX, and run no ptxas")
    add("--lanewise-report", dest="report", metavar="FILE", nargs="?", const="",
        help="report what was replaced on standard error, or append a line of JSON per input to FILE")  # fmt: skip
    add("--lanewise-install", dest="install", metavar="DIR", type=Path, help="write DIR/ptxas, which runs this command")
    add("--lanewise-toolkit", dest="toolkit", metavar="DIR", type=Path,
        help="make DIR a CUDA toolkit of links, with this command for ptxas")  # fmt: skip
    parser.set_defaults(
        always=False, max_delta=31, uniform_branch=False, no_corner=False, no_load=False, print=False, report=None,
        install=None, toolkit=None,
    )  # fmt: skip
    return parser


def _lanes(text: str) -> int:
    if not text.isdecimal() or int(text) > 31:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of lanes from 0 to 31")
    return int(text)


def _install(options: argparse.Namespace, settings: PtxasSettings) -> int:
    from lanewise.ptx.stand_in import install_script, install_toolkit

    if options.install is not None:
        print(f"wrote {install_script(options.install, assembler.find_ptxas(settings))}")
    if options.toolkit is not None:
        toolkit = assembler.find_toolkit(settings)
        install_toolkit(options.toolkit, toolkit)
        print(f"made {options.toolkit} a toolkit of links to {toolkit}; it has {options.toolkit / 'bin' / 'nvcc'}")
    return 0
