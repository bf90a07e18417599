# SPDX-License-Identifier: Apache-2.0
"""Several modules of PTX linked: names that they share, names of their own, and what is wrong."""

import re
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from .computing import DEVICES, HEADER

# The kernel k stores what `code` leaves in %r0.
KERNEL = """
.visible .entry {name}(.param .u64 out)
{{
    .reg .b32 %r<4>; .reg .b64 %p;
    {code}
    ld.param.u64 %p, [out]; st.global.u32 [%p], %r0; ret;
}}
"""
CALL = "{{ .param .b32 y; call (y), {}; ld.param.b32 %r0, [y]; }}".format
FUNCTION = """.func (.param .b32 r) {name}()
{{
    .reg .b32 %r<4>; {code}
    st.param.b32 [r], %r0; ret;
}}
""".format
EXTERN = ".extern .func (.param .b32 r) f;\n"


def kernel(code: str, before: str = "", name: str = "k") -> str:
    return f"{HEADER}{before}{KERNEL.format(name=name, code=code)}"


def function(name: str, code: str, linkage: str = ".visible ", before: str = "") -> str:
    return f"{HEADER}{before}{linkage}{FUNCTION(name=name, code=code)}"


def result(made: lw.Module, device: str = "reference", name: str = "k") -> int:
    out = np.zeros(1, np.uint32)
    made[name].launch(1, 1, (out,), device=device)
    return int(out[0])


