# SPDX-License-Identifier: Apache-2.0
"""The command `lanewise check`, its options and help text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer

from lanewise.cli.options import Command, Json, terminal_of

EXIT_CODE: Final = 66
"""The exit code where checks found something, as ThreadSanitizer has it."""
_WITH_VALUE: Final = ("--only", "--sarif", "--exit-code", "--limit", "--suppress")
_FLAGS: Final = ("--json", "--unused-suppressions", "--help", "-h")
_MOST_CODE: Final = 255


Only = Annotated[
    str,
    typer.Option(
        metavar="CHECKS",
        help="Some of the checks, with commas between: [cyan]memory[/], [cyan]values[/], [cyan]unwritten[/], "
        "[cyan]races[/], [cyan]barriers[/], [cyan]races-strict[/], [cyan]barriers-strict[/], [cyan]leaks[/]. Default: "
        "the first five.",
        show_default=False,
    ),
]
Sarif = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Write the faults to FILE in SARIF 2.1.0.", show_default=False),
]
ExitCode = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Exit code where faults were found and the program ended with 0; 0 leaves the program's own.",
        min=0,
        max=_MOST_CODE,
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Describe the first N faults of a process; the others are counted. Default: 10 of each launch.",
        min=0,
        show_default=False,
    ),
]
Suppress = Annotated[
    str | None, typer.Option(metavar="FILE", help="Don't tell the faults that FILE lists.", show_default=False)
]
Unused = Annotated[
    bool, typer.Option("--unused-suppressions", help="Tell the lines of that file that matched nothing.")
]


def add_check_command(app: typer.Typer) -> None:
    """Give `app` the command check."""
    app.command(name="check", cls=_CheckCommand, context_settings={"allow_extra_args": True})(_check)


class _CheckCommand(Command):
    """A command whose own options come first. What follows is for what is run; after a kernel's file, own options may
    be anywhere."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "FILE|PROGRAM", "..."]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        from lanewise.cli.checking import names_kernel

        own, words = _own_options(args, everywhere=False)
        if words[:1] == ["--"]:
            words = words[1:]
        elif names_kernel(words):
            more, words = _own_options(words, everywhere=True)
            own += more
        super().parse_args(ctx, own)
        ctx.args = words
        return words


def _own_options(words: Sequence[str], *, everywhere: bool) -> tuple[list[str], list[str]]:
    """The options of `check` that begin `words`, or all of them, and the other words."""
    own: list[str] = []
    others: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        name, equals, _ = word.partition("=")
        if name in _WITH_VALUE:
            own += [word] if equals or not left else [word, left.pop(0)]
        elif word in _FLAGS:
            own.append(word)
        elif everywhere:
            others.append(word)
        else:
            return own, [word, *left]
    return own, others


def _check(
    context: typer.Context,
    only: Only = "1",
    sarif: Sarif = None,
    exit_code: ExitCode = EXIT_CODE,
    limit: Limit = None,
    suppress: Suppress = None,
    unused_suppressions: Unused = False,
    json: Json = False,
) -> None:
    r"""Run a kernel, a CUDA program or any command with checks: accesses out of bounds, races and the like are told.

    What follows the options is as for [cyan]lanewise run[/]: a file whose kernel is launched, or a .cu file with
    main() and its arguments. Any other program is run as it is; kernels are checked that it, or a process of its,
    runs through Lanewise: those of CUDA programs that Lanewise has built, of OpenCL's platform, of Python.

    Examples:

      lanewise check blur.cu -g 4 -b 256 -a out=zeros\[1000] -a in=rand\[1000] -a n=1000

      lanewise check --only memory,races --sarif faults.sarif -O3 histogram.cu 1000

      lanewise check python program.py
    """
    if not context.args:
        raise typer.BadParameter("say what to run: a file, or a program and its arguments", param_hint="FILE|PROGRAM")

    def run_kernel(words: Sequence[str]) -> None:
        parent: Any = context.parent
        command = parent.command.get_command(parent, "run")
        with command.make_context("run", list(words), parent=parent) as made:
            command.invoke(made)

    from lanewise.cli.checking import CheckRequest, check

    request = CheckRequest(context.args, only, sarif, exit_code, limit, suppress, unused_suppressions)
    raise typer.Exit(check(request, run_kernel, terminal_of(context)))
