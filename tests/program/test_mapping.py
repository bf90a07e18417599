# SPDX-License-Identifier: Apache-2.0
"""The `mapping` of `lw.compile` on its way to the work-group function, and remarks on their way back."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.ir.function import Function
from lanewise.ir.module import Module as IrModule
from lanewise.pipelines import group_function
from lanewise.program.module import loaded
from lanewise.program.saved import lwo
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session
from lanewise.workgroup.function import WorkGroupFunction
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.layout.out_of_line import OutOfLine
from lanewise.workgroup.mapping import Mapping
from lanewise.workgroup.processor import Processor

CUDA = """
extern "C" __global__ void twice(float *p) { p[threadIdx.x] *= 2; }
template <typename T> __global__ void thrice(T *p) { p[threadIdx.x] *= 3; }
"""
OPENCL = "__kernel void twice(__global float *p) { p[get_global_id(0)] *= 2; }"
IR = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @twice(ptr %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr %p, i32 %i
  %v = load float, ptr %at
  %d = fadd float %v, %v
  store float %d, ptr %at
  ret void
}
"""


@pytest.fixture(autouse=True)
def no_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment asks for no mapping."""
    monkeypatch.delenv("LANEWISE_MAPPING", raising=False)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Kernel and mapping of each work-group function that is built, which gets the remark `MAPPING for BLOCK`."""
    seen: list[str] = []
    build = group_function.build_work_group_function

    def noted(
        source: IrModule,
        kernel: Function,
        block: Extent | None,
        out_of_line: OutOfLine,
        mapping: Mapping,
        explain: bool,
        processor: Processor,
        apart: bool,
    ) -> WorkGroupFunction:
        seen.append(f"{kernel.symbol} {mapping}")
        made = build(source, kernel, block, out_of_line, mapping, explain, processor, apart)
        return made._replace(facts=made.facts._replace(remarks=(f"{mapping} for {block}",)))

    monkeypatch.setattr(group_function, "build_work_group_function", noted)
    return seen


def run(kernel: lw.Kernel, factor: int = 2) -> None:
    p = np.arange(64, dtype=np.float32)
    kernel[1, 64](p)
    assert (p == factor * np.arange(64)).all()


# -- what may be asked for ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mapping", ["auto", "auto,fixed", "loop", "threads", "lock-step", "lanes", "lanes:8", "lanes:8x4"]
)
def test_what_is_asked_for_arrives(session: Session, built: list[str], mapping: str):
    run(compile_source(session, CUDA, language="cuda", mapping=mapping)["twice"])
    assert built == [f"twice {mapping}"]


@pytest.mark.parametrize(("language", "source"), [("opencl", OPENCL), ("cuda", CUDA)])
def test_in_every_language(session: Session, built: list[str], language: str, source: str):
    run(compile_source(session, source, language=language, mapping="lanes:4")["twice"])
    assert built == ["twice lanes:4"]


def test_in_kernel_ir_which_a_child_process_compiles(session: Session):
    said: list[str] = []
    for mapping in ("loop", "lanes:4"):
        kernel = compile_source(session, IR, language="ir", mapping=mapping)["twice"]
        run(kernel)
        said += kernel.remarks(64)
    assert said[0] == "region 0: a loop over threads"
    assert said[1].startswith("region 0: 4 lanes")


def test_a_template_instance_and_the_form_for_any_range(session: Session, built: list[str]):
    run(compile_source(session, CUDA, language="cuda", mapping="loop")["thrice<float>"], 3)
    p = np.ones(64, np.float32)
    compile_source(session, OPENCL, language="opencl", mapping="loop")["twice"].ndrange(50, 20, 10)(p)
    assert p.tolist() == [1] * 10 + [2] * 50 + [1] * 4
    assert len(built) == 2
    assert all(of.endswith(" loop") for of in built)


