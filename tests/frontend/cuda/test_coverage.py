# SPDX-License-Identifier: Apache-2.0
"""The tables of what CUDA's headers have: each name compiles in a device function, each refused one says why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pytest

from lanewise.errors import CompileError
from lanewise.frontend.cuda.compile import HEADERS
from lanewise.frontend.cuda.coverage.tables import WHOLE, Header, chapters

ALL = [header for chapter in chapters() for header in chapter.headers]
NAMES = [header.name for header in ALL]
MEMBER = re.compile(r"(.+)\.(\w+)")
TEMPLATE = re.compile(r"(\w+)<.*>")


def compile_text(compiled: Callable, header: Header, text: str) -> None:
    arguments = [f"-D{define}" for define in header.defines]
    compiled(text, arch=header.architecture, options=(*arguments, *header.options))


def included(header: Header) -> str:
    return f"#include <{header.include}>\n"


def naming(header: Header, name: str, number: int) -> str:
    """A definition that names `name`, on a line of its own file, so that what is wrong is said of it."""
    scope = f"{header.scope}::" if header.scope else "::"
    place = f'#line 1 "{name}"\n'
    if name in header.examples or name in header.refused:
        return f"{place}__device__ void f{number}() {{ {header.examples.get(name, f'(void)&{name};')} }}\n"
    if member := MEMBER.fullmatch(name):
        kind = scope + member[1]
        return f"{place}struct s{number} : {kind} {{ using {kind}::{member[2]}; }};\n"
    if TEMPLATE.fullmatch(name):
        return f"{place}__device__ int f{number}() {{ return sizeof({scope}{name}); }}\n"
    return f"#ifndef {name}\n{place}__device__ void f{number}() {{ using {scope}{name}; }}\n#endif\n"


def using(header: Header, names: Iterable[str]) -> str:
    return included(header) + "".join(naming(header, name, number) for number, name in enumerate(names))


@pytest.mark.parametrize("header", ALL, ids=NAMES)
def test_each_supported_name_compiles(compiled: Callable, header: Header) -> None:
    names = [*header.supported, *header.different]
    if names or WHOLE not in header.refused:
        compile_text(compiled, header, using(header, names))


@pytest.mark.parametrize("header", [h for h in ALL if h.refused], ids=[h.name for h in ALL if h.refused])
def test_each_refused_name_says_why(compiled: Callable, header: Header) -> None:
    if WHOLE in header.refused:
        with pytest.raises(CompileError, match=re.escape(header.refused[WHOLE])):
            compile_text(compiled, header, included(header))
        return
    for number, (name, message) in enumerate(header.refused.items()):
        with pytest.raises(CompileError, match=re.escape(message)):
            compile_text(compiled, header, included(header) + naming(header, name, number))


def test_a_missing_name_is_found(compiled: Callable) -> None:
    header = next(h for h in ALL if h.name == "cooperative_groups.h")
    with pytest.raises(CompileError, match="no_such_name"):
        compile_text(compiled, header, using(header, ["no_such_name"]))
    with pytest.raises(CompileError, match="no_such_member"):
        compile_text(compiled, header, using(header, ["thread_block.no_such_member"]))


def test_each_header_of_cuda_std_is_in_the_tables() -> None:
    folders = ("cuda", "cuda/std", "cooperative_groups")
    here = {f"{folder}/{path.name}" for folder in folders for path in (HEADERS / folder).iterdir() if path.is_file()}
    assert here <= {header.include for header in ALL}
