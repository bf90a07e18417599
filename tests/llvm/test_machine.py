# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/llvm/test_machine.py"""

import subprocess
import sys
import threading

import pytest

from lanewise.llvm import PASSES, LlvmError, LlvmModule, Machine, run_passes, set_option

SUM = """
define float @total(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %q = getelementptr float, ptr %y, i64 %i
  %v = load float, ptr %p
  %w = fadd float %v, 1.0
  store float %w, ptr %q
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret float %w
}
"""
NVPTX = Machine.nvptx("sm_80", 78)


def test_host_is_a_known_processor():
    host = Machine.host()
    assert host.cpu not in ("", "generic")
    assert host.triple.endswith("-linux-gnu")
    assert host.features.startswith(("+", "-"))
    assert host.data_layout().startswith("e-")


def test_claim_sets_triple_and_layout():
    module = LlvmModule.parse(SUM)
    host = Machine.host()
    host.claim(module)
    assert f'target triple = "{host.triple}"' in module.text()
    assert f'target datalayout = "{host.data_layout()}"' in module.text()


def test_levels_and_vectorisation():
    def optimised(level: int, vectorise: bool) -> str:
        module = LlvmModule.parse(SUM)
        Machine.host().claim(module)
        Machine.host().optimise(module, level, vectorise)
        return module.text()

    assert "vector.body" in optimised(3, True)
    assert "x float>" not in optimised(3, False)
    assert "x float>" not in optimised(0, True)


def test_simplify_keeps_functions():
    module = LlvmModule.parse(
        "define internal i32 @unused() {\n  %p = alloca i32\n  store i32 4, ptr %p\n  %v = load i32, ptr %p\n"
        "  ret i32 %v\n}"
    )
    NVPTX.simplify(module)
    assert "ret i32 4" in module.text()


def test_ptx():
    text = NVPTX.assembly(LlvmModule.parse('target triple = "nvptx64-nvidia-cuda"\n' + SUM))
    assert ".version 7.8" in text
    assert ".target sm_80" in text


def test_an_object_file():
    module = LlvmModule.parse(SUM)
    Machine.host().claim(module)
    assert Machine.host().object(module).startswith(b"\x7fELF")


def test_an_unknown_target_is_an_error():
    with pytest.raises(LlvmError, match="No available targets"):
        Machine("parallax-none", "", "").assembly(LlvmModule.parse(SUM))


@pytest.mark.parametrize("name", sorted(PASSES))
def test_every_pass_of_the_table_runs(name: str):
    module = LlvmModule.parse(SUM)
    run_passes(module, [name], NVPTX)
    module.verify()


def test_passes_run_in_order():
    module = LlvmModule.parse("define i32 @f() {\n  %x = add i32 1, 2\n  %y = mul i32 %x, 2\n  ret i32 %y\n}")
    run_passes(module, ["instcombine", "dce"], NVPTX)
    assert "ret i32 6" in module.text()


def test_an_unknown_pass():
    with pytest.raises(KeyError, match="licm"):
        run_passes(LlvmModule.parse(SUM), ["licm"], NVPTX)


def test_an_option_changes_the_output():
    # In a process of its own: options can't be taken back.
    code = (
        "from lanewise.llvm import *\n"
        f"module = LlvmModule.parse({SUM!r})\n"
        "set_option('-force-vector-width=2'); set_option('-force-vector-interleave=1')\n"
        "Machine.host().claim(module); Machine.host().optimise(module); print(module.text())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "<2 x float>" in done.stdout
    assert callable(set_option)


def test_threads_compile_at_once():
    expected = _compiled(SUM)
    results: list[bytes] = []
    failures: list[Exception] = []

    def work():
        try:
            for _ in range(10):
                results.append(_compiled(SUM))
                with pytest.raises(LlvmError):
                    LlvmModule.parse("nonsense")
        except AssertionError as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert results == [expected] * 60


def test_a_thread_makes_each_machine_once():
    """LLVM's machine objects are kept, each by the thread that made it, for its level and its target."""
    host = Machine.host()
    own = host.of_thread(3)
    assert host.of_thread(3) is own
    assert Machine(*host).of_thread(3) is own
    assert host.of_thread(1) is not own
    assert host._replace(features="").of_thread(3) is not own
    others: list[object] = []
    thread = threading.Thread(target=lambda: others.append(host.of_thread(3)))
    thread.start()
    thread.join()
    assert others != [own]


def test_code_is_the_same_from_a_machine_that_was_used():
    text = "define float @f(float %x) {\n  %y = fdiv float 1.0, %x\n  ret float %y\n}\n"
    first = _compiled(text)
    wide = Machine.host()._replace(features="+sse2,-avx")
    module = LlvmModule.parse(text)
    wide.claim(module)
    wide.optimise(module, 1)
    assert wide.object(module) != first
    assert _compiled(text) == first


def test_architecture_is_that_of_the_triple():
    assert Machine("aarch64-unknown-linux-gnu", "generic", "+neon").architecture == "aarch64"


def _compiled(text: str) -> bytes:
    module = LlvmModule.parse(text)
    host = Machine.host()
    host.claim(module)
    host.optimise(module)
    return host.object(module)
