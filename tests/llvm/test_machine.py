# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/llvm/test_machine.py"""

import subprocess
import sys
import threading

import pytest

from lanewise.llvm import PASSES, LlvmError, LlvmModule, Machine, run_passes, set_option
from lanewise.llvm.machine import MOST_KEPT

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
    (other,) = others
    assert other is not own


def test_a_thread_keeps_the_machines_that_it_used_last():
    host = Machine.host()
    a_feature = host.features.split(",")[0]
    others = [host._replace(features=",".join([a_feature] * times)) for times in range(1, 2 * MOST_KEPT)]
    first = host.of_thread(3)
    for other in others[: MOST_KEPT - 1]:
        other.of_thread(3)
    assert host.of_thread(3) is first
    for other in others[MOST_KEPT - 1 :]:
        other.of_thread(3)
    assert host.of_thread(3) is not first


def test_a_gpus_machine_is_made_anew():
    """It counts the calls that it writes, in PTX: `callseq`."""
    assert NVPTX.of_thread(3) is not NVPTX.of_thread(3)


def test_code_is_the_same_from_a_machine_that_was_used():
    text = "define float @f(float %x) {\n  %y = fdiv float 1.0, %x\n  ret float %y\n}\n"
    first = _compiled(text)
    wide = Machine.host()._replace(features="+sse2,-avx")
    module = LlvmModule.parse(text)
    wide.claim(module)
    wide.optimise(module, 1)
    assert wide.object(module) != first
    assert _compiled(text) == first


OTHER_WORK = """
define float @wide(ptr %x) "prefer-vector-width"="256" {
  %v = load <16 x float>, ptr %x
  %s = call reassoc float @llvm.vector.reduce.fadd.v16f32(float 0.0, <16 x float> %v)
  ret float %s
}
define float @plain(float %x, float %y, float %z) "target-features"="+sse2,-avx" {
  %p = fmul float %x, %y
  %s = fadd float %p, %z
  ret float %s
}
define i32 @slow(i32 %x) optnone noinline {
  %y = sdiv i32 %x, 7
  ret i32 %y
}
define float @fast(float %x, float %y, float %z) "unsafe-fp-math"="true" "no-nans-fp-math"="true" {
  %p = fmul fast float %x, %y
  %s = fadd fast float %p, %z
  ret float %s
}
define float @flushing(float %x) "denormal-fp-math"="preserve-sign,preserve-sign" "frame-pointer"="all" {
  %y = call float @llvm.sqrt.f32(float %x)
  ret float %y
}
declare float @llvm.vector.reduce.fadd.v16f32(float, <16 x float>)
declare float @llvm.sqrt.f32(float)
"""


@pytest.mark.parametrize("text", [SUM, OTHER_WORK])
def test_code_is_the_same_after_other_work_of_the_same_machine(text: str):
    """Functions with other attributes, and a module that is refused, leave nothing behind in the machine object. What
    fails later ends the process."""
    first = _compiled_in_a_new_thread(text)
    for other in (OTHER_WORK, SUM):
        _compiled(other)
        with pytest.raises(LlvmError):
            _compiled(other.replace("ret ", "return ", 1))
        assert _compiled(text) == first


def _compiled_in_a_new_thread(text: str) -> bytes:
    """Code by a machine object that has made none yet."""
    made: list[bytes] = []
    thread = threading.Thread(target=lambda: made.append(_compiled(text)))
    thread.start()
    thread.join()
    (code,) = made
    return code


def test_a_forked_child_leaves_machines_of_other_threads_alone():
    """Their disposal would wait for llvmlite's lock, which a thread that the child doesn't have may hold."""
    code = (
        "import os, threading\n"
        "from lanewise.llvm import Machine\n"
        "from lanewise.llvm.binding import llvm\n"
        "host, lock, made, held = Machine.host(), llvm().ffi.lib._lock, threading.Event(), threading.Event()\n"
        "def work():\n"
        "    host.of_thread(3)\n"
        "    with lock:\n"
        "        made.set()\n"
        "        held.wait()\n"
        "thread = threading.Thread(target=work)\n"
        "thread.start()\n"
        "made.wait()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    os._exit(7)\n"
        "held.set()\n"
        "thread.join()\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    assert (done.stdout, done.stderr) == ("7\n", "")


def test_architecture_is_that_of_the_triple():
    assert Machine("aarch64-unknown-linux-gnu", "generic", "+neon").architecture == "aarch64"


def _compiled(text: str) -> bytes:
    module = LlvmModule.parse(text)
    host = Machine.host()
    host.claim(module)
    host.optimise(module)
    return host.object(module)


def test_what_passes_take_of_memory_is_given_back():
    """Pass managers that aren't freed leave 80 KB per run of passes, and names of passes 55 KB."""
    script = f"""
import ctypes
from lanewise.llvm import LlvmModule, Machine, run_passes
class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena o s h mapped u f used free keep".split()]
libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Info
def used():
    info = libc.mallinfo2()
    return info.used + info.mapped
def work():
    for _ in range(5):
        module = LlvmModule.parse({SUM!r})
        host.claim(module)
        run_passes(module, ["sroa", "instcombine"], host)
        host.simplify(module)
        host.optimise(module)
host = Machine.host()
work()
before = used()
work()
print((used() - before) // 5)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 30_000
