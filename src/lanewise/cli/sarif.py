# SPDX-License-Identifier: Apache-2.0
"""Faults in the Static Analysis Results Interchange Format (SARIF) 2.1.0, which code hosts and editors read.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", sections 3.14 (run), 3.19
(toolComponent), 3.27 (result), 3.28 (location).
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from lanewise import __version__
from lanewise.errors import Error
from lanewise.program.checked.records import Record
from lanewise.program.checked.rules import RULES

_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT: Final = "SRCROOT"
"""The folder that the command ran in, which files below it are relative to."""


def require_writable(path: str) -> None:
    """Error if a file can't be written. It stays as it is."""
    file = Path(path)
    if file.exists() and not (file.is_file() or file.is_dir()):  # a pipe would end with its first writer
        return
    is_new = not file.exists()
    try:
        with file.open("a"):
            pass
    except OSError as error:
        raise Error(f"{path}: can't be written: {error.strerror}") from None
    if is_new:
        file.unlink()


def write_sarif(path: str, records: Sequence[Record]) -> None:
    """Write a file with the faults of a run. Error if it can't be written."""
    try:
        Path(path).write_text(json.dumps(sarif(records, Path.cwd()), indent=2) + "\n")
    except OSError as error:
        raise Error(f"{path}: can't be written: {error.strerror}") from None


def sarif(records: Sequence[Record], root: Path) -> dict[str, Any]:
    """The log of a run in `root`. Faults that were suppressed are in it, marked as such."""
    ids = list(RULES)
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()]
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "lanewise check", "version": __version__, "rules": rules}},
                "originalUriBaseIds": {_ROOT: {"uri": f"file://{quote(str(root))}/"}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(record, ids.index(record["rule"]), root) for record in records],
            }
        ],
    }


def _result(record: Record, rule: int, root: Path) -> dict[str, Any]:
    text = str(record["message"])
    made: dict[str, Any] = {
        "ruleId": record["rule"],
        "ruleIndex": rule,
        "level": "error",
        "message": {"text": text[:1].upper() + text[1:] + "."},
        "occurrenceCount": record["times"],
    }
    place = _location(record, root, record["kernel"])
    if place:
        made["locations"] = [place]
    other = record["other"]
    if other is not None and other["line"]:
        beside = _location(other, root)
        beside["message"] = {"text": f"The other access: {other['access']}."}
        made["relatedLocations"] = [beside]
    if record["suppressed"]:
        made["suppressions"] = [{"kind": "external", "justification": record["suppressed"]}]
    return made


def _location(place: Record, root: Path, kernel: str = "") -> dict[str, Any]:
    """A place in the source, and the kernel that it was executed in."""
    made: dict[str, Any] = {}
    if place["file"]:
        made["physicalLocation"] = {"artifactLocation": _artifact(place["file"], root)}
    if place["file"] and place["line"]:
        region = {"startLine": place["line"]}
        if place["column"]:
            region["startColumn"] = place["column"]
        made["physicalLocation"]["region"] = region
    if kernel:
        made["logicalLocations"] = [{"name": kernel, "kind": "function"}]
    return made


def _artifact(file: str, root: Path) -> dict[str, str]:
    if not os.path.isabs(file):
        return {"uri": quote(file)}
    path = Path(file)
    if path.is_relative_to(root):
        return {"uri": quote(str(path.relative_to(root))), "uriBaseId": _ROOT}
    return {"uri": f"file://{quote(file)}"}
