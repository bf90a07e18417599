# SPDX-License-Identifier: Apache-2.0
"""The driver of a table of steps: conversions, stages that are shown, left out and verified, a step that fails."""

from pathlib import Path

import pytest

import lanewise as lw
from lanewise.errors import InternalError
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.types import I32
from lanewise.ir.verifier import VerifierError
from lanewise.llvm import LlvmModule, Machine, run_passes
from lanewise.pipelines import cpu, drive, gpu, reference
from lanewise.pipelines.drive import Drive, Stage, View, check
from lanewise.pipelines.order import ORDER
from lanewise.pipelines.step import Group, LlvmPasses, Pass, Table, names

TEXT = """
define i32 @f(i32 %a) {
  %b = add i32 %a, 0
  ret i32 %b
}
"""
TABLES = {"cpu": cpu.CPU, "out of line": cpu.OUT_OF_LINE, "gpu": gpu.GPU, "reference": reference.REFERENCE}


def renamed(name: str):
    def run(module: Module, context: list[str]) -> bool:
        context.append(name)
        instruction = module.function("f").entry.instructions[0]
        changed = instruction.name != name
        instruction.name = name
        return changed

    return run


def clean(llvm: LlvmModule, context: list[str]) -> None:
    context.append("clean")
    run_passes(llvm, ["instcombine"], Machine.host())


def run(table: Table[list[str]], view: View = drive.PLAIN) -> tuple[Drive[list[str]], list[str]]:
    context: list[str] = []
    return Drive(read_module(TEXT), context, "f", view).run(table), context


X, Y, CLEAN = Pass("x", renamed("x"), ""), Pass("y", renamed("y"), ""), LlvmPasses("clean", clean, "")


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_order_of_each_table_is_as_it_must_be(table: str):
    steps = list(names(TABLES[table]))
    for before, after, reason in ORDER:
        if before in steps and after in steps:
            assert steps.index(before) < steps.index(after), f"{before} before {after}: {reason}"


def test_each_pair_of_the_order_is_in_a_table():
    for before, after, _ in ORDER:
        assert any({before, after} <= set(names(table)) for table in TABLES.values()), (before, after)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_each_step_says_why_it_is_there(table: str):
    def whys(steps: Table[object]) -> list[str]:
        return [why for step in steps for why in (step.why, *(whys(step.steps) if isinstance(step, Group) else ()))]

    assert all(whys(TABLES[table]))  # pyright: ignore[reportArgumentType] : a table of any context


def test_steps_run_in_order_and_say_what_they_changed():
    done, context = run((X, X, Y), View(texts=None))
    assert context == ["x", "x", "y"]
    assert [(stage.step, stage.changed) for stage in done.stages] == [("x", True), ("x", False), ("y", True)]
    assert ["%x = " in (stage.text or "") for stage in done.stages] == [True, False, False]


def test_the_module_is_converted_only_where_it_must_be(monkeypatch: pytest.MonkeyPatch):
    counts = {"read": 0, "parse": 0}

    def counted(name: str, function):
        def call(*arguments: object):
            counts[name] += 1
            return function(*arguments)

        return call

    monkeypatch.setattr(drive, "read_module", counted("read", read_module))
    monkeypatch.setattr(LlvmModule, "parse", counted("parse", LlvmModule.parse))
    nothing = Pass[list[str]]("nothing", lambda module, context: False, "")
    guarded = Pass[list[str]]("guarded", lambda module, context: True, "", only_for=" sext ")
    run((X, CLEAN, CLEAN))
    assert counts == {"read": 0, "parse": 1}
    run((CLEAN, nothing, CLEAN))
    assert counts == {"read": 1, "parse": 2}
    run((CLEAN, guarded, CLEAN))
    assert counts == {"read": 1, "parse": 3}


def test_a_view_stops_and_leaves_out():
    assert run((X, CLEAN, Y), View(stop_after="clean"))[1] == ["x", "clean"]
    assert run((X, CLEAN, Y), View(disabled=frozenset({"clean"})))[1] == ["x", "y"]
    assert run((X, Group("g", (Y, CLEAN), ""), X), View(stop_after="y"))[1] == ["x", "y"]


