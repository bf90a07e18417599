# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/backend/host"""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lanewise.backend.host.compile import assembly, compile_shared_object
from lanewise.backend.host.features import features
from lanewise.errors import Error
from lanewise.ir.module import IN_VECTORS
from lanewise.llvm import LlvmError, Machine
from lanewise.runtime import load

SAXPY = """
define void @saxpy(ptr %x, ptr %y, i64 %n, float %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %q = getelementptr float, ptr %y, i64 %i
  %u = load float, ptr %p, !llvm.access.group !2
  %v = load float, ptr %q, !llvm.access.group !2
  %m = fmul float %u, %a
  %s = fadd float %m, %v
  store float %s, ptr %q, !llvm.access.group !2
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.parallel_accesses", !2}
!2 = distinct !{}
"""


FOUR = """
define void @four(ptr noalias %x, ptr noalias %y) {
""" + "".join(
    f"""
  %p{i} = getelementptr float, ptr %x, i64 {i}
  %v{i} = load float, ptr %p{i}
  %s{i} = fadd float %v{i}, 1.0
  %q{i} = getelementptr float, ptr %y, i64 {i}
  store float %s{i}, ptr %q{i}
"""
    for i in range(4)
) + "ret void\n}\n"  # fmt: skip


def test_compiled_code_runs():
    library = load(compile_shared_object(SAXPY))
    numbers = ctypes.c_float * 100
    x, y = numbers(*range(100)), numbers(*([1.0] * 100))
    library.saxpy(x, y, ctypes.c_int64(100), ctypes.c_float(2.0))
    assert list(y) == [2.0 * i + 1.0 for i in range(100)]


def test_parallel_loops_are_vectorised_as_wide_as_the_host_is():
    text = assembly(SAXPY)
    host = Machine.host()
    if "+avx512f" in host.features.split(","):
        assert "zmm" in text
    elif "+avx2" in host.features.split(","):
        assert "ymm" in text
    # Parallel accesses need no run-time check for overlap, hence no scalar loop before the vector one.
    assert "vector.memcheck" not in text


@pytest.mark.skipif(not Machine.host().triple.startswith("x86_64"), reason="looks at instructions of x86-64")
def test_straight_line_code_becomes_vectors_unless_it_says_that_it_is():
    assert "addps" in assembly(FOUR)
    alone = assembly(f"{FOUR}\n{IN_VECTORS} = !{{}}\n")
    assert "addps" not in alone
    assert alone.count("addss") == 4


def test_a_functions_own_vector_width_is_kept():
    narrow = SAXPY.replace("float %a) {", 'float %a) "prefer-vector-width"="128" {')
    assert "zmm" not in assembly(narrow)
    assert "ymm" not in assembly(narrow)


def test_no_contraction_that_the_ir_does_not_ask_for():
    assert "fma" not in assembly(SAXPY).lower()


def test_llvm_prints_nothing(capfd: pytest.CaptureFixture[str]):
    wanted = SAXPY.replace(
        '!1 = !{!"llvm.loop.parallel_accesses", !2}', '!1 = !{!"llvm.loop.vectorize.enable", i1 true}'
    )
    assembly(wanted.replace("load float", "load volatile float").replace("store float", "store volatile float"))
    assert capfd.readouterr() == ("", "")


def test_libm_is_found():
    library = load(
        compile_shared_object(
            "declare double @erfc(double)\n"
            "define double @f(double %x) {\n  %y = call double @erfc(double %x)\n  ret double %y\n}"
        )
    )
    library.f.restype = ctypes.c_double
    library.f.argtypes = (ctypes.c_double,)
    assert library.f(0.0) == 1.0


def test_triple_and_layout_of_another_target_are_replaced():
    foreign = 'target datalayout = "e-p:64:64"\ntarget triple = "nvptx64-nvidia-cuda"\n' + SAXPY
    assert compile_shared_object(foreign) == compile_shared_object(SAXPY)


def test_ir_that_llvm_refuses():
    with pytest.raises(LlvmError, match="expected top-level entity"):
        compile_shared_object("nonsense")


def test_a_symbol_that_nobody_defines_is_refused_when_loaded():
    data = compile_shared_object("declare void @nowhere()\ndefine void @f() {\n  call void @nowhere()\n  ret void\n}")
    with pytest.raises(OSError, match="nowhere"):
        load(data)._handle  # noqa: B018


def test_no_temporary_file_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    load(compile_shared_object(SAXPY))
    with pytest.raises(Error):
        compile_shared_object("nonsense")
    assert list(tmp_path.iterdir()) == []


def test_features_tell_the_processor_without_llvm():
    code = (
        "import sys; from lanewise.backend.host.features import features; print(features(), 'llvmlite' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{features()} False"
    assert "flags: " in features() or "Features: " in features()


@pytest.mark.skipif("avx2" not in features(), reason="needs a processor with AVX2")
def test_a_level_limits_instruction_sets_and_has_a_key_of_its_own():
    code = f"""if True:
        from lanewise.backend.host.compile import assembly
        from lanewise.backend.host.features import features, instruction_sets
        from lanewise.pipelines.target import host_target
        print(host_target().processor.lanes, "zmm" in assembly({SAXPY!r}), "avx512f" in instruction_sets(), features())
    """
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "LANEWISE_CPU": "x86-64-v3"}, capture_output=True, text=True
    )
    assert done.stdout == "8 False False x86_64; level: x86-64-v3\n", done.stderr
