# SPDX-License-Identifier: Apache-2.0
"""Records of faults as data: lines of JSON in a file, to which all processes of a program add.

A record has the fields of `KernelFault`, and

    rule         as `rules.py` names it
    message      what was wrong, without the place
    suppressed   the suppression, as it is written; "" for a fault that was told

The host runtime adds records of kernels that could not be checked, which have `kernel` and `not_checked`: why.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

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


class Report(NamedTuple):
    """The records of a file: faults, and kernels that could not be checked, as `{"kernel": ..., "why": ...}`."""

    faults: list[Record]
    not_checked: list[Record]


def read_records(path: Path) -> Report:
    """The records of a file, equal faults of several launches as one; none if it isn't there."""
    faults: dict[tuple[object, ...], Record] = {}
    not_checked: dict[tuple[str, str], Record] = {}
    for line in path.read_text().splitlines() if path.is_file() else ():
        record: Record = json.loads(line)
        if "not_checked" in record:
            kernel, why = str(record["kernel"]), str(record["not_checked"])
            not_checked[kernel, why] = {"kernel": kernel, "why": why}
            continue
        known = faults.setdefault(_identity(record), record)
        if known is not record:
            known["times"] += record["times"]
    return Report(list(faults.values()), list(not_checked.values()))


def _identity(record: Record) -> tuple[object, ...]:
    """Facts that records of one fault have in common: the kernel, the rule, the place, the access and the array. Faults
    of no kernel, such as leaks, are as many as there are records."""
    if not record["kernel"]:
        return (object(),)
    other: Record = record["other"] or {}
    return (
        *(record[name] for name in ("kernel", "rule", "file", "line", "column", "suppressed")),
        *(record.get(name) for name in ("access", "name", "dimension")),
        *(other.get(name) for name in ("file", "line", "column")),
        "" if record["line"] else record["message"],
    )


def _path(file: str) -> str:
    return os.path.abspath(file) if file and Path(file).is_file() else file
