# SPDX-License-Identifier: Apache-2.0
"""A command line of nvcc, read by the table of options."""

import re
import shlex
from collections.abc import Sequence
from enum import Enum
from pathlib import Path, PurePath
from typing import Final, NamedTuple

from lanewise.cuda.nvcc.options import JOINED, JOINED_NUMBER, OPTIONS, DriverOption, Takes
from lanewise.errors import Error
from lanewise.frontend.clang import takes_argument
from lanewise.frontend.cuda.nvcc_options import is_named, takes_value, with_clangs_errors

_BY_NAME: Final = {name: option for option in OPTIONS for name in option.names}
_MOST_RESPONSE_FILES: Final = 32
_NEXT_MACRO: Final = re.compile(r"(?<!\\),(?=[A-Za-z_]\w*(?:[=,]|$))(?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)")
"""A comma before the name of a macro, and outside of quotes."""
_CODE: Final = re.compile(r"(?:sm|compute|lto)_\d+[a-z]?")


class InputKind(Enum):
    """The kind of an input."""

    CUDA = "cu"
    HOST = "c++"
    C = "c"
    OBJECT = "object"


_SUFFIXES: Final = {
    ".cu": InputKind.CUDA,
    **dict.fromkeys((".cpp", ".cc", ".cxx", ".c++", ".C", ".ii"), InputKind.HOST),
    ".c": InputKind.C,
}
_LANGUAGES: Final = {"cu": InputKind.CUDA, "c++": InputKind.HOST, "c": InputKind.C}


class Phase(Enum):
    """The last step of a command."""

    PREPROCESS = "preprocess"
    DEPENDENCIES = "dependencies_only"
    CUDA = "cuda"
    PTX = "ptx"
    COMPILE = "compile"
    DEVICE_LINK = "device_link"
    ARCHIVE = "archive"
    LINK = "link"


class Input(NamedTuple):
    """A file, as it was named."""

    path: str
    kind: InputKind

    @property
    def stem(self) -> str:
        return PurePath(self.path).stem


class NvccCommand(NamedTuple):
    """A command line. `values` has all values of each field of the table; `device_options` are the words that the front
    end's table reads; `libraries` are the inputs and libraries of a link, in order."""

    phase: Phase
    inputs: tuple[Input, ...]
    values: dict[str, tuple[str, ...]]
    device_options: tuple[str, ...]
    link_order: tuple[str, ...]

    def has(self, field: str) -> bool:
        return field in self.values

    def all(self, field: str) -> tuple[str, ...]:
        return self.values.get(field, ())

    def last(self, field: str) -> str | None:
        """The value that counts: the last one."""
        given = self.values.get(field)
        return given[-1] if given else None

    @property
    def is_relocatable(self) -> bool:
        """True if device code may refer to that of other files (-rdc=true, -dc)."""
        if self.has("device_c"):
            return True
        return (self.last("relocatable") or "false") == "true"


def augmented(words: Sequence[str], before: str, after: str) -> list[str]:
    """A command line between options that are written as for a shell. Error for quotes that don't end."""
    parts: list[list[str]] = []
    for variable, text in (("NVCC_PREPEND_FLAGS", before), ("NVCC_APPEND_FLAGS", after)):
        try:
            parts.append(shlex.split(text))
        except ValueError as error:
            raise Error(f"nvcc fatal   : {variable}={text}: {error}") from None
    return [*parts[0], *words, *parts[1]]


def read(words: Sequence[str]) -> NvccCommand:
    """The command that `words` are. Error for an option without its value, one that can't be, or no input."""
    values: dict[str, list[str]] = {}
    device: list[str] = []
    files: list[str] = []
    order: list[str] = []
    rest = with_clangs_errors(_expanded(words))
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word == "-":
            files.append(word)
            order.append(word)
            continue
        option, value = _option(word)
        if option is None:
            device.append(word)
            if "=" not in word and (takes_argument(word) or takes_value(word)) and rest:
                device.append(rest.pop(0))
            continue
        if option.takes is not Takes.NOTHING and value is None:
            if not rest:
                raise Error(f"nvcc fatal   : argument expected after '{word}'")
            value = rest.pop(0)
        found = ["true"] if option.takes is Takes.NOTHING else _values(option, value or "")
        if option.field == "response_file":
            rest[:0] = with_clangs_errors(_expanded([f"@{name}" for name in found]))
            continue
        values.setdefault(option.field, []).extend(found)
        if option.field == "library":
            order += [f"-l{name}" for name in found]
    kept = {field: tuple(found) for field, found in values.items()}
    _refuse(kept)
    language = kept.get("language", (None,))[-1]
    return NvccCommand(_phase(kept), tuple(_input(f, language) for f in files), kept, tuple(device), tuple(order))


