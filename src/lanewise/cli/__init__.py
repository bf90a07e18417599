# SPDX-License-Identifier: Apache-2.0
"""The command `lanewise`: a thin layer over the Python interface.

app        the commands with their options and help texts
run        compiles a file, launches a kernel, shows and writes its results
compile    text or machine code of a stage
inspect    devices and the cache
ptx        PTX: its memory trace, and loads replaced by warp shuffles; ptx_commands has the options
explanation  what was replaced, and why that is right
ptxas      stands in the place of ptxas
values     arguments as written: zeros:f32[1024], @in.npy, (1, 2), 0.5
binding    which written argument is which parameter's
summary    results, a line an array
output     files, written whole or not at all

Exit codes: 0, 1 for what the user has to change, 2 for a command line that can't be understood.
"""

from __future__ import annotations

import os
import sys
import warnings

from lanewise.errors import Error


def main() -> None:
    """Run the command line. A user's mistake is a message on standard error, never a traceback."""
    from lanewise.cli.app import app

    warnings.formatwarning = lambda message, *_: f"lanewise: warning: {message}\n"
    try:
        app(prog_name="lanewise")
    except Error as error:
        sys.stdout.flush()
        print(_message(error), file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:  # `lanewise compile ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _message(error: Error) -> str:
    """The error's text. A compiler's diagnostics stand as they are, for editors that look for `file:line:column:`."""
    text = str(error)
    return text if getattr(error, "diagnostics", ()) else f"lanewise: error: {text}"
