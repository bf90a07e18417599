# SPDX-License-Identifier: Apache-2.0
"""What commands print, and where: JSON, --quiet, --verbose, colours, standard input, whole arrays, completion."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lanewise as lw

Run = Callable[[str], Any]

LAUNCH = "-b 4 -a y=ones[4] -a x=arange[4] -a a=2 -a n=4"
BROKEN = "__global__ void k(int *p) { *p = nope; }\n"


class TestJson:
    def test_run(self, run: Run, folder: Path):
        done = run(f"run saxpy.cu {LAUNCH} --json --print x --save y.npy --time")
        assert (done.code, done.err) == (0, "")
        told = json.loads(done.out)
        assert (told["kernel"], told["device"], told["grid"], told["block"]) == ("saxpy", "cpu", [1], [4])
        assert told["seconds"].keys() == {"front_end", "machine_code", "run"}
        expected = {"type": "f32", "shape": [4], "min": 1.0, "max": 7.0, "nan": 0, "first": [1.0, 3.0, 5.0, 7.0]}
        assert told["arrays"]["y"] == expected
        assert told["arrays"]["x"]["values"] == [0.0, 1.0, 2.0, 3.0]
        assert told["files"] == {"y": "y.npy"}
        assert told["timing"]["least"] <= told["timing"]["median"] <= told["timing"]["most"]

    def test_what_a_kernel_prints_is_part_of_the_object(self, run: Run, folder: Path):
        (folder / "says.cu").write_text('__global__ void says() { printf("hello\\n"); }')
        assert json.loads(run("run says.cu --json").out)["output"] == "hello\n"

    def test_numbers_that_json_lacks(self, run: Run):
        done = run("run saxpy.cu -b 3 -a [0,0,1] -a full(inf)[3] -a 0 -a 2 --json")
        assert "NaN" not in done.out
        assert json.loads(done.out)["arrays"]["y"]["first"] == [None, None, 1.0]

    def test_an_error(self, run: Run, folder: Path):
        (folder / "broken.cu").write_text(BROKEN)
        done = run("run broken.cu -a zeros[1] --json")
        told = json.loads(done.out)["error"]
        assert (done.code, told["kind"]) == (1, "CompileError")
        assert told["diagnostics"] == ["broken.cu:1:34: error: use of undeclared identifier 'nope'"]

    def test_devices_and_cache(self, run: Run):
        assert [device["name"] for device in json.loads(run("devices --json").out)] == ["cpu", "reference", "simt"]
        assert json.loads(run("cache info --json").out).keys() == {"folder", "entries", "bytes"}


class TestQuietAndVerbose:
    def test_quiet_leaves_what_was_asked_for(self, run: Run, folder: Path):
        done = run(f"run saxpy.cu {LAUNCH} -q --print y --save y.npy")
        assert (done.code, done.out, done.err) == (0, "y  f32[4]\n[1. 3. 5. 7.]\n", "")
        (folder / "w.cu").write_text("#warning look here\n__global__ void k() {}\n")
        assert run("compile w.cu --emit ir -q").err == ""

    def test_verbose_names_each_step(self, run: Run):
        steps = run(f"run saxpy.cu {LAUNCH} -v").err.splitlines()
        begins = [f"lanewise: {name}: " for name in ("front end", "machine code", "saxpy: region 0", "runtime")]
        assert [begin for step in steps for begin in begins if step.startswith(begin)] == begins
        assert run("compile saxpy.cu -v --emit ptx").err.splitlines()[1].startswith("lanewise: ptx: ")

    def test_the_first_run_of_a_machine_says_what_it_builds(self, run: Run, folder: Path):
        line = f"run saxpy.cu {LAUNCH}".split()
        command = [sys.executable, "-m", "lanewise", *line]
        environ = {**os.environ, "LANEWISE_CACHE_DIR": str(folder / "fresh")}
        first, second = (subprocess.run(command, env=environ, capture_output=True, text=True) for _ in range(2))
        assert first.stderr == "lanewise: building the runtime for this machine, which is done once\n"
        assert second.stderr == ""

    def test_a_launch_that_breaks_a_rule_builds_nothing(self, folder: Path):
        command = [sys.executable, "-m", "lanewise", *f"run saxpy.cu {LAUNCH} -b 2000".split()]
        environ = {**os.environ, "LANEWISE_CACHE_DIR": str(folder / "fresh")}
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
        assert done.stderr == "lanewise: error: block (2000): x must be 1 to 1024, not 2000\n"


class TestColours:
    RED_ERROR = "\x1b[1mbroken.cu:1:34: \x1b[1;31merror\x1b[0m\x1b[1m: use of undeclared identifier 'nope'\x1b[0m\n"

    @pytest.fixture(autouse=True)
    def broken(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (folder / "broken.cu").write_text(BROKEN)
        for name in ("NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)

    def test_always(self, run: Run):
        shown = run("compile broken.cu --color always").err
        assert shown.startswith(self.RED_ERROR)
        assert shown.endswith("      | \x1b[1;32m                                 ^~~~\x1b[0m\n")

    def test_only_on_a_terminal(self, run: Run, monkeypatch: pytest.MonkeyPatch):
        assert "\x1b" not in run("compile broken.cu").err
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert run("compile broken.cu").err.startswith(self.RED_ERROR)
        assert "\x1b" not in run("compile broken.cu --color never").err
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b" not in run("compile broken.cu").err

    def test_errors_of_launches_too(self, run: Run):
        assert run("run saxpy.cu --color always").err.startswith("\x1b[1mlanewise: \x1b[1;31merror\x1b[0m")


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("__kernel void k(__global int *p) { *p = 5; }"))
    done = run("run - --language opencl -a zeros[1]")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1].endswith("first 5")


def test_a_language_for_a_file_of_any_name(run: Run, folder: Path):
    (folder / "kernels.inc").write_text("__global__ void k(int *p) { *p = 5; }")
    assert "first 5" in run("run kernels.inc --language cuda -a zeros[1]").out


def test_whole_arrays(run: Run):
    done = run("run saxpy.cu -b 1 -a arange[3000] -a x=null -a 0 -a 0 --print y")
    numbers = done.out.partition("y  f32[3000]\n")[2]
    assert [float(n) for n in numbers.strip("[]\n ").split()] == list(range(3000))


def test_ptx_of_one_kernel(run: Run, folder: Path):
    (folder / "two.cu").write_text(
        "__device__ int both; __global__ void a() { both = 1; } __global__ void b(int *p) { *p = 2; }"
    )
    assert run("compile two.cu").out.count(".entry") == 2
    one = run("compile two.cu --kernel b").out
    assert one.count(".entry") == 1
    assert ".entry _Z1bPi(" in one
    assert "_Z1av" not in one
    assert lw.compile("two.cu").ptx(kernel="a").count(".entry") == 1


@pytest.mark.parametrize("emit", ["ptx", "lwo -o k.lwo"])
def test_a_file_of_templates_alone(run: Run, folder: Path, emit: str):
    (folder / "t.cu").write_text("template <typename T> __global__ void one(T *p) { *p = 1; }")
    done = run(f"compile t.cu --emit {emit}")
    assert done.code == 1
    assert "of a template, name an instance, such as --kernel 'scale<float>'" in done.err


@pytest.mark.parametrize("command", ["opt", "emulate"])
def test_sources_become_ptx_first(run: Run, command: str):
    done = run(f"{command} saxpy.cu --arch sm_60" + (" -o out.ptx" if command == "opt" else ""))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("_Z5saxpyPfPKffi: ")


def test_completion_of_commands_and_values(folder: Path):
    def completed(words: str) -> list[str]:
        environ = {**os.environ, "_LANEWISE_COMPLETE": "complete_bash", "COMP_WORDS": words}
        environ["COMP_CWORD"] = str(len(words.split(" ")) - 1)
        code = "import sys; sys.argv = ['lanewise']; from lanewise.cli import main; main()"
        done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False)
        return done.stdout.split()

    assert completed("lanewise comp") == ["compile"]
    assert "ptx" in completed("lanewise compile saxpy.cu --emit ")
