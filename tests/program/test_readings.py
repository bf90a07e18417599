# SPDX-License-Identifier: Apache-2.0
"""Number of readings of kernel IR on its way: each takes milliseconds per thousand lines."""

from collections import Counter
from pathlib import Path

import pytest

import lanewise as lw
from lanewise.cache import Cache
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.opencl.unit import opencl_unit
from lanewise.frontend.source import Source
from lanewise.ir import reader
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.pipelines.source import keep_bodies
from lanewise.program.source.translation import translate

CUDA = "__global__ void k(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] + 1; }"
OPENCL = "kernel void k(global float *y, global const float *x) { size_t i = get_global_id(0); y[i] = x[i] + 1; }"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Readings of whole modules."""
    counts: Counter[str] = Counter()
    real = reader._ModuleReader.read

    def read(self: reader._ModuleReader, *arguments: object) -> Module:
        counts["read"] += not self.extends
        return real(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(reader._ModuleReader, "read", read)
    return counts


@pytest.mark.parametrize(("language", "source"), [("cuda", CUDA), ("opencl", OPENCL)])
def test_the_front_end_s_module_is_handed_on(language: str, source: str, tmp_path: Path, counted: Counter[str]):
    lw.compile(source, language=language).ptx()  # which compiles the units of libraries, if none has
    unique = f"{source}\n// {tmp_path}\n"
    counted.clear()
    module = lw.compile(unique, language=language)
    assert counted["read"] == 1  # clang's
    module.ptx()
    assert counted["read"] == 2  # LLVM's, to be checked
    module.ptx("sm_90")
    assert counted["read"] == 4  # the text, or for CUDA clang's for that architecture; and LLVM's again


def test_a_kernel_is_read_without_the_others(tmp_path: Path):
    kernel = "kernel void k%d(global float *y) { y[get_global_id(0)] = sqrt(y[0]) + %d; }"
    source = "\n".join(kernel % (number, number) for number in range(8))
    unit = opencl_unit(Source(source), GivenOptions())
    made = translate(unit, {"mapping": "auto"}, Cache(tmp_path))
    read = made.program.reader(fused=True)
    first, second = read(["k0"]), read(["k5"])  # as the front end has made it; as text
    assert [f.symbol for f in first.functions if f.is_kernel and f.blocks] == ["k0"]
    assert [f.symbol for f in second.functions if f.is_kernel] == ["k5"]
    assert len(second.functions) < len(first.functions)
    assert {f.symbol for f in read(None).functions if f.is_kernel} == {f"k{number}" for number in range(8)}


def test_bodies_that_a_kernel_does_not_need():
    text = """\
@table = constant [1 x ptr] [ptr @tabled]
define void @k() {
  call void @called()
  ret void
}
define void @called() {
  %p = load ptr, ptr @table
  ret void
}
define internal void @tabled() {
  ret void
}
define internal void @other() {
  call void @called()
  ret void
}
"""
    module = read_module(text)
    keep_bodies(module, ["k"])
    assert [function.symbol for function in module.functions if function.blocks] == ["k", "called", "tabled"]
    other = module.function("other")
    assert not other.linkage
    assert len(module.function("called").users) == 1