def _expanded(words: Sequence[str], depth: int = 0) -> list[str]:
    """The words with the content of response files (`@file`) in their places."""
    if depth > _MOST_RESPONSE_FILES:
        raise Error("nvcc fatal   : option files name each other in a circle")
    found: list[str] = []
    for word in words:
        if not word.startswith("@") or len(word) == 1:
            found.append(word)
            continue
        try:
            text = Path(word[1:]).read_text()
        except OSError as error:
            raise Error(f"nvcc fatal   : Could not open input file '{word[1:]}': {error.strerror}") from None
        try:
            found += _expanded(shlex.split(text), depth + 1)
        except ValueError as error:
            raise Error(f"nvcc fatal   : {word[1:]}: {error}") from None
    return found


def _option(word: str) -> tuple[DriverOption | None, str | None]:
    """The row of a word, and its value if that is part of it."""
    name, equals, value = word.partition("=")
    for spelling in (word, name):
        for form in (spelling, spelling.removeprefix("-") if spelling.startswith("--") else spelling):
            option = _BY_NAME.get(form)
            if option is not None and (spelling == word or option.takes is not Takes.NOTHING):
                return option, value if equals and spelling == name else None
    if (word[:2] in JOINED and not is_named(word)) or (word[:2] == JOINED_NUMBER and word[2:].isdecimal()):
        return _BY_NAME[word[:2]], word[2:]
    return None, None


def _values(option: DriverOption, value: str) -> list[str]:
    if option.takes is Takes.MACROS:
        return _NEXT_MACRO.split(value)
    if option.takes not in (Takes.LIST, Takes.WORDS):
        return [value]
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    parts = [part.replace("\0", ",") for part in value.replace("\\,", "\0").split(",")]
    if option.takes is Takes.WORDS:
        try:
            parts = [word for part in parts for word in shlex.split(part)]
        except ValueError as error:
            raise Error(f"nvcc fatal   : {option.names[0]} {value}: {error}") from None
        return parts
    return [stripped for part in parts if (stripped := part.strip("\"'"))]


def _refuse(values: dict[str, tuple[str, ...]]) -> None:
    for field, what in (("cubin", "-cubin"), ("optix", "-optix-ir and -ltoir")):
        if field in values:
            raise Error(f"nvcc fatal   : {what}: machine code of NVIDIA's GPUs can't be made without their tools")
    for field, name, known in (
        ("relocatable", "relocatable-device-code", ("true", "false")),
        ("runtime", "cudart", ("static", "shared", "none")),
        ("default_stream", "default-stream", ("legacy", "null", "per-thread")),
        ("template_stub", "static-global-template-stub", ("true", "false")),
        ("hidden_device_entities", "device-entity-has-hidden-visibility", ("true", "false")),
    ):
        for value in values.get(field, ()):
            if value not in known:
                raise Error(f"nvcc fatal   : Value '{value}' is not defined for option '{name}'")
    for level in values.get("optimise", ()):
        if not level.isdecimal():
            raise Error(f"nvcc fatal   : '{level}': expected a number, 0 to 3, for option 'optimize'")
    for code in values.get("code", ()):
        if not _CODE.fullmatch(code):
            raise Error(f"nvcc fatal   : Value '{code}' is not defined for option 'gpu-code'")


def _phase(values: dict[str, tuple[str, ...]]) -> Phase:
    for phase in (Phase.PREPROCESS, Phase.DEPENDENCIES, Phase.CUDA, Phase.PTX, Phase.COMPILE, Phase.DEVICE_LINK,
                  Phase.ARCHIVE):  # fmt: skip
        if phase.value in values:
            return phase
    if "fatbin" in values:
        return Phase.PTX
    return Phase.COMPILE if "device_c" in values else Phase.LINK


def _input(path: str, language: str | None) -> Input:
    if language is not None:
        if language not in _LANGUAGES:
            raise Error(f"nvcc fatal   : Unsupported language '{language}'; expected cu, c++ or c")
        if PurePath(path).suffix not in (".o", ".a", ".so", ".obj"):
            return Input(path, _LANGUAGES[language])
    return Input(path, _SUFFIXES.get(PurePath(path).suffix, InputKind.OBJECT))
