# SPDX-License-Identifier: Apache-2.0
"""Records of faults as data: lines of JSON in a file, to which all processes of a program add.

A record has the fields of `KernelFault`, and

    rule         as `rules.py` names it
    message      what was wrong, without the place
    terms        of the message: "cuda" or "opencl"
    suppressed   the suppression, as it is written; "" for a fault that was told
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lanewise.errors import Error
from lanewise.program.checked.faults import KernelFault
from lanewise.program.checked.rules import rule_of

Record = dict[str, Any]


def record_of(fault: KernelFault, message: str, suppressed: str = "") -> Record:
    """A fault as data. The path of its file is absolute if the file is there."""
    known = fault._asdict()
    known["other"] = None if fault.other is None else {**fault.other._asdict(), "file": _path(fault.other.file)}
    return {
        **known,
        "file": _path(fault.file),
        "rule": rule_of(fault),
        "message": message,
        "suppressed": suppressed,
    }


def add_records(path: str, records: Sequence[Record]) -> None:
    """Add records to a file, each in one piece. Error if it can't be written."""
    if not path or not records:
        return
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            os.write(file, data)
        finally:
            os.close(file)
    except OSError as error:
        raise Error(f"LANEWISE_CHECK_REPORT: {path}: can't be written: {error.strerror}") from None


def read_records(path: Path) -> list[Record]:
    """The records of a file; none if it isn't there."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def _path(file: str) -> str:
    return os.path.abspath(file) if file and Path(file).is_file() else file
