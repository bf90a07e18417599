# SPDX-License-Identifier: Apache-2.0
"""Right calls of OpenCL's functions, and for each argument what makes the call wrong, with the code that it gives then.

A call is a line of words in `calls.txt`, one per argument or group of arguments. A word that `WORDS` has stands for its
arguments; any other is an expression over the objects of the test. `word!other=-30` says that the call with `other`
instead gives -30.

Source: The OpenCL Specification 3.0, the errors of each function.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

_PER_OBJECT: Final = {
    "platform": -32, "device": -33, "context": -34, "queue": -36, "buffer": -38, "image": -38, "sampler": -41,
    "program": -44, "built": -44, "unbuilt": -44, "kernel": -48, "event": -58, "recorded": -1138, "finalised": -1138,
    "mutable": -1138, "launch": -1141,
}  # fmt: skip
"""The codes for a number that is no object of the kind."""
WORDS: Final[dict[str, tuple[str, dict[str, int]]]] = {
    "waits": (
        "0, None, None",
        {"1, None, None": -57, "0, [event], None": -57, "1, [NO], None": -57, "1, [0], None": -57,
         "1, [other.event], None": -34},
    ),
    "devices": ("1, [device]", {"1, None": -30, "0, [device]": -30, "1, [NO]": -33}),
    "only": ("device", {"NO": -33, "context": -33}),
    "must_devices": ("1, [device]", {"1, None": -30, "0, [device]": -30, "0, None": -30, "1, [NO]": -33}),
    "notify": ("None, None", {"None, place": -30}),
    "syncs": (
        "0, None, None, None",
        {"1, None, None, None": -1139, "0, [1], None, None": -1139, "1, [99], None, None": -1139,
         "0, None, None, place": -30},
    ),
    "launch_syncs": (
        "0, None, None, place",
        {"1, None, None, None": -1139, "0, [1], None, None": -1139, "1, [99], None, None": -1139},
    ),
    "record": ("recorded, None, None", {"NO, None, None": -1138, "finalised, None, None": -59,
               "recorded, queue, None": -36, "recorded, None, [77, 1, 0]": -30}),
    "flags": ("0", {"1 << 62": -30, "3": -30}),
    "map": ("1", {"1 << 40": -30, "5": -30}),
    "box": ("[0, 0, 0], [4, 2, 1]", {"None, [4, 2, 1]": -30, "[0, 0, 0], None": -30, "[0, 0, 0], [4, 0, 1]": -30,
            "[0, 9, 0], [4, 2, 1]": -30}),
    "parts": ("0, 4", {"253, 4": -30, "0, 257": -30, "(1 << 64) - 1, 4": -30}),
}  # fmt: skip

CALLS: Final = Path(__file__).with_suffix(".txt").read_text()
"""One call per line. `?word=-59` and `word?=-59`: the call itself gives the code, since there is no right one."""


class Call(NamedTuple):
    """A call with its arguments as expressions, and the code that it gives. `is_right`: its function can succeed."""

    function: str
    arguments: str
    code: int
    is_right: bool = False


def calls() -> Iterator[Call]:
    """All calls of the table, the right one of each line first if there is one."""
    for line in CALLS.strip().splitlines():
        function, *words = line.split()
        read = [_read(word, words) for word in words]
        codes = [code for _, _, code in read if code]
        rights = [right for right, _, _ in read]
        yield Call(function, ", ".join(rights), codes[0] if codes else 0, not codes)
        for place, (_, wrong, _) in enumerate(read):
            for text, code in wrong.items():
                yield Call(function, ", ".join([*rights[:place], text, *rights[place + 1 :]]), code)


def _read(word: str, words: list[str]) -> tuple[str, dict[str, int], int]:
    """The right arguments of a word, the wrong ones with their codes, and the code of the call itself or 0."""
    first, *others = word.split("!")
    code = 0
    if "?" in first:
        first, _, number = first.replace("?", "").rpartition("=")
        code = int(number)
    wrong: dict[str, int] = {}
    if first.startswith("info:"):
        name = first.removeprefix("info:")
        first = f"{name}, 1024, place, None"
        wrong = {"0x9999, 1024, place, None": -30, f"{name}, 0, place, None": -30}
        others = [each.replace("=", ", 1024, place, None=") for each in others]
    elif first in WORDS:
        first, known = WORDS[first]
        wrong |= known
    elif first in _PER_OBJECT:
        wrong = dict.fromkeys(_no_objects(first), _PER_OBJECT[first])
        if first == "queue" and any(other.partition("!")[0] in ("buffer", "image", "kernel") for other in words):
            wrong["other.queue"] = -34
    for other in others:
        text, _, number = other.rpartition("=")
        wrong[text] = int(number)
    return first, wrong, code


def _no_objects(kind: str) -> tuple[str, ...]:
    """Numbers that are no objects of a kind. A platform of 0 is the first one."""
    another = "queue" if kind == "context" else "context"
    return ("NO", another) if kind == "platform" else ("NO", "0", another)
