# SPDX-License-Identifier: Apache-2.0
"""Output of the command line, and where it goes: results on standard output, notes and errors on standard error.

| method   | goes to         | left out with         |
| -------- | --------------- | --------------------- |
| `result` | standard output |                       |
| `say`    | standard output | `--quiet`, `--json`   |
| `data`   | standard output | unless `--json`       |
| `note`   | standard error  | `--quiet`             |
| `detail` | standard error  | unless `--verbose`    |
| `error`  | standard error  |                       |
"""

from __future__ import annotations

import json
import math
import sys
from typing import Any, TextIO, final

from lanewise.cli.colors import coloured_diagnostics
from lanewise.config import wants_colour
from lanewise.errors import CheckError, Error


@final
class Terminal:
    """The output of one run of the command line. The options of the command set the fields before it starts."""

    def __init__(self) -> None:
        self.quiet = False
        self.verbose = False
        self.json = False
        self.colour: bool | None = None
        """True or False if that was asked for; None: only on a terminal."""

    def result(self, text: str) -> None:
        """Print what was asked for."""
        print(text)

    def say(self, text: str) -> None:
        """Print what people read beside a result."""
        if not self.quiet and not self.json:
            print(text)

    def data(self, value: object) -> None:
        """Print the result for programs, as JSON."""
        if self.json:
            print(json.dumps(_plain(value)))

    def note(self, text: str) -> None:
        """Print a warning, or what is going on."""
        if not self.quiet:
            self._print(text)

    def detail(self, text: str) -> None:
        """Print what only `--verbose` shows."""
        if self.verbose:
            self._print(f"lanewise: {text}")

    def error(self, error: Error) -> None:
        """Print an error. Diagnostics of a compiler get no prefix, since editors look for `file:line:column:`."""
        sys.stdout.flush()
        text, diagnostics = str(error), list(getattr(error, "diagnostics", ()))
        if self.json:
            shown = {"kind": type(error).__name__, "message": text, "diagnostics": diagnostics}
            if isinstance(error, CheckError):
                shown["faults"] = [fault._asdict() for fault in error.faults]
            print(json.dumps({"error": shown}))
        self._print(text if diagnostics or isinstance(error, CheckError) else f"lanewise: error: {text}")

    def _print(self, text: str) -> None:
        print(coloured_diagnostics(text) if self._is_coloured(sys.stderr) else text, file=sys.stderr)

    def _is_coloured(self, stream: TextIO) -> bool:
        return self.colour if self.colour is not None else wants_colour(stream.isatty())


def _plain(value: Any) -> Any:
    """`value` for JSON, in which NaN and infinity become null."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType] : any JSON
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]  # pyright: ignore[reportUnknownVariableType] : any JSON
    return None if isinstance(value, float) and not math.isfinite(value) else value
