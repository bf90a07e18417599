# SPDX-License-Identifier: Apache-2.0
"""`lanewise compile`, `devices`, `cache`, `--version` and `--help`."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lanewise as lw

Run = Callable[[str], Any]


@pytest.mark.parametrize(
    ("options", "holds"),
    [
        ("", ".entry"),
        ("--emit ptx --arch sm_90", ".target sm_90"),
        ("--emit ir", "ptx_kernel void"),
        ("--emit ir --after simplify", "ptx_kernel void"),
        ("--emit ir --after work-group --block 32", "@lw_group"),
        ("--emit asm --block 8,8", "lw_group:"),
    ],
)
def test_text_goes_to_standard_output(run: Run, options: str, holds: str):
    done = run(f"compile saxpy.cu {options}")
    assert (done.code, done.err) == (0, "")
    assert holds in done.out
    assert run(f"compile saxpy.cu {options} -o -").out == done.out


def test_steps_of_a_pipeline_are_shown(run: Run):
    shown = run("compile saxpy.cu --emit ir --print-after drop-noalias --print-after isolate").out
    assert shown.startswith("; after isolate\n")
    assert "; after drop-noalias: unchanged\n" in shown
    assert "; after optimise\n" in run("compile saxpy.cu --print-after all").out
    timed = run("compile saxpy.cu --emit ir --time-passes").out
    assert " ms  inline\n" in timed
    assert " ms  drop-noalias (unchanged)\n" in timed
    explained = run("compile saxpy.cu --explain-passes").out
    assert re.search(r"^contract-multiply-add: \d+ instructions in place of \d+ \(saxpy.cu:\d+\): one ", explained)
    assert "optimise: " in explained
    assert (
        run("compile saxpy.cu --emit ir --stop-after simplify").out
        == run("compile saxpy.cu --emit ir --after simplify").out
    )
    assert "@lw_group" in run("compile saxpy.cu --emit ir --disable widen-indices").out
    assert "ptx_kernel" in run("compile saxpy.cu --disable hide-other-kernels").out, (
        "also if the last step changes nothing"
    )


def test_steps_of_a_pipeline_are_shown_in_a_file(run: Run, folder: Path):
    done = run("compile saxpy.cu --emit ir --stop-after isolate -o isolated.ll")
    assert (done.code, done.out) == (0, "")
    assert "ptx_kernel" in (folder / "isolated.ll").read_text()


@pytest.mark.parametrize(
    "options", ["--explain-passes -o k.lwo", "--time-passes -o k.so", "--emit obj --stop-after inline -o k"]
)
def test_text_is_not_written_as_an_object(run: Run, folder: Path, options: str):
    done = run(f"compile saxpy.cu {options}")
    assert done.code == 2
    assert "is text, and k" in " ".join(done.err.split())
    assert not list(folder.glob("k*"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--disable work-group --emit ir", "the step 'work-group' can't be disabled"),
        ("--print-after none", "no step is called 'none'; the steps are 'define-grid-sync', "),
        ("--emit ir --stop-after none", "no step is called 'none'; the steps are 'contract-multiply-add', "),
    ],
)
def test_a_step_that_there_is_not_is_refused(run: Run, options: str, message: str):
    done = run(f"compile saxpy.cu {options}")
    assert done.code == 1
    assert message in done.err


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("k.ptx", b"//"),
        ("k.ll", b";"),
        ("k.s", b"\t"),
        ("k.so", b"\x7fELF"),
        ("k.o", b"\x7fELF"),
        ("k.lwo", b"\x93LWO"),
    ],
)
def test_the_end_of_a_name_says_what_to_write(run: Run, folder: Path, name: str, begins: bytes):
    assert run(f"compile saxpy.cu -o {name}").code == 0
    assert (folder / name).read_bytes().lstrip(b"\n").startswith(begins)
    assert sorted(path.name for path in folder.iterdir()) == sorted([name, "saxpy.cu"])


def test_remarks_are_a_line_each(run: Run, monkeypatch: pytest.MonkeyPatch):
    def remarks(kernel: lw.Kernel, block: tuple[int, ...]) -> list[str]:
        return [f"{kernel.name} for {block}", f"asked for: {kernel.info(block).mapping}"]

    monkeypatch.setattr(lw.Kernel, "remarks", remarks)
    done = run("compile saxpy.cu --emit remarks --mapping lanes:8x2 --block 32,2")
    assert (done.code, done.out, done.err) == (0, "saxpy for (32, 2)\nasked for: lanes:8x2\n", "")


def test_a_file_is_replaced_whole_and_a_link_followed(run: Run, folder: Path):
    (folder / "real.ptx").write_text("old")
    (folder / "link.ptx").symlink_to("real.ptx")
    assert run("compile saxpy.cu -o link.ptx").code == 0
    assert (folder / "link.ptx").is_symlink()
    assert ".entry" in (folder / "real.ptx").read_text()
    assert run("compile saxpy.cu -o /dev/null").code == 0


def test_a_failed_compilation_leaves_the_old_file(run: Run, folder: Path):
    (folder / "k.ptx").write_text("old")
    (folder / "saxpy.cu").write_text("broken")
    assert run("compile saxpy.cu -o k.ptx").code == 1
    assert (folder / "k.ptx").read_text() == "old"


def test_a_template_s_instance_in_ptx(run: Run, folder: Path):
    (folder / "t.cu").write_text("template <typename T> __global__ void one(T *p) { *p = 1; }")
    assert ".entry _Z3oneIfEvPT_" in run("compile t.cu --kernel 'one<float>'").out


def test_warnings_go_to_standard_error(run: Run, folder: Path):
    (folder / "w.cu").write_text("#warning look here\n__global__ void k() {}\n")
    done = run("compile w.cu --emit ir")
    assert done.code == 0
    assert done.err.startswith("w.cu:1:2: warning: look here")


def test_devices(run: Run):
    lines = run("devices").out.splitlines()
    assert lines[0].startswith("cpu        ")
    assert lines[0].endswith("(default)")
    assert lines[1].startswith("reference  ")


def test_the_cache(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANEWISE_CACHE_DIR", str(folder / "cache"))
    assert run("cache").out == f"{folder / 'cache'}: 0 entries, 0 B\n"
    entry = folder / "cache" / "v1" / "objects" / "ab" / "abcd"
    entry.mkdir(parents=True)
    (entry / "file").write_bytes(bytes(3000))
    assert run("cache info").out.startswith(f"{folder / 'cache'}: 1 entry, ")
    assert run("cache clear").out.startswith("removed 1 entry, ")
    assert not entry.exists()
    monkeypatch.setenv("LANEWISE_CACHE", "0")
    assert run("cache").out == "the cache is off (LANEWISE_CACHE=0)\n"


def test_version(run: Run):
    assert run("--version").out == f"lanewise {lw.__version__}\n"


@pytest.mark.parametrize("command", ["", "run", "compile", "devices", "cache", "doctor"])
def test_help(run: Run, command: str):
    done = run(f"{command} --help")
    assert done.code == 0
    assert "Usage: lanewise" in done.out
    assert run(f"{command} -h").out == done.out


def test_help_shows_each_form_of_an_argument(run: Run):
    out = run("run --help").out
    for form in ("zeros:f32[8,16]", "zeros[8,16]", "[1,2,3]", "@in.npy", "null", "1,2,3,4", "-a y=ones[1000]"):
        assert form in out


def loaded_by(*words: str) -> str:
    """A list of the packages that the command loads, of three that take long to load; its cache is empty."""
    code = (
        f"import sys; sys.argv = ['lanewise', *{words!r}]\n"
        "from lanewise.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "print([m for m in ('numpy', 'llvmlite', 'rich') if m in sys.modules])"
    )
    environment = {**os.environ, "LANEWISE_CACHE": "0"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.splitlines()[-1]


def test_the_command_loads_no_compiler_and_no_numpy_to_say_its_version():
    assert loaded_by("--version") == "[]"


def test_the_command_loads_no_numpy_to_compile(folder: Path):
    assert loaded_by("compile", "saxpy.cu", "-o", "saxpy.ptx") == "['llvmlite']"
    assert ".entry" in (folder / "saxpy.ptx").read_text()


def test_a_reader_that_has_seen_enough(folder: Path):
    command = f"{sys.executable} -m lanewise compile saxpy.cu --emit ir | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env={**os.environ}, check=False)
    assert done.stderr == ""
