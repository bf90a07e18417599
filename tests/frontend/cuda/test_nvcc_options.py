# SPDX-License-Identifier: Apache-2.0
"""nvcc's options in clang's words: the table, and the document that is made from it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lanewise.errors import CompileError
from lanewise.frontend.cuda.nvcc_options import split_architecture, translated
from lanewise.frontend.cuda.nvcc_options.document import document
from lanewise.frontend.cuda.nvcc_options.table import HONOURED, IGNORED, REFUSED, TABLE, Architecture, Honoured

DOCUMENT = Path(__file__).parents[3] / "docs" / "nvcc-options.md"


@pytest.mark.parametrize("written", [("-fmad=false",), ("--fmad=false",), ("-fmad", "false"), ("--fmad", "false")])
def test_contraction_is_forbidden(written: tuple[str, ...]) -> None:
    assert translated(("-g", *written, "-w")).arguments == ("-g", "-ffp-contract=off", "-w")


def test_the_last_one_holds() -> None:
    assert translated(("-fmad=false", "-fmad=true")).arguments == ("-ffp-contract=off", "-ffp-contract=fast")


def test_fast_mathematics_allows_it() -> None:
    assert "-ffp-contract=fast" in translated(("--use_fast_math",)).arguments


def test_options_of_clang_stay_as_they_are() -> None:
    options = ("-ffp-contract=on", "-Xclang", "-fmadness", "fmad=false", "-D", "FMAD=false", "-O3", "-std=c++14", "-g0")
    assert translated(options) == (options, ())


@pytest.mark.parametrize(("options", "value"), [(("-fmad",), ""), (("-fmad=",), ""), (("-fmad", "-w"), "-w")])
def test_a_wrong_value_is_named(options: tuple[str, ...], value: str) -> None:
    with pytest.raises(CompileError, match=f"option '-fmad': expected -fmad=true or -fmad=false, not '{value}'"):
        translated(options)


@pytest.mark.parametrize(
    "options",
    [
        ("--ptxas-options=-v",),
        ("-Xptxas", "-v"),
        ("-Xptxas=-v",),
        ("--maxrregcount=32",),
        ("-rdc=true",),
        ("-Xcompiler", "-Wall"),
        ("-lcublas",),
        ("-L", "/usr/lib"),
        ("-L/usr/lib",),
        ("--default-stream", "per-thread"),
        ("-keep",),
    ],
    ids=" ".join,
)
def test_what_changes_nothing_here_is_a_note(options: tuple[str, ...]) -> None:
    arguments, (note,) = translated(("-w", *options, "-g"))
    assert arguments == ("-w", "-g")
    assert note.startswith(f"note: option '{' '.join(options)}' is ignored: ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "out.ptx"), "option '-o out.ptx' is refused: what to write is chosen by"),
        (("--output-file=x",), "option '--output-file=x' is refused"),
        (("-cubin",), "option '-cubin' is refused"),
        (("-m32",), "option '-m32' is refused: device code has pointers of 64 bits"),
        (("-o",), "option '-o' needs an argument after it"),
        (("-arch=sm_70",), "the architecture is chosen by `arch`"),
    ],
)
def test_what_asks_for_something_else_is_refused_by_name(options: tuple[str, ...], message: str) -> None:
    with pytest.raises(CompileError) as caught:
        translated(options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("options", "architecture"),
    [
        (("-arch=sm_70",), "sm_70"),
        (("--gpu-architecture", "compute_90a"), "sm_90a"),
        (("-gencode", "arch=compute_75,code=sm_75", "-gencode=arch=compute_100,code=[sm_100,compute_100]"), "sm_100"),
        (("-gencode=arch=compute_35,code=sm_35", "-gencode=arch=compute_60,code=sm_60"), "sm_60"),
        (("-arch=compute_70", "-code=sm_75"), "sm_75"),
        (("-arch=sm_35",), "sm_35"),
        (("-arch=native",), None),
        (("-O3",), None),
    ],
)
def test_the_newest_architecture_is_chosen(options: tuple[str, ...], architecture: str | None) -> None:
    assert split_architecture(("-w", *options))[0] == architecture
    assert "-w" in split_architecture(("-w", *options))[1]


def test_an_architecture_that_is_none() -> None:
    with pytest.raises(CompileError, match="option '-arch=fast': expected an architecture such as sm_80"):
        split_architecture(("-arch=fast",))


@pytest.mark.parametrize(
    ("option", "macro"),
    [
        ("--extended-lambda", "__CUDACC_EXTENDED_LAMBDA__"),
        ("--expt-relaxed-constexpr", "__CUDACC_RELAXED_CONSTEXPR__"),
        ("-use_fast_math", "__USE_FAST_MATH__"),
    ],
)
def test_options_that_programs_ask_for_define_their_macro(compiled: Callable, option: str, macro: str) -> None:
    text = f"__global__ void k(int *p) {{\n#ifndef {macro}\n#error missing\n#endif\n*p = {macro} + 0; }}"
    with pytest.raises(CompileError, match="missing"):
        compiled(text)
    compiled(text.replace(f"*p = {macro} + 0;", ""), options=(option,))


def test_clang_takes_what_the_honoured_options_become(compiled: Callable) -> None:
    """Every one at once, with some value: clang refuses what it doesn't know."""
    values = {"std": "c++20", "optimize": "2", "define-macro": "A", "undefine-macro": "B", "pre-include": "stdint.h"}
    values |= {"ftemplate-depth": "900", "ftemplate-backtrace-limit": "9"}
    options: list[str] = []
    for option in HONOURED:
        if isinstance(option, Architecture):
            continue
        assert isinstance(option, Honoured)
        for name in option.names:
            known = list(option.values or ()) or [values.get(name, "/")]
            options += [f"--{name}={value}" for value in known] if option.takes_value else [f"-{name}"]
    compiled("__global__ void k(uint32_t *p) { *p = 1; }", options=tuple(options))


def test_each_name_has_one_row() -> None:
    names = [name for option in TABLE for name in option.names]
    assert len(names) == len(set(names))
    assert len(TABLE) == len(HONOURED) + len(IGNORED) + len(REFUSED)


def test_the_document_is_that_of_the_table() -> None:
    assert DOCUMENT.read_text() == document(), "run make docs"
