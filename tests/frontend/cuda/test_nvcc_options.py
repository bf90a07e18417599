# SPDX-License-Identifier: Apache-2.0
"""nvcc's options in clang's words."""

from __future__ import annotations

import pytest

from lanewise.errors import CompileError
from lanewise.frontend.cuda.nvcc_options import as_clang_takes_them


@pytest.mark.parametrize("written", [("-fmad=false",), ("--fmad=false",), ("-fmad", "false"), ("--fmad", "false")])
def test_contraction_is_forbidden(written: tuple[str, ...]) -> None:
    assert as_clang_takes_them(("-g", *written, "-w")) == ("-g", "-ffp-contract=off", "-w")


def test_the_last_one_holds() -> None:
    assert as_clang_takes_them(("-fmad=false", "-fmad=true")) == ("-ffp-contract=off", "-ffp-contract=fast")


def test_fast_mathematics_allows_it() -> None:
    assert "-ffp-contract=fast" in as_clang_takes_them(("--use_fast_math",))


def test_options_of_clang_stay_as_they_are() -> None:
    options = ("-ffp-contract=on", "-Xclang", "-fmadness", "fmad=false", "-D", "FMAD=false")
    assert as_clang_takes_them(options) == options


@pytest.mark.parametrize(("options", "value"), [(("-fmad",), ""), (("-fmad=",), ""), (("-fmad", "-w"), "-w")])
def test_a_wrong_value_is_named(options: tuple[str, ...], value: str) -> None:
    with pytest.raises(CompileError, match=f"option '-fmad': expected -fmad=true or -fmad=false, not '{value}'"):
        as_clang_takes_them(options)
