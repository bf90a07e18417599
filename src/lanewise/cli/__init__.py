# SPDX-License-Identifier: Apache-2.0
"""The command `lanewise`: a thin layer over the Python interface.

app        the commands with their options and help texts; further ones are in build_command, cache_commands,
           check_command, explain_command, opencl_commands, profile_command, ptx_commands, program_commands and
           library_commands
options    options that several commands have, and the form of all commands
terminal   results, notes and errors: where they go, and what --quiet, --json and --color make of them
colors     colours for diagnostics
request    the file that a command is about, compiled or loaded
run        compiles a file, launches a kernel, shows and writes its results
checking   runs a kernel or a program with checks
sarif      faults as other tools read them
profile    counts what a launch would cost a GPU
compile    text or machine code of a stage
passes     the steps of a pipeline, and what each did
inspect    devices and the cache
sizes      numbers of entries and bytes
opencl_platform  OpenCL's platform: where it is installed, and its devices
doctor     what an installation has, and what it lacks
ptx        PTX: its memory trace, and loads replaced by warp shuffles
explanation  which loads were replaced, and why that is right
ptxas      the stand-in for ptxas
whole_program  command lines that name a program rather than a kernel
values     arguments as written: zeros:f32[1024], @in.npy, (1, 2), 0.5
python_arguments  the same for a function of Python
binding    pairs of parameters and arguments
summary    results: one line per array, whole arrays, JSON
timing     how long launches take
output     files, written whole or not at all
ending     the command as a process, which ends at once when it is done

Exit codes: 0, 1 for what the user has to change, 2 for a command line that can't be understood.
"""

from __future__ import annotations

import errno
import os
import sys
import warnings
from typing import Final

from lanewise.errors import Error

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a disk, or of a user's part of it, that is full."""


def main() -> None:
    """Run the command line. A user's mistake is a message on standard error, never a traceback. Until the command is
    done, its launches included, Python looks for garbage rarely."""
    _without_further_modules(sys.argv[1:])
    from lanewise.garbage import with_rare_searches

    with_rare_searches(_run_command)()


def _run_command() -> None:
    """Run the command line by the command that it names."""
    from lanewise.cli.app import app_for
    from lanewise.cli.terminal import Terminal

    terminal = Terminal()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        terminal.note(f"lanewise: warning: {message}")

    try:
        with warnings.catch_warnings():
            warnings.showwarning = show
            try:
                app_for(sys.argv[1:])(prog_name="lanewise", obj=terminal)
            finally:
                sys.stdout.flush()
    except Error as error:
        terminal.error(error)
        sys.exit(1)
    except BrokenPipeError:  # `lanewise compile ... | head`
        _write_no_more()
        sys.exit(1)
    except OSError as error:
        if error.errno not in _FULL:
            raise
        _write_no_more()
        print(f"lanewise: error: output can't be written: {error.strerror}", file=sys.stderr)
        sys.exit(1)


def _write_no_more() -> None:
    """Drop what standard output still holds: it would fail once more when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _without_further_modules(words: list[str]) -> None:
    """Run a whole program or nvcc's command line, if `words` ask for that, and exit with its status: what reads other
    command lines takes longer to load than to run or link what is in the cache."""
    try:
        if words[:1] == ["nvcc"]:
            from lanewise.cuda.nvcc.driver import main as nvcc

            sys.exit(nvcc(words[1:]))
        if words[:1] == ["run"]:
            from lanewise.cli.whole_program import split_program

            program = split_program(words[1:])
            if program is not None:
                from lanewise.cuda.run import run_program

                sys.exit(run_program(*program))
    except Error as error:
        from lanewise.cli.terminal import Terminal

        Terminal().error(error)
        sys.exit(1)
