# SPDX-License-Identifier: Apache-2.0
"""nvcc's options through `lw.compile`: the architecture and the notes."""

from __future__ import annotations

import pytest

import lanewise as lw

KERNEL = "__global__ void k(int *p) { p[0] = __CUDA_ARCH__; }"


def test_the_options_choose_the_architecture_of_the_module() -> None:
    module = lw.compile(KERNEL, language="cuda", options=["-arch=sm_70", "--ptxas-options=-v"])
    assert "store i32 700" in module.ir()
    assert ".target sm_70" in module.ptx()
    assert ".target sm_90" in module.ptx("sm_90")
    assert module.warnings == (
        "note: option '--ptxas-options=-v' is ignored: ptxas, which turns PTX into machine code, isn't run",
    )


def test_without_any_choice_it_is_sm_80() -> None:
    assert ".target sm_80" in lw.compile(KERNEL, language="cuda").ptx()
    assert ".target sm_90" in lw.compile(KERNEL, language="cuda", arch="sm_90").ptx()


def test_two_choices_that_differ_are_an_error() -> None:
    with pytest.raises(lw.Error, match="arch is 'sm_80', but the options choose 'sm_70'"):
        lw.compile(KERNEL, language="cuda", arch="sm_80", options=["-arch=sm_70"])
