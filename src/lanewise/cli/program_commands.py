# SPDX-License-Identifier: Apache-2.0
"""The commands on whole CUDA programs: nvcc, cuda-home, and the form of `run` that a program asks for."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from lanewise.cli.options import Command, PassedOn
from lanewise.cli.whole_program import split_program


class RunCommand(Command):
    """`lanewise run`: a launch of one kernel, or a whole program if FILE defines main()."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        program = split_program(args)
        if program is None:
            return super().parse_args(ctx, args)
        from lanewise.cuda.run import run_program

        raise typer.Exit(run_program(*program))


def add_program_commands(app: typer.Typer) -> None:
    """Give `app` the commands nvcc and cuda-home."""
    app.command(name="nvcc", cls=PassedOn, add_help_option=False)(_nvcc)
    app.command(name="cuda-home", cls=Command)(_cuda_home)


def _nvcc(context: typer.Context) -> None:
    """Compile CUDA programs as NVIDIA's nvcc does, by its options: host code and kernels."""
    from lanewise.cuda.nvcc.driver import main

    sys.exit(main(context.args))


def _cuda_home(
    prefix: Annotated[
        str | None,
        typer.Argument(metavar="[FOLDER]", help="Where to make it; by default in the cache.", show_default=False),
    ] = None,
) -> None:
    """Make the folder that stands in for a CUDA toolkit, and print its name: bin/nvcc, include/, lib64/.

    Build systems find it by CUDA_HOME, CUDA_PATH or CUDAToolkit_ROOT.

    Example:

      cmake -B build -DCMAKE_CUDA_COMPILER=$(lanewise cuda-home)/bin/nvcc
    """
    from lanewise.cuda.nvcc.home import cuda_home
    from lanewise.session import session_of_this_process

    print(cuda_home(session_of_this_process().cache, prefix))
