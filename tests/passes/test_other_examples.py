# SPDX-License-Identifier: Apache-2.0
"""Before and After of docstrings that are no passes of test_golden.py, executed."""

import re
import textwrap
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.checks.accesses import KernelAccesses, KernelParameters, add_parameters
from lanewise.checks.fault import NO_MEETINGS, NO_RACES, definition
from lanewise.checks.weave import weave_checks
from lanewise.frontend.cuda import CudaOptions, Source, compile_cuda, leniency
from lanewise.frontend.cuda.inline_assembly import escaped
from lanewise.frontend.opencl.kernels import form_kernels
from lanewise.frontend.ptx.inline_assembly import define_assembly
from lanewise.frontend.unreached import without_unreached
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module, write_symbol
from lanewise.linking import Library, LibraryUnit, definitions, link_libraries
from lanewise.llvm import verify as verify_with_llvm

HEADING = re.compile(r"^(Before|After)(?:, [^\n]*)?\n((?:[ ]{4}[^\n]*\n|\n)+)", re.MULTILINE)


def pairs(module: str) -> list[tuple[str, str]]:
    """Each Before of a docstring with the After that follows."""
    document = import_module(f"lanewise.{module}").__doc__ or ""
    blocks = [(kind, textwrap.dedent(text).strip() + "\n") for kind, text in HEADING.findall(document)]
    assert [kind for kind, _ in blocks] == ["Before", "After"] * (len(blocks) // 2)
    texts = [text for _, text in blocks]
    return list(zip(texts[::2], texts[1::2], strict=True))


def changed(text: str, change: Callable[[Module], object]) -> Module:
    module = read_module(text)
    verify(module)
    change(module)
    verify(module)
    verify_with_llvm(write_module(module))
    return module


def same(made: Module, wanted: str) -> None:
    assert write_module(made) == write_module(read_module(wanted))


def test_what_no_kernel_reaches():
    ((before, after),) = pairs("frontend.unreached")
    assert without_unreached(before).strip() == after.strip()


def test_inline_assembly():
    ((before, after),) = pairs("frontend.ptx.inline_assembly")
    same(changed(before, define_assembly), after)


def test_percent_signs():
    ((before, after),) = pairs("frontend.cuda.inline_assembly")
    assert escaped(before) == after


def test_programs_that_nvcc_takes(monkeypatch: pytest.MonkeyPatch):
    mended: list[str | None] = []
    real = leniency.mended

    def recorded(*arguments: object) -> str | None:
        mended.append(real(*arguments))  # type: ignore[arg-type]
        return mended[-1]

    monkeypatch.setattr(leniency, "mended", recorded)
    for before, after in pairs("frontend.cuda.leniency"):
        compile_cuda(Source(before), CudaOptions())
        assert mended.pop() == after
        assert not mended


def test_kernels_of_opencl():
    ((before, after),) = pairs("frontend.opencl.kernels")
    made, wanted = changed(before, lambda module: form_kernels(module, general=False)), read_module(after)
    for name, symbol in wanted.symbols.items():
        assert write_symbol(made.symbols[name]) == write_symbol(symbol)


def test_definitions_of_a_library():
    ((before, after),) = pairs("linking.definitions")
    found = definitions(read_module(before), "roots")
    same(read_module("\n".join(definition.text for definition in found.values())), after)


def test_linking(tmp_path: Path):
    ((before, after),) = pairs("linking.link")
    file = tmp_path / "unit.ll"
    file.write_text(after.partition("\n}\n")[2].replace("internal ", ""))
    library = Library("shown", {"looked_up": LibraryUnit("shown", file)}.get, (), Cache(None))
    same(changed(before, lambda module: link_libraries(module, [library])), after)


@pytest.mark.parametrize(
    ("check", "pointers"),
    [("memory", (0,)), ("values", ()), ("races", ()), ("barriers", ()), ("unwritten", ())],
    ids=lambda value: str(value),
)
def test_checks(check: str, pointers: tuple[int, ...]):
    def weave(module: Module) -> None:
        kernel = module.function("k")
        parameters = KernelParameters(pointers, tuple(str(each.name) for each in kernel.arguments))
        add_parameters(kernel, parameters)
        weave_checks(KernelAccesses(module, kernel, parameters, []), (check,))

    ((before, after),) = pairs(f"checks.{check}")
    made, wanted = changed(before, weave), read_module(declared(after, before))
    assert write_symbol(made.symbols["k"]) == write_symbol(wanted.symbols["k"])


def declared(after: str, before: str) -> str:
    """A function with what it calls and refers to."""
    of_checks = f"{definition()}\n{NO_RACES}\n{NO_MEETINGS}\n{_MEMSET}".replace("define internal", "define linkonce")
    return f"{before.partition('define ptx_kernel')[0]}{after}{before.partition('}')[2]}{of_checks}"


_MEMSET = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"

EXECUTED = {
    "frontend.unreached", "frontend.cuda.inline_assembly", "frontend.cuda.leniency", "frontend.opencl.kernels",
    "linking.definitions", "linking.link", "frontend.ptx.inline_assembly", "checks.memory", "checks.values",
    "checks.races", "checks.barriers", "checks.unwritten",
}  # fmt: skip
"""Modules whose examples the tests above execute."""
