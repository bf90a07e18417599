# SPDX-License-Identifier: Apache-2.0
"""The ways to ask for checks, and what is refused."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

SOURCE = """
__global__ void set(int *p, int by) { p[threadIdx.x] = 1 / by; }
"""


def faults(module: lw.Module, threads: int, by: int) -> list[str]:
    try:
        module["set"][1, threads](np.zeros(4, np.int32), by)
    except lw.CheckError as error:
        return [fault.kind for fault in error.faults]
    return []


@pytest.mark.parametrize(
    ("checked", "found"),
    [(True, ["out of bounds", "division by zero"]), ("memory", ["out of bounds"]), (["values"], ["division by zero"]),
     ((), []), (False, [])],
)  # fmt: skip
def test_what_a_compilation_asks_for(checked: object, found: list[str]) -> None:
    module = lw.compile(SOURCE, language="cuda", checked=checked)  # type: ignore[arg-type]
    assert faults(module, 5 if found else 4, 0) == found


def test_what_the_code_around_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def checks() -> list[str]:
        return faults(lw.compile(SOURCE, language="cuda"), 4, 0)

    assert checks() == []
    with lw.checked("values"):
        assert checks() == ["division by zero"]
        with lw.checked("memory"):
            assert checks() == []
    monkeypatch.setenv("LANEWISE_CHECK", "values, races")
    assert checks() == ["division by zero"]
    monkeypatch.setenv("LANEWISE_CHECK", "0")
    assert checks() == []
    monkeypatch.setenv("LANEWISE_CHECK", "value")
    with pytest.raises(lw.Error, match="LANEWISE_CHECK: checked: there is no check 'value'; the checks are 'memory', "):
        checks()


@pytest.mark.parametrize("text", [",", "races,", "memory,,races", ", values"])
def test_names_that_are_empty(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("LANEWISE_CHECK", text)
    with pytest.raises(lw.Error, match=f"^LANEWISE_CHECK: an empty name among the checks '{text.strip()}'$"):
        lw.compile(SOURCE, language="cuda")


@pytest.mark.parametrize(
    ("checked", "text"),
    [("memroy", "checked: there is no check 'memroy'; the checks are 'memory', 'values', 'unwritten', 'races'"),
     ("memory,races", "checked: there is no check 'memory,races'; .* several are a list of names"),
     (3, "checked must be True, False, or names of checks such as 'memory', not 3"),
     ([1], r"checked must be True, False, or names of checks such as 'memory', not \[1\]")],
)  # fmt: skip
def test_what_is_no_check(checked: object, text: str) -> None:
    with pytest.raises(lw.Error, match=text):
        lw.compile(SOURCE, language="cuda", checked=checked)  # type: ignore[arg-type]


def test_no_word_of_a_checked_kernel_is_lost(tmp_path: Path) -> None:
    """Launches in streams, saved modules and other devices tell the same; a profile would count the checks."""
    module = lw.compile(SOURCE, language="cuda", checked=True)
    stream = lw.Stream()
    module["set"].launch(1, 5, (np.zeros(4, np.int32), 1), stream=stream)
    with pytest.raises(lw.CheckError, match=r"element 4 of argument 'p', int32\[4\]: just past its end"):
        stream.synchronize()
    module.save(tmp_path / "set.lwo")
    assert faults(lw.load(tmp_path / "set.lwo"), 5, 1) == ["out of bounds"]
    with lw.on("simt"), pytest.raises(lw.CheckError):
        module["set"][1, 5](lw.zeros(4, np.int32), 1)
    with pytest.raises(lw.CompileError, match="its checks would be counted, too"):
        module["set"].profile(1, 4, (np.zeros(4, np.int32), 1))


def test_open_cl_in_its_own_terms() -> None:
    source = """
    kernel void set(global int *p, local int *t) {
        t[get_local_id(0) + 1] = 1;
        p[get_global_id(0)] = 1;
    }
    """
    module = lw.compile(source, language="opencl", checked="memory")
    with pytest.raises(lw.CheckError) as raised:
        module["set"].ndrange(7, 4)(np.zeros(6, np.int32), lw.local(16))
    first, second = [line.split(": error: ")[1] for line in str(raised.value).splitlines() if "error" in line]
    who = "in work-group (0, 0, 0), work-item (3, 0, 0)"
    assert first == f"write out of bounds: byte 16 of local memory 't' of 16 bytes: just past its end, {who}"
    who = "in work-group (1, 0, 0), work-item (2, 0, 0)"
    assert second == f"write out of bounds: element 6 of argument 'p', int32[6]: just past its end, {who}"


def test_instances_of_templates() -> None:
    """An instance is compiled when it is first named, after others have been launched."""
    source = "template <int N> __global__ void set(int *p) { p[threadIdx.x + N] = 1; }"
    module = lw.compile(source, language="cuda", checked=True)
    for first in (2, 3):
        module[f"set<{first}>"][1, 4 - first](np.zeros(4, np.int32))
        with pytest.raises(lw.CheckError, match=r"element 4 of argument 'p', int32\[4\]"):
            module[f"set<{first}>"][1, 5 - first](np.zeros(4, np.int32))


def test_pointers_that_say_nothing_are_named() -> None:
    source = """
    kernel void follow(local int *a, local int *b, global int *q, int n) {
        local int *each[2] = {a, b};
        each[n][get_local_id(0)] = 1;
        q[0] = 1;
    }
    """
    module = lw.compile(source, language="opencl", checked=True)
    assert module.warnings == (
        "warning: kernel follow: 1 access to memory is not checked, since the code doesn't tell which array the "
        "pointer points to",
    )


def test_the_command_line_and_pytest(tmp_path: Path) -> None:
    file = tmp_path / "set.cu"
    file.write_text(SOURCE)
    command = [sys.executable, "-m", "lanewise", "run", str(file), "-b", "5", "-a", "p=zeros[4]", "-a", "by=1"]
    run = subprocess.run([*command, "--check", "memory"], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "kernel set: 1 place at fault\n" in run.stderr
    assert "set.cu:2:39: error: write out of bounds: element 4 of argument 'p'" in run.stderr
    (tmp_path / "test_set.py").write_text(
        "import lanewise as lw\n"
        "def test_set():\n"
        f"    lw.compile({str(file)!r})['set'][1, 4](lw.zeros(5, 'i4')[:3], 1)\n"
    )
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_set.py"]
    plain, checked = (
        subprocess.run([*pytest_run, *more], cwd=tmp_path, capture_output=True, text=True, check=False)
        for more in ([], ["--lanewise-check=memory"])
    )
    assert plain.returncode == 0
    assert "element 3 of argument 'p', int32[3]" in checked.stdout


def test_a_test_s_name_behind_pytest_s_option_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test_set.py").write_text("def test(): pass\n")
    run = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--lanewise-check", "test_set.py"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--lanewise-check: 'test_set.py' stands where names of checks do, but is a file" in done.stderr
    assert "--lanewise-check=1 before a test's name asks for all checks" in done.stderr
    (tmp_path / "memory").mkdir()
    named = [*run[:-2], "--lanewise-check=memory", "test_set.py"]
    assert subprocess.run(named, cwd=tmp_path, capture_output=True, check=False).returncode == 0


def test_kernel_ir_is_checked_in_a_process_of_its_own() -> None:
    lines = (
        'target triple = "nvptx64-nvidia-cuda"',
        "define ptx_kernel void @k(ptr %p, i64 %i) {",
        "  %q = getelementptr i32, ptr %p, i64 %i",
        "  store i32 1, ptr %q, align 4",
        "  ret void",
        "}\n",
    )
    source = "\n".join(lines)
    module = lw.compile(source, language="ir", checked=True)
    module["k"][1, 1](np.zeros(4, np.int32), 3)
    with pytest.raises(lw.CheckError, match=r"write out of bounds: (byte 16|element 4) of argument 'p'"):
        module["k"][1, 1](np.zeros(4, np.int32), 4)
