# SPDX-License-Identifier: Apache-2.0
"""Options of nvcc and NVRTC in clang's words, by the table."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.clang import takes_argument
from lanewise.frontend.cuda.architectures import PTX_VERSION
from lanewise.frontend.cuda.nvcc_options.errors import with_clangs_errors
from lanewise.frontend.cuda.nvcc_options.table import (
    JOINED,
    TABLE,
    Architecture,
    Honoured,
    Ignored,
    Option,
    Refused,
)

_BY_NAME: Final = {name: option for option in TABLE for name in option.names}
_ARCHITECTURE: Final = re.compile(r"(?:sm|compute|lto)_(\d+[a-z]?)")
_SYNONYMS: Final = frozenset({"native", "all", "all-major"})


class Translated(NamedTuple):
    """Clang's arguments, and what to tell the user of options that are ignored."""

    arguments: tuple[str, ...]
    notes: tuple[str, ...]


class _Given(NamedTuple):
    """Options as they were written, with the row of the table that they are of: None for clang's own."""

    written: tuple[str, ...]
    option: Option | None
    value: str

    @property
    def shown(self) -> str:
        return " ".join(self.written)


def split_architecture(options: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """The architecture that `options` choose, None if they choose none, and the other options.

    nvcc makes code for each architecture that it is given; here it is the newest one that is known."""
    found: list[str] = []
    chosen: str | None = None
    rest: list[str] = []
    for given in _read(options):
        if isinstance(given.option, Architecture):
            found += [f"sm_{number}" for number in _ARCHITECTURE.findall(given.value)]
            if not found and given.value not in _SYNONYMS:
                raise CompileError(f"option '{given.shown}': expected an architecture such as sm_80 or compute_80")
        else:
            rest += given.written
    if found:
        known = [name for name in PTX_VERSION if name in found]
        chosen = known[-1] if known else found[-1]
    return chosen, tuple(rest)


def takes_value(written: str) -> bool:
    """True if `written` is an option whose value is the next word."""
    option, value = _looked_up(written)
    return option is not None and option.takes_value and value is None


def is_named(written: str) -> bool:
    """True if `written` is an option of the table by its own name, such as `-lineinfo`, and not `-l` with a value."""
    option, _ = _looked_up(written)
    return option is not None and option not in JOINED


def translated(options: Sequence[str]) -> Translated:
    """`options` with nvcc's in clang's words, others as they are. CompileError for one that is refused or has a wrong
    value."""
    arguments: list[str] = []
    notes: list[str] = []
    for given in _read(options):
        match given.option:
            case None:
                arguments += given.written
            case Honoured() as option:
                arguments += _arguments(option, given)
            case Ignored(meaning=reason):
                notes.append(f"note: option '{given.shown}' is ignored: {reason}")
            case Refused(meaning=reason):
                raise CompileError(f"option '{given.shown}' is refused: {reason}")
            case _:
                raise CompileError(f"option '{given.shown}': the architecture is chosen by `arch`, not by an option")
    return Translated(tuple(arguments), tuple(notes))


def _arguments(option: Honoured, given: _Given) -> tuple[str, ...]:
    if option.values is None:
        return tuple(argument.replace("{}", given.value) for argument in option.arguments)
    if given.value not in option.values:
        name = given.written[0].partition("=")[0]
        expected = " or ".join(f"{name}={value}" for value in option.values)
        raise CompileError(f"option '{name}': expected {expected}, not '{given.value}'")
    return option.values[given.value]


def _read(options: Sequence[str]) -> Iterator[_Given]:
    """Each option with its value."""
    rest = iter(with_clangs_errors(options))
    for written in rest:
        option, value = _looked_up(written)
        if option is None and takes_argument(written):
            following = next(rest, None)
            yield _Given((written,) if following is None else (written, following), None, "")
        elif option is not None and option.takes_value and value is None:
            following = next(rest, None)
            if following is None and not isinstance(option, Honoured):
                raise CompileError(f"option '{written}' needs an argument after it")
            yield _Given((written,) if following is None else (written, following), option, following or "")
        else:
            yield _Given((written,), option, value or "")


def _looked_up(written: str) -> tuple[Option | None, str | None]:
    """The row of an option, and its value if that is part of the same word."""
    if not written.startswith("-"):
        return None, None
    whole = written.removeprefix("-").removeprefix("-")
    name, equals, value = whole.partition("=")
    for spelling, rest in ((whole, None), (name, value if equals else None)):
        option = _BY_NAME.get(spelling)
        if option is not None and (rest is None or option.takes_value):
            return option, rest
    for option in JOINED:
        if not written.startswith("--") and whole[:1] in option.names:
            return option, whole[1:] or None
    return None, None