def test_changes_are_counted_for_bisection():
    needed = Pass("z", renamed("z"), "", required=True)
    assert run((X, Y, needed), View(most_changes=1))[1] == ["x", "z"]
    assert run((X, Y, needed), View(most_changes=0))[1] == ["z"]


def test_a_group_runs_again_while_it_is_asked_to():
    group = Group("g", (X,), "", again=lambda module, context: len(context) < 3, most=5)
    assert run((group,))[1] == ["x"] * 3
    assert run((group._replace(most=2),))[1] == ["x"] * 2
    assert run((group._replace(when=lambda context: False),))[1] == []


@pytest.mark.parametrize(
    ("view", "message"),
    [
        (View("none"), "no step is called 'none'; the steps are 'x', 'g'"),
        (View(disabled=frozenset({"none"})), "no step is called 'none'"),
        (View(disabled=frozenset({"g"})), "the step 'g' can't be disabled"),
    ],
)
def test_a_wrong_view_is_refused(view: View, message: str):
    with pytest.raises(lw.Error, match=message):
        check(view, (Group("g", (X,), ""),))


def test_a_step_that_fails_is_named_and_its_input_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def broken(module: Module, context: list[str]) -> bool:
        raise AssertionError("no such thing")

    with pytest.raises(InternalError, match="the step 'bad' failed on f: AssertionError: no such thing") as info:
        run((X, Pass("bad", broken, "")))
    (kept,) = tmp_path.iterdir()
    assert str(kept) in str(info.value)
    assert "%x = add" in kept.read_text()


def test_passes_are_verified_when_that_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def spoilt(module: Module, context: list[str]) -> bool:
        entry = module.function("f").entry
        entry.insert(0, Instruction("add", I32, (entry.instructions[0], entry.instructions[0])))
        return True

    monkeypatch.setenv("LANEWISE_VERIFY", "0")
    run((Pass("spoilt", spoilt, ""),))
    monkeypatch.setenv("LANEWISE_VERIFY", "1")
    with pytest.raises(InternalError, match="the step 'spoilt' failed on f: VerifierError") as info:
        run((Pass("spoilt", spoilt, ""),))
    assert isinstance(info.value.__cause__, VerifierError)


SAXPY = """
__global__ void saxpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
"""


def test_a_module_shows_its_stages():
    module = lw.compile(SAXPY, language="cuda")
    stages: list[Stage] = module.stages(texts=["isolate"], stop_after="simplify")
    first = ["contract-multiply-add", "mark-positions", "inline-texture-fetches", "tally", "scale-in-one-instruction"]
    assert [stage.step for stage in stages][:6] == [*first, "isolate"]
    assert stages[-1].step == "simplify"
    assert [stage.step for stage in stages if stage.text] == ["isolate"]
    whole = module.stages(target="ptx")
    assert [stage.step for stage in whole] == list(gpu.steps())
    assert "tail call" in (next(stage for stage in whole if stage.step == "optimise").text or "")


def test_a_three_line_kernel_is_converted_as_often_as_the_table_says(monkeypatch: pytest.MonkeyPatch):
    """Once to LLVM's form for all of LLVM's steps."""
    parsed: list[str] = []
    parse = LlvmModule.parse
    text = lw.compile(SAXPY.replace("int i", "unsigned i").replace("int n", "unsigned n"), language="cuda").ir()
    monkeypatch.setattr(LlvmModule, "parse", lambda text: parsed.append(text) or parse(text))
    cpu.compile_for_cpu(text, "_Z5saxpyPfPKffj", (64, 1, 1))
    assert len(parsed) == 1
    parsed.clear()
    gpu.compile_ptx(text, "sm_80")
    assert len(parsed) == 1


def test_stages_agree_with_the_disabled_steps():
    module = lw.compile(SAXPY, language="cuda")
    shown = {stage.step for stage in module.stages(disable=["widen-indices"])}
    assert "widen-indices" not in shown
    with pytest.raises(lw.Error, match="the step 'work-group' can't be disabled"):
        module.stages(disable=["work-group"])
    with pytest.raises(lw.Error, match="target must be 'cpu' or 'ptx', not 'tpu'"):
        module.stages(target="tpu")
