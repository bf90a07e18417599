# SPDX-License-Identifier: Apache-2.0
"""The command explain: what a function of Python loops is compiled to, beside its source."""

from __future__ import annotations

from typing import Annotated

import typer

from lanewise.cli.options import Color, Colour, Command, Json, Quiet, terminal_of


def add_explain_command(app: typer.Typer) -> None:
    """Give `app` the command explain."""
    app.command(name="explain", cls=Command)(_explain)


def _explain(
    context: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:FUNCTION", help="A function with @lw.jit, such as heat.py:heat.", show_default=False
        ),
    ],
    arg: Annotated[
        list[str] | None,
        typer.Option(
            "--arg",
            "-a",
            metavar="[NAME=]VALUE",
            help="An argument of a call, by name or in order, such as [cyan]a=rand:f64\\[100,100][/]; "
            "[cyan]lanewise run --help[/] lists the forms. Without any, types are those of the annotations.",
            show_default=False,
        ),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The device that the call runs on; [cyan]simt[/] shows transfers.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the random numbers in [cyan]rand[/].")] = 0,
    json: Json = False,
    quiet: Quiet = False,
    color: Color = Colour.AUTO,
) -> None:
    r"""Show what a function's loops are compiled to, beside its source, and why not to better.

    On each line: loops that are axes of the grid, what is vectorised, tiled and fused, or why not. With --arg the
    function is called once. On a device with memory of its own, such as simt, the elements that each reference touches
    and the bytes that are copied are shown, too.

    Example:

      lanewise explain heat.py:heat --arg a=rand:f64\[100,100] --arg b=rand:f64\[100,100] --arg steps=3 --device simt
    """
    import lanewise
    from lanewise.ahead.explanation import explained, function_named
    from lanewise.cli.python_arguments import arguments_of
    from lanewise.config import default_device

    terminal = terminal_of(context)
    path, function = function_named(target)
    arguments = None if arg is None else arguments_of(function.py_func, arg, seed)
    found = explained(path, function, lanewise.device(device or default_device()), arguments)
    if not terminal.json:
        terminal.result(found.text())
    terminal.data(found._asdict() | {"facts": [each._asdict() for each in found.facts]})
