# SPDX-License-Identifier: Apache-2.0
"""The text of a module of LLVM IR, as clang prints it, split into self-contained definitions.

Each carries its attributes itself and no metadata, is internal, and has a name that no other module's local symbol has.
So any subset of them, closed under references, can be appended to the text of another module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_WORD: Final = r'(?:"[^"]*"|[\w.$-]+)'
_NAME: Final = re.compile(f"[@%]{_WORD}")
_SYMBOL: Final = re.compile(f"@{_WORD}")
_TYPE: Final = re.compile(f"%{_WORD} = type ")
_LOCAL: Final = re.compile(r"\b(?:internal|private) ")
_LINKAGE: Final = re.compile(
    r"\b(?:dso_local|internal|private|linkonce_odr|weak|hidden|local_unnamed_addr|unnamed_addr) "
)
_GROUP: Final = re.compile(r"^attributes (#\d+) = \{ (.*) \}$", re.MULTILINE)
_GROUP_USE: Final = re.compile(r" #\d+")
_QUOTED_ATTRIBUTE: Final = re.compile(r' ?"[^"]*"(?:="[^"]*")?')
_METADATA: Final = re.compile(r",? ![\w.]+ !\d+")
_COMDAT: Final = re.compile(r", comdat(?:\([^)]*\))?")


class Definition(NamedTuple):
    """One function, variable, type or declaration as text, and the symbols and types that it refers to."""

    text: str
    references: tuple[str, ...]

    @property
    def is_declaration(self) -> bool:
        return self.text.startswith("declare ")


def definitions(text: str, unit: str) -> dict[str, Definition]:
    """All definitions in the text of a module, by name with its `@` or `%`.

    Names of local symbols and of types get the prefix `unit`. Aliases, comdats and module-level assembly, which
    libraries don't use, are omitted.
    """
    groups = {group: _QUOTED_ATTRIBUTE.sub("", words).strip() for group, words in _GROUP.findall(text)}
    chunks = list(_chunks(text))
    renamed = {name: _own_name(name, unit) for name, head in chunks if _is_local(name, head)}
    known = {renamed.get(name, name) for name, _ in chunks}
    found: dict[str, Definition] = {}
    for name, chunk in chunks:
        plain = _COMDAT.sub("", _METADATA.sub("", chunk))
        plain = _GROUP_USE.sub(lambda use: f" {groups.get(use.group()[1:], '')}".rstrip(), plain)
        if not name.startswith("@llvm.") and not plain.startswith("declare "):
            plain = _internal(plain, name)
        plain = _renamed(plain, renamed)
        new = renamed.get(name, name)
        uses = dict.fromkeys(_NAME.findall(plain))
        found[new] = Definition(plain, tuple(u for u in uses if u != new and u in known))
    return found


def _chunks(text: str) -> Iterator[tuple[str, str]]:
    """Each top-level entity with its name: a line, or a function from `define` to its closing brace."""
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith(("declare ", "define ")):
            match = _SYMBOL.search(line)
            assert match is not None, line
            body = [line]
            if line.startswith("define "):
                for line in lines:
                    body.append(line)
                    if line == "}":
                        break
            yield match.group(), "\n".join(body)
        elif line.startswith("@") or _TYPE.match(line):
            name, _, rest = line.partition(" = ")
            if not rest.startswith("alias "):
                yield name, line


def _is_local(name: str, head: str) -> bool:
    return name.startswith("%") or (not name.startswith("@llvm.") and bool(_LOCAL.search(head.split("\n", 1)[0])))


def _own_name(name: str, unit: str) -> str:
    sign, quote, rest = name[0], '"' if name[1] == '"' else "", name[1:].strip('"')
    return f"{sign}{quote}lw.{unit}.{rest}{quote}"


def _internal(text: str, name: str) -> str:
    """`text` with internal linkage for its definition."""
    if text.startswith("%"):
        return text
    head, newline, body = text.partition("\n")
    if head.startswith("define "):
        return f"define internal {_LINKAGE.sub('', head[len('define ') :])}{newline}{body}"
    return f"{name} = internal {_LINKAGE.sub('', head.partition(' = ')[2])}"


def _renamed(text: str, names: dict[str, str]) -> str:
    if not names:
        return text
    return _NAME.sub(lambda match: names.get(match.group(), match.group()), text)


def to_text(found: Iterable[Definition]) -> str:
    """The definitions as text of a module."""
    return "\n\n".join(definition.text for definition in found) + "\n"