def test_loops_of_a_kernel_stay_inside_where_that_is_asked_for(session: Session):
    source = """
    kernel void sums(global float *out, global const float *in, int n) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += in[k * 64 + get_global_id(0)];
        out[get_global_id(0)] = sum;
    }
    """
    given, blocks = np.arange(256, dtype=np.float32).reshape(4, 64), dict[str, int]()
    for mapping in ("loop", "loop:outside"):
        kernel = compile_source(session, source, language="opencl", mapping=mapping)["sums"]
        out = np.zeros(64, np.float32)
        kernel.ndrange(64, 64)(out, given, 4)
        assert out.tolist() == given.sum(0).tolist()
        assert kernel.remarks(64)[0].endswith(": a loop over work-items")
        blocks[mapping] = len(kernel.remarks(64))
    assert blocks["loop"] > blocks["loop:outside"] == 1  # regions: before the loop, its turns, behind it


@pytest.mark.parametrize(
    ("mapping", "said"),
    [
        (
            "",
            'mapping "": expected "auto", "auto,fixed", "loop", "loop:outside", "threads", "lock-step", '
            '"lanes", "lanes:WIDTH" or "lanes:WIDTHxCHUNKS"',
        ),
        ("Lanes", 'mapping "Lanes": expected '),
        ("loop:inside", 'mapping "loop:inside": expected '),
        ("loop:8", 'mapping "loop:8": expected '),
        ("lanes:", 'mapping "lanes:": expected '),
        ("lanes:8x", 'mapping "lanes:8x": expected '),
        ("lanes:x4", 'mapping "lanes:x4": expected '),
        ("lanes:128", 'mapping "lanes:128": the width must be one of 2, 4, 8, 16, 32, not 128'),
        ("lanes:12", 'mapping "lanes:12": the width must be one of 2, 4, 8, 16, 32, not 12'),
        ("lanes:8x3", 'mapping "lanes:8x3": the number of chunks must be one of 1, 2, 4, 8, 16, not 3'),
        (8, "mapping must be text such as 'lanes', not 8"),
    ],
)
def test_what_is_no_mapping_is_refused(mapping: Any, said: str):
    for language in ("cuda", "opencl", "ir"):
        with pytest.raises(lw.Error, match=re.escape(said)):
            lw.compile("", language=language, mapping=mapping)


def test_the_environment_says_it_for_who_does_not(session: Session, monkeypatch: pytest.MonkeyPatch):
    def mapping(asked: str | None = None) -> str:
        return compile_source(session, CUDA, language="cuda", mapping=asked)["twice"].info(64).mapping

    assert mapping() == "auto"
    monkeypatch.setenv("LANEWISE_MAPPING", "lanes:4")
    assert mapping() == "lanes:4"
    assert mapping("loop") == "loop"
    monkeypatch.setenv("LANEWISE_MAPPING", "many")
    assert mapping("loop") == "loop"
    with pytest.raises(lw.Error, match='LANEWISE_MAPPING: mapping "many": expected '):
        mapping()


def test_the_text_of_stages_and_the_report_follow_it(session: Session, built: list[str]):
    module = compile_source(session, CUDA, language="cuda", mapping="lanes:2")
    module.ir("work-group", "twice")
    module.asm("twice")
    assert built == ["twice lanes:2"] * 2
    assert "mapping: lanes:2" in str(module["twice"].info(64)).splitlines()
    assert module["twice"].info(64).remarks == ("lanes:2 for (64, 1, 1)",)


def test_ptx_is_the_same_for_all(session: Session):
    looped, laned = (compile_source(session, CUDA, language="cuda", mapping=m) for m in ("loop", "lanes"))
    text = looped.ptx()
    entries = session.cache.info().entries
    assert laned.ptx() == text
    assert session.cache.info().entries == entries


# -- the cache ---------------------------------------------------------------------------------------------------------


