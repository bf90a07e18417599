# SPDX-License-Identifier: Apache-2.0
"""The table of architectures agrees with LLVM, and refuses what isn't in it."""

from __future__ import annotations

import pytest

from lanewise.backend.nvptx import ARCHITECTURES, target
from lanewise.errors import CompileError
from lanewise.pipelines.gpu import compile_ptx

EMPTY = "define ptx_kernel void @k() {\n  ret void\n}\n"


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_llvm_knows_the_architecture_and_takes_its_version(arch: str, capfd: pytest.CaptureFixture[str]) -> None:
    goal = target(arch)
    text = compile_ptx(EMPTY, arch)
    assert f"\n.version {goal.ptx // 10}.{goal.ptx % 10}\n.target {arch}\n" in text
    assert capfd.readouterr().err == ""  # LLVM complains there about an unknown processor or feature


def test_versions_from_7_8_on() -> None:
    assert [target(a).ptx for a in ("sm_50", "sm_80", "sm_90", "sm_90a", "sm_120")] == [78, 78, 78, 80, 87]
    assert target("sm_90a") == ("sm_90a", 90, 80)


def test_stated_version() -> None:
    assert ".version 8.4\n" in compile_ptx(EMPTY, "sm_80", 84)


@pytest.mark.parametrize("arch", ["sm_49", "sm_130", "80", "gfx90a", "", "SM_80"])
def test_unknown_architecture(arch: str) -> None:
    with pytest.raises(CompileError, match=rf"^unknown architecture '{arch}'; known are sm_50, .*sm_90a, .*sm_121f$"):
        compile_ptx(EMPTY, arch)


def test_unknown_version() -> None:
    with pytest.raises(CompileError, match=r"^unknown PTX version 79; known are 78 \(7\.8\), 80 \(8\.0\)"):
        compile_ptx(EMPTY, "sm_80", 79)


def test_version_older_than_the_architecture() -> None:
    with pytest.raises(CompileError, match=r"^sm_120 needs PTX 8\.7 or later, and 8\.0 is asked for$"):
        compile_ptx(EMPTY, "sm_120", 80)
