# SPDX-License-Identifier: Apache-2.0
"""The telling of a launch's faults: those that aren't suppressed, to people; all, to programs."""

from collections import Counter
from collections.abc import Sequence
from threading import Lock
from typing import Final

from lanewise.config import CheckSettings, check_settings
from lanewise.errors import CheckError, Error
from lanewise.program.checked.faults import KernelFault
from lanewise.program.checked.messages import MOST, Messages
from lanewise.program.checked.records import add_records, record_of
from lanewise.program.checked.suppressions import read_suppressions, suppressing
from lanewise.wording import worded

_LOCK: Final = Lock()
_DESCRIBED: Final[Counter[CheckSettings]] = Counter()
"""Faults that this process has described, by the settings that have a limit."""


def told(
    messages: Messages, kernel: str, faults: Sequence[KernelFault], terms: str, most: int | None = None
) -> CheckError | None:
    """The error of the faults of a kernel (a symbol), of which `most` are described; None if all are suppressed, or
    there are none. None for `most`: as many as LANEWISE_CHECK_LIMIT leaves to this process. Their records are in the
    terms of a language. Error for settings of the environment that can't be; a file of records that can't be written is
    told with the faults."""
    if not faults:
        return None
    settings = check_settings()
    suppressions = read_suppressions(settings.suppressions)
    named = [fault._replace(kernel=messages.name(kernel)) for fault in faults]
    by = [suppressing(suppressions, fault) for fault in named]
    records = [
        record_of(fault, worded(messages.what(fault), terms), "" if each is None else each.text)
        for fault, each in zip(named, by, strict=True)
    ]
    left = [fault for fault, each in zip(named, by, strict=True) if each is None]
    made = messages.error(kernel, left, _room(settings, len(left)) if most is None else most) if left else None
    try:
        add_records(settings.report, records)
    except Error as error:
        if made is None:
            raise
        return CheckError(f"{made}\n{error}", made.faults)
    return made


def _room(settings: CheckSettings, wanted: int) -> int:
    """The number of faults, of so many, that are to be described."""
    if settings.limit is None:
        return MOST
    with _LOCK:
        room = min(settings.limit - _DESCRIBED[settings], wanted)
        _DESCRIBED[settings] += room
    return room