def test_each_mapping_has_code_of_its_own_and_one_front_end_serves_all(session: Session, built: list[str]):
    run(compile_source(session, CUDA, language="cuda", mapping="loop")["twice"])
    entries = session.cache.info().entries
    for place, mapping in enumerate(["lanes", "lanes:8", "lanes:8x2"], 1):
        run(compile_source(session, CUDA, language="cuda", mapping=mapping)["twice"])
        assert session.cache.info().entries == entries + place
    assert built == ["twice loop", "twice lanes", "twice lanes:8", "twice lanes:8x2"]
    again = Session(session.config)
    for mapping in ("lanes:8", "loop"):
        run(compile_source(again, CUDA, language="cuda", mapping=mapping)["twice"])
    assert len(built) == 4


def test_an_entry_without_remarks_is_made_again(session: Session, built: list[str]):
    run(compile_source(session, CUDA, language="cuda")["twice"])
    assert session.config.cache_dir is not None
    (facts,) = session.config.cache_dir.rglob("kernel.json")
    older = {name: fact for name, fact in json.loads(facts.read_bytes()).items() if name != "remarks"}
    facts.chmod(0o600)
    facts.write_text(json.dumps(older))
    again = compile_source(Session(session.config), CUDA, language="cuda")["twice"]
    run(again)
    assert len(built) == 2
    assert again.remarks(64) == ["auto for (64, 1, 1)"]


# -- remarks -----------------------------------------------------------------------------------------------------------


def test_remarks_are_those_of_the_code_for_a_block_or_any(session: Session, built: list[str]):
    kernel = compile_source(session, CUDA, language="cuda", mapping="loop")["twice"]
    assert kernel.remarks() == ["loop for (256, 1, 1)"]
    assert kernel.remarks(64) == ["loop for (64, 1, 1)"]
    assert kernel.remarks((8, 4)) == ["loop for (8, 4, 1)"]
    assert kernel.remarks(None) == ["loop for None"]
    with pytest.raises(lw.LaunchError, match="1024"):
        kernel.remarks(2048)
    assert len(built) == 4


def test_remarks_are_kept_with_the_code(session: Session, built: list[str]):
    run(compile_source(session, CUDA, language="cuda", mapping="loop")["twice"])
    again = compile_source(Session(session.config), CUDA, language="cuda", mapping="loop")["twice"]
    assert again.remarks(64) == ["loop for (64, 1, 1)"]
    assert len(built) == 1


def test_a_kernel_that_cannot_be_mapped_so_has_none(session: Session):
    source = "__global__ void shuffles(int *y) { y[threadIdx.x] = __shfl_sync(~0u, y[threadIdx.x], 0); }"
    kernel = compile_source(session, source, language="cuda", mapping="loop")["shuffles"]
    with pytest.raises(lw.CompileError, match="kernel shuffles"):
        kernel.remarks()


# -- saved modules -----------------------------------------------------------------------------------------------------


def test_a_saved_module_keeps_mapping_and_remarks(session: Session, built: list[str], tmp_path: Path):
    files = {mapping: tmp_path / f"{mapping}.lwo" for mapping in ("loop", "lanes")}
    for mapping, file in files.items():
        module = compile_source(session, CUDA, language="cuda", mapping=mapping)
        module.save(file, blocks={"twice": [32]})
        assert lwo.read(file).about["mapping"] == mapping
    assert sorted({*built}) == ["twice lanes", "twice loop"]
    built.clear()
    kernel = loaded(session, files["lanes"], False)["twice"]
    run(kernel)
    assert kernel.remarks(32) == ["lanes for (32, 1, 1)"]
    assert kernel.remarks(64) == kernel.remarks(None) == ["lanes for None"]
    assert built == []


def test_what_is_compiled_for_a_saved_module_has_its_mapping(session: Session, built: list[str], tmp_path: Path):
    compile_source(session, CUDA, language="cuda", mapping="loop").save(tmp_path / "k.lwo")
    built.clear()
    kernel = loaded(session, tmp_path / "k.lwo", True)["twice"]
    run(kernel)
    assert built == ["twice loop"]
    assert kernel.remarks(64) == ["loop for (64, 1, 1)"]
    assert kernel.info(64).mapping == "loop"
