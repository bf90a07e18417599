# SPDX-License-Identifier: Apache-2.0
"""The command build: modules of Python, compiled ahead of time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lanewise.cli.options import Color, Colour, Command, Json, Quiet, terminal_of
from lanewise.cli.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lanewise.ahead.build import FunctionReport


def add_build_command(app: typer.Typer) -> None:
    """Give `app` the command build."""
    app.command(name="build", cls=Command)(_build)


def _build(
    context: typer.Context,
    modules: Annotated[
        list[Path], typer.Argument(metavar="MODULE...", help="Files of Python with @lw.jit.", show_default=False)
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Write into DIR, and a copy of the source there, too; by default beside the source.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            metavar="NAME",
            help="A processor: [cyan]x86-64-v2[/], [cyan]x86-64-v3[/], [cyan]x86-64-v4[/] or [cyan]native[/]. "
            "Repeatable: each machine then runs the best that it can. By default, this one.",
            show_default=False,
        ),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="Show which functions can be built, and why others can't; write nothing.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
    color: Color = Colour.AUTO,
) -> None:
    """Compile the loops of a Python module ahead of time, for machines without a compiler.

    The machine code of functions marked with @lw.jit, whose parameters are annotated, goes into a file beside the
    module: fast.jit.lwo for fast.py. Calls run it from there. Other functions stay Python's.

    Example:

      lanewise build fast.py --target x86-64-v3 --target x86-64-v4
    """
    from lanewise.ahead.build import make_folder, survey, write
    from lanewise.ahead.targets import built_for

    terminal = terminal_of(context)
    files: list[str] = []
    functions: list[FunctionReport] = []
    if output is not None and not listed:
        make_folder(output)  # before the work
    for module in modules:
        if listed:
            found = survey(module)
            _list(terminal, found.functions)
        else:
            found = built_for(module, target or ())
            path = write(found, output)
            files.append(str(path))
            _say(terminal, path, found.functions)
        functions += found.functions
    terminal.data({"files": files, "functions": [each._asdict() for each in functions]})


def _list(terminal: Terminal, functions: Sequence[FunctionReport]) -> None:
    for each in functions:
        loops = f"loops in line {', '.join(map(str, each.loops))}" if each.loops else "no loops"
        terminal.say(f"{each.place}: {each.name}: {f'not built: {each.reason}' if each.reason else loops}")


def _say(terminal: Terminal, path: Path, functions: Sequence[FunctionReport]) -> None:
    for each in functions:
        if each.reason:
            terminal.note(f"{each.place}: remark: '{each.name}' stays Python's: {each.reason}")
    names = ", ".join(each.name for each in functions if not each.reason)
    terminal.say(f"{path}: {names}, {-(-path.stat().st_size >> 10)} KiB")
