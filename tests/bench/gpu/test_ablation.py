# SPDX-License-Identifier: Apache-2.0
"""The ablation of bench/gpu: what is left out, its tables and charts, and LLVM's own values of switches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.gpu.__main__ import main
from bench.gpu.ablation import (
    GROUPS,
    Ablation,
    Counts,
    as_json,
    cumulative,
    effects,
    from_json,
    parts,
    report,
    settings,
    tables,
)
from bench.gpu.compilers import check_steps, ptx
from bench.gpu.document import write_ablation
from bench.gpu.llvms_own import SWITCHES
from bench.gpu.suite import HELD_OUT, SUITE, kernel
from bench.gpu.tools import Tools

from bench.gpu import ablation_chart, document, llvms_own
from lanewise.errors import Error
from lanewise.llvm import switches

_NONE = Tools(None, None, None, ())
_LOOP = """__global__ void k(float *out, const float *a, int n) {
    for (int i = 0; i < n; i++) out[threadIdx.x] += a[i] * a[i + 1] + a[i + 2] * a[i + 3] + a[i + 4] * a[i + 5];
}"""


def _counts():
    """100 and 50 instructions, 60 where the first part of the second group is left out."""
    counts = {without: {"md": 100, "rope": 50} for without in settings()}
    for without in counts:
        if _part() in without:
            counts[without]["rope"] = 60
    return counts


def _part() -> str:
    return next(iter(list(GROUPS.values())[1]))


def test_each_part_is_left_out_alone_and_belongs_to_one_group():
    everything = [part for group in GROUPS.values() for part in group]
    assert sorted(everything) == sorted(parts())
    assert "step-pointers" in parts()
    assert "optimise" not in parts()
    assert settings()[0] == frozenset()
    assert {frozenset({part}) for part in parts()} | {frozenset(parts())} <= set(settings())


def test_the_effect_of_a_part_is_what_its_absence_costs():
    assert effects(_counts())[_part()] == {"md": 1.0, "rope": 1.2}
    first, second, *_ = cumulative(_counts()).values()
    assert first == {"md": 1.0, "rope": 1.0}
    assert second == {"md": 1.0, "rope": 1.2}


def test_tables_tell_kernels_that_gain_and_lose():
    lines = list(tables(_counts()))
    assert f"| `{_part()}` | 1 | 1 | 0 | 0.0 | 20.0 | 1.095 | `rope` |" in lines
    assert f"| `{parts()[-1]}` | 0 | 2 | 0 | 0.0 | 0.0 | 1.000 |  |" in lines
    assert lines[-1].startswith(f"| {list(GROUPS)[-1]} | ")
    assert lines[-1].endswith(" | 1.095 | 1.200 of 1 |")


def test_tables_tell_kernels_that_a_part_makes_longer_and_those_it_hardly_changes():
    """Counts without the part are 90, 102, 98, 109 and 97 in place of 100; the limits are 103 and 97.1."""
    names = ["md", "rope", "bfs", "adam", "scan"]
    counts = {without: dict.fromkeys(names, 100) for without in settings()}
    counts[frozenset({_part()})] = {"md": 90, "rope": 102, "bfs": 98, "adam": 109, "scan": 97}
    row = next(line for line in tables(counts) if line.startswith(f"| `{_part()}`"))
    assert row == f"| `{_part()}` | 1 | 2 | 2 | -10.0 | 9.0 | 0.990 | `md`, `adam`, `scan` |"


def test_changes_are_sorted_by_their_factor():
    """A tenth fewer is more of a change than 10.5 % more."""
    counts = {without: {"md": 1000, "rope": 1000} for without in settings()}
    counts[frozenset({_part()})] = {"md": 1105, "rope": 900}
    assert next(line for line in tables(counts) if line.startswith(f"| `{_part()}`")).endswith("| `rope`, `md` |")


def test_counts_survive_a_file_and_those_of_another_pipeline_are_refused():
    found = Ablation("sm_90", _counts())
    data = json.loads(json.dumps(as_json(found)))
    assert from_json(data) == found
    with pytest.raises(Error, match="the pipeline was another one"):
        from_json({**data, "settings": data["settings"][:-1]})
    with pytest.raises(Error, match="the kernels, 'md' first, say otherwise"):
        from_json({**data, "held_out": True})


def test_kernels_that_were_looked_at_have_tables_of_their_own():
    counts = {without: {"crc32": 100, "sobel": 200, "yuv": 300} for without in settings()}
    lines = list(report(Ablation("sm_90", counts)))
    assert [line for line in lines if line.startswith("For")] == [
        "For sm_90, held out, 2 kernels:",
        "For sm_90, looked at since, 1 kernels:",
    ]


def test_the_document_takes_whole_sets_alone():
    with pytest.raises(Error, match="all kernels of the suite; these numbers lack 'adam'"):
        write_ablation(Ablation("sm_80", {frozenset(): {"md": 1}}), held_out=False)
    with pytest.raises(Error, match="lack 'batched_cholesky'"):
        write_ablation(Ablation("sm_80", {frozenset(): {each.name: 1 for each in SUITE}}), held_out=True)
    both = {each.name: 1 for each in (*SUITE, *HELD_OUT)}
    with pytest.raises(Error, match="'batched_cholesky' is no kernel of the suite"):
        write_ablation(Ablation("sm_80", {frozenset(): both}), held_out=False)


@pytest.mark.parametrize("held_out", [False, True])
def test_each_architecture_has_tables_of_its_own_and_one_has_charts(held_out: bool, monkeypatch: pytest.MonkeyPatch):
    replaced: list[tuple[str, str]] = []
    drawn: list[tuple[str, str]] = []
    monkeypatch.setattr(document, "replace_part", lambda marks, _: replaced.append(marks))
    counts = {without: {each.name: 1 for each in (HELD_OUT if held_out else SUITE)} for without in settings()}
    for arch in ("sm_80", "sm_90"):
        for name in ("draw_groups", "draw_parts"):

            def draw(_: Counts, path: Path, arch: str = arch) -> None:
                drawn.append((arch, path.name))

            monkeypatch.setattr(ablation_chart, name, draw)
        write_ablation(Ablation(arch, counts), held_out=held_out)
    text = (Path(__file__).parents[3] / "docs" / "gpu.md").read_text()
    assert len(set(replaced)) == 2
    assert all(mark in text for marks in replaced for mark in marks)
    assert drawn == ([] if held_out else [("sm_80", "gpu-groups.png"), ("sm_80", "gpu-parts.png")])


def test_the_command_shows_what_was_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    saved = tmp_path / "saved.json"
    saved.write_text(json.dumps(as_json(Ablation("sm_90", _counts()))))
    assert main(["--ablation", "--from", str(saved)]) == 0
    assert f"| `{_part()}` | 1 | 1 | 0 | 0.0 | 20.0 | 1.095 | `rope` |" in capsys.readouterr().out
    assert main(["--from", str(saved)]) == 2
    assert "isn't what --json writes" in capsys.readouterr().err
    saved.write_text(json.dumps([{"arch": "sm_80", "compilers": ["lanewise"], "kernels": []}]))
    assert main(["--ablation", "--from", str(saved)]) == 2
    assert "this isn't what --ablation --json writes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--ablation", "--without", "step-pointers"], "--ablation and --without don't go together"),
        (["--ablation", "--from", "a.json", "--arch", "sm_90"], "--from and --arch don't go together"),
        (["--ablation", "--static"], "--ablation and --static don't go together"),
        (["--ablation", "--from", "a.json", "--from", "b.json"], "one architecture or one file"),
        (["--from", "a.json", "--with", "speculate"], "--from and --with don't go together"),
        (["--times", "--ablation"], "--times and --ablation don't go together"),
        (["md", "--document"], "--document writes the tables of all kernels"),
        (["--from", "no-such.json"], "no JSON can be read of no-such.json"),
    ],
)
def test_options_that_would_be_ignored_are_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_charts_are_drawn(tmp_path: Path):
    pytest.importorskip("matplotlib", reason="charts are drawn by matplotlib")
    from bench.gpu.ablation_chart import draw_groups, draw_parts

    for number, draw in enumerate((draw_groups, draw_parts)):
        draw(_counts(), tmp_path / f"{number}.png")
        assert (tmp_path / f"{number}.png").read_bytes().startswith(b"\x89PNG")


def test_a_switch_is_llvms_own_for_one_compilation_alone():
    before, without, after = (
        ptx("lanewise", _LOOP, "sm_80", _NONE, frozenset(parts)).count("ld.global")
        for parts in (["keep-debug-directives"], ["unroll-threshold-aggressive"], ["keep-debug-directives"])
    )
    assert without < before == after


def test_who_comes_when_a_switch_is_set_back_finds_it_so(monkeypatch: pytest.MonkeyPatch):
    found: list[tuple[switches.Switch, ...]] = []
    leave = llvms_own._leave_gpus

    def leave_and_come() -> None:
        leave()
        with switches.switches(gpu=True):  # as another thread may, right then
            found.append(switches.GPU)

    monkeypatch.setattr(llvms_own, "_leave_gpus", leave_and_come)
    with llvms_own.llvms_own(SWITCHES[:1]):
        pass
    changed, back = found
    assert changed[0].gpu == changed[0].otherwise
    assert back is switches.GPU


def test_a_switch_is_llvms_own_where_a_step_simplifies_functions():
    """LLVM's simplification has the switches of a CPU."""
    text = ptx("lanewise", kernel("sha256").source(), "sm_80", _NONE, frozenset({"disable-lsr"}))
    assert ".local" not in text


def test_switches_are_no_steps_that_are_unknown():
    check_steps(frozenset(SWITCHES))
    with pytest.raises(Error, match="no step is called 'disable-gvn'"):
        check_steps(frozenset({"disable-gvn"}))
