# SPDX-License-Identifier: Apache-2.0
"""Scripts of tests, in processes of their own. They have `host`, the runtime."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

HEAD = """\
import ctypes, os, sys
from driver import Gate, Host, Memory, Result
host = Host(sys.argv[1])

def in_child(body):
    "The exit code of a child that calls `body`; 99 if that raises."
    child = os.fork()
    if child == 0:
        code = 99
        try:
            body()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""


def run(library: Path, code: str, **variables: str) -> str:
    """The output of a script that is done within a minute."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), **variables}
    command = [sys.executable, "-c", HEAD + textwrap.dedent(code), str(library)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
