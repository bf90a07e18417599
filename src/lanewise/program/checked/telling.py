# SPDX-License-Identifier: Apache-2.0
"""The telling of a launch's faults: those that aren't suppressed, to people; all, to programs."""

from collections.abc import Sequence

from lanewise.config import check_settings
from lanewise.errors import CheckError
from lanewise.program.checked.faults import KernelFault
from lanewise.program.checked.messages import MOST, Messages
from lanewise.program.checked.records import add_records, record_of
from lanewise.program.checked.suppressions import read_suppressions, suppressing
from lanewise.wording import worded


def told(
    messages: Messages, kernel: str, faults: Sequence[KernelFault], terms: str, most: int | None = None
) -> CheckError | None:
    """The error of the faults of a kernel (a symbol), of which `most` are described; None if all are suppressed, or
    there are none. Their records are in the terms of a language. Error for settings of the environment that can't
    be."""
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
    add_records(settings.report, records)
    left = [fault for fault, each in zip(named, by, strict=True) if each is None]
    if not left:
        return None
    limit = MOST if settings.limit is None else settings.limit
    return messages.error(kernel, left, limit if most is None else most)
