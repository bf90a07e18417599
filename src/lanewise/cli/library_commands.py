# SPDX-License-Identifier: Apache-2.0
"""The command build-library: C libraries for other projects."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lanewise.cli.options import Command


class LibraryName(StrEnum):
    """Libraries that can be built."""

    PTX_RUN = "ptx-run"


def add_library_commands(app: typer.Typer) -> None:
    """Give `app` the command build-library."""
    app.command(name="build-library", cls=Command)(_build_library)


def _build_library(
    library: Annotated[LibraryName, typer.Argument(metavar="LIBRARY", help="[cyan]ptx-run[/].", show_default=False)],
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Where to; by default [cyan]libgpuocelot.so[/].", show_default=False
        ),
    ] = None,
) -> None:
    """Build a C library for another project, and print its name.

    [cyan]ptx-run[/] runs PTX on the CPU by gpuocelot's function ptx_run, which mock GPUs call, such as tinygrad's.

    Example:

      lanewise build-library ptx-run -o ~/lib/libgpuocelot.so
    """
    from lanewise.cuda.ptx_run.library import NAME, build_ptx_run

    del library  # the only one
    path = Path(out or NAME)
    build_ptx_run(path)
    print(path)