def linked(tmp_path: Path, *texts: str) -> lw.Module:
    """The module of texts in files a.ptx, b.ptx and so on."""
    paths = [tmp_path / f"{letter}.ptx" for letter, _ in zip("abc", texts, strict=False)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return lw.link(paths)


@pytest.mark.parametrize("device", DEVICES)
def test_functions_and_variables_of_another_module(device: str):
    one = kernel(
        f"ld.global.u32 %r1, [v+4]; ld.const.u32 %r2, [c]; {CALL('f')} add.u32 %r0, %r0, %r1; add.u32 %r0, %r0, %r2;",
        EXTERN + ".extern .global .align 4 .u32 v[]; .extern .const .u32 c;\n",
    )
    two = function("f", "ld.global.u32 %r0, [v];", before=".visible .global .u32 v[2] = {100, 20};\n")
    three = f"{HEADER}.visible .const .u32 c = 3;\n"
    made = lw.link([one, lw.compile(two), three])
    assert made.kernels == ("k",)
    assert result(made, device) == 123
    made.variable("v", device=device).write(np.array([200, 30], np.int32))
    assert result(made, device) == 233


def test_names_of_one_module_alone():
    own = ".global .u32 v = {};\n" + FUNCTION(name="g", code="ld.global.u32 %r0, [v];")
    one = kernel(CALL("g"), own.replace("{}", "1"))
    two = kernel(CALL("g"), own.replace("{}", "2"), "l")
    three = function("f", "mov.u32 %r0, 5;")
    four = kernel(CALL("f"), FUNCTION(name="f", code="mov.u32 %r0, 6;"), "m")
    made = lw.link([one, two, three, four])
    assert [result(made, name=name) for name in "klm"] == [1, 2, 6]
    assert {made.variable(name).read().item() for name in ("v", "v.1")} == {1, 2}


def test_an_external_variable_keeps_its_name():
    one = kernel("ld.global.u32 %r0, [v];", ".global .u32 v = 1;\n")
    two = kernel("ld.global.u32 %r0, [v];", ".visible .global .u32 v = 2;\n", "l")
    made = lw.link([one, two])
    assert [made.variable(name).read() for name in ("v", "v.1")] == [2, 1]
    assert (result(made), result(made, name="l")) == (1, 2)


def test_what_is_declared_and_not_used_may_be_missing():
    assert result(lw.link([kernel("mov.u32 %r0, 4;", EXTERN), HEADER])) == 4


def test_weak_names():
    weak = function("f", "mov.u32 %r0, 1;", ".weak ")
    later = kernel(CALL("f"), f".weak {FUNCTION(name='f', code='mov.u32 %r0, 2;')}")
    strong = function("f", "mov.u32 %r0, 3;")
    assert result(lw.link([weak, later])) == 1
    assert result(lw.link([later, weak])) == 2
    assert result(lw.link([later, weak, strong])) == 3
    assert result(lw.link([strong, later])) == 3


def test_common_variables():
    one = kernel("ld.global.u32 %r0, [v];", ".common .global .u32 v;\n")
    large = f"{HEADER}.common .global .u32 v[4] = {{7}};\n"
    assert lw.link([one, large]).variable("v").read().tolist() == [7, 0, 0, 0]
    assert result(lw.link([large, one])) == 7
    assert result(lw.link([one, f"{HEADER}.visible .global .u32 v = 9;\n"])) == 9


@pytest.mark.parametrize("device", DEVICES)
def test_dynamic_shared_memory_of_several_modules(device: str):
    shared = ".extern .shared .align 4 .b8 s[];\n"
    one = kernel(f"st.shared.u32 [s+4], 11; {CALL('f')}", shared + EXTERN)
    two = function("f", "ld.shared.u32 %r0, [s+4];", before=shared)
    out = np.zeros(1, np.uint32)
    lw.link([one, two])["k"].launch(1, 1, (out,), 16, device=device)
    assert out[0] == 11


def test_refusals_name_the_module_of_the_instruction(tmp_path: Path):
    two = function("f", "wgmma.fence.sync.aligned;")
    with pytest.raises(lw.CompileError, match=r"b\.ptx:6:22: error: wgmma.*it is not supported"):
        linked(tmp_path, kernel(CALL("f"), EXTERN), two)


def test_faults_name_the_module_of_the_instruction(tmp_path: Path):
    two = function("f", "st.global.u32 [4], 0;")
    with pytest.raises(lw.LaunchError, match=r"b\.ptx:6: kernel k"):
        result(linked(tmp_path, kernel(CALL("f"), EXTERN), two))


@pytest.mark.parametrize(
    ("before", "other", "told"),
    [
        (EXTERN, "", "a.ptx:4:1: error: f is defined in none of A, B"),
        (f".visible {FUNCTION(name='f', code='')}", function("f", ""), "b.ptx:4:1: error: f is defined in A:4 already"),
        (EXTERN, function("f", "").replace("f()", "f(.param .b32 a)"),
         "a.ptx:4:1: error: f has other parameters or results than in B:4"),
        (EXTERN, f"{HEADER}.visible .global .u32 f;", "a.ptx:4:1: error: f has another kind than in B:4"),
        (".extern .global .u32 f;\n", f"{HEADER}.visible .const .u32 f;",
         "a.ptx:4:1: error: f has another state space than in B:4"),
        (".extern .global .u32 f[3];\n", f"{HEADER}.visible .global .u32 f[2];",
         "a.ptx:4:1: error: f has another size than in B:4"),
        (".common .global .u32 f = 1;\n", f"{HEADER}.common .global .u32 f = 1;",
         "b.ptx:4:1: error: f is .common and has a value in A:4 already"),
        (".common .global .u32 f = 1;\n", f"{HEADER}.common .global .u32 f[2];",
         "a.ptx:4:1: error: f is .common, has a value and is larger in B:4"),
        (".weak .global .u32 f;\n", function("f", ""),
         "a.ptx:4:1: error: f is a function or a variable, and the other one in B:4"),
        ("", kernel("mov.u32 %r0, 1;"), "b.ptx:5:1: error: k is defined in A:5 already"),
        (".global .u32 v;\n.global .u32 v;\n", "", "a.ptx:5:1: error: v is defined twice"),
    ],
)  # fmt: skip
def test_what_does_not_fit(tmp_path: Path, before: str, other: str, told: str):
    first = kernel(CALL("f") if before.startswith((".extern .func", ".visible")) else "mov.u32 %r0, 1;", before)
    with pytest.raises(lw.CompileError) as error:
        linked(tmp_path, first, other or HEADER)
    expected = told.replace("A", str(tmp_path / "a.ptx")).replace("B", str(tmp_path / "b.ptx"))
    first, second = str(error.value.diagnostics[0]).split("\n")[0], f"{tmp_path}/{expected}"
    assert first == second
    assert len(error.value.diagnostics) == 1


def test_all_errors_are_told_at_once():
    with pytest.raises(lw.CompileError) as error:
        lw.link([kernel(f"{CALL('f')} {CALL('g')}", EXTERN + EXTERN.replace("f;", "g;")), HEADER])
    assert len(re.findall(r"is defined in none of <source 1>, <source 2>", str(error.value))) == 2


@pytest.mark.parametrize(
    ("sources", "told"),
    [
        ([], "sources must be a list"),
        (HEADER, "sources must be a list"),
        ([3], "source must be a path or source text, not int"),
        (["no.ptx"], "no.ptx: no such file"),
        ([HEADER, "__global__ void k() {}\n"], "only PTX is linked, and not <source>"),
    ],
)
def test_sources_that_are_none(sources: list[str], told: str):
    with pytest.raises(lw.Error, match=re.escape(told)):
        lw.link(sources)
