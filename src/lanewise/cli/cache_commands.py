# SPDX-License-Identifier: Apache-2.0
"""`lanewise cache`: its two commands and their help texts."""

from __future__ import annotations

import typer

from lanewise.cli.options import Command, CommandGroup, Json, terminal_of

cache_commands = typer.Typer(
    name="cache",
    cls=CommandGroup,
    invoke_without_command=True,
    rich_markup_mode="rich",
    help="Show or clear the compile cache.",
)


@cache_commands.callback()
def _cache(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        _info(context)


@cache_commands.command(name="info", cls=Command)
def _info(context: typer.Context, json: Json = False) -> None:
    """Show where the cache is, how many entries it has and how large they are."""
    from lanewise.cli.inspect import show_cache

    show_cache(terminal_of(context))


@cache_commands.command(name="clear", cls=Command)
def _clear() -> None:
    """Remove all entries."""
    from lanewise.cli.inspect import clear_cache

    clear_cache()
