# SPDX-License-Identifier: Apache-2.0
"""`lanewise ptxas`: in front of a stand-in that tells what it was called with, and in front of the real ptxas."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.test_ptx import STENCIL
from tests.ptx.language.cubin import sections

REAL = next((p for p in (shutil.which("ptxas"), "/usr/local/cuda/bin/ptxas") if p and os.access(p, os.X_OK)), None)
NVCC = shutil.which("nvcc")
needs_ptxas = pytest.mark.skipif(REAL is None, reason="no ptxas here")
needs_nvcc = pytest.mark.skipif(NVCC is None or REAL is None, reason="no nvcc here")

FAKE = f"""#!{sys.executable}
import json, os, sys, time
files = {{a: open(a, errors="replace").read() for a in sys.argv[1:] if os.path.isfile(a)}}
if "-" in sys.argv:
    files["-"] = sys.stdin.read()
with open(os.environ["FAKE_LOG"], "a") as log:
    log.write(json.dumps([sys.argv[1:], files]) + "\\n")
if "FAKE_SLEEPS" in os.environ:
    time.sleep(60)
print("told on output")
for name, text in files.items():
    for number, line in enumerate(text.split("\\n"), 1):
        if "st.global" in line:
            print(f"ptxas {{name}}, line {{number}}; warning : a store", file=sys.stderr)
if "shfl" in "".join(files.values()) and "FAKE_REFUSES" in os.environ:
    print("refused", file=sys.stderr)
    sys.exit(255)
sys.exit(int(os.environ.get("FAKE_EXIT", "0")))
"""
COMMAND = [sys.executable, "-m", "lanewise", "ptxas"]
STORE = 1 + STENCIL[: STENCIL.index("st.global")].count("\n")


class Folder:
    """The current folder of a call, with blur.ptx, a stand-in for ptxas, and a folder for temporary files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "blur.ptx").write_text(STENCIL)
        self.temporary = path / "temporary"
        self.temporary.mkdir()
        self.fake = path / "real" / "ptxas"
        self.fake.parent.mkdir()
        self.fake.write_text(FAKE)
        self.fake.chmod(0o755)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("LANEWISE_PTXAS", "CUDA_"))},
            "LANEWISE_PTXAS": str(self.fake), "FAKE_LOG": str(path / "log"), "TMPDIR": str(self.temporary),
        }  # fmt: skip

    def run(self, *arguments: str, stdin: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**self.environment, **more}
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=self.path, env=environment, input=stdin, capture_output=True, text=True,
            timeout=60,
        )  # fmt: skip
        assert not list(self.temporary.iterdir())
        return done

    @property
    def calls(self) -> list[tuple[list[str], dict[str, str]]]:
        """Arguments of the stand-in, and what the files that they name held."""
        log = self.path / "log"
        return [(call[0], call[1]) for call in map(json.loads, log.read_text().splitlines())] if log.exists() else []

    def the_call(self) -> tuple[list[str], str]:
        ((arguments, files),) = self.calls
        return arguments, "".join(files.values())


@pytest.fixture
def at(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


# -- what ptxas is called with ---------------------------------------------------------------------------------


def test_a_file_is_rewritten_and_all_else_passed_on_in_order(at: Folder):
    done = at.run(
        "-arch=sm_60", "-O3", "--new-option", "x y", "--lanewise-always", "blur.ptx", "-m64", "-o", "out.cubin"
    )
    arguments, text = at.the_call()
    assert "shfl.sync" in text
    assert arguments[:4] == ["-arch=sm_60", "-O3", "--new-option", "x y"]
    assert arguments[5:] == ["-m64", "-o", "out.cubin"]
    assert arguments[4] != "blur.ptx"
    assert Path(arguments[4]).name == "blur.ptx"
    assert (done.returncode, done.stdout) == (0, "told on output\n")


def test_messages_have_the_user_s_names_and_lines(at: Folder):
    assert at.run("-arch=sm_60", "blur.ptx").stderr == f"ptxas blur.ptx, line {STORE}; warning : a store\n"
    (at.path / "sub").mkdir()
    (at.path / "sub" / "blur.ptx").write_text(STENCIL)
    done = at.run("-arch=sm_60", "blur.ptx", "sub/blur.ptx")
    assert done.stderr.splitlines() == [
        f"ptxas {name}, line {STORE}; warning : a store" for name in ("blur.ptx", "sub/blur.ptx")
    ]


def test_standard_input(at: Folder):
    done = at.run("-arch=sm_60", "-", stdin=STENCIL)
    arguments, text = at.the_call()
    assert "shfl.sync" in text
    assert arguments[1] != "-"
    assert done.stderr == f"ptxas <stdin>, line {STORE}; warning : a store\n"


def test_standard_input_that_stays_as_it_is(at: Folder):
    at.run("-arch=sm_80", "-", stdin=STENCIL)
    assert at.the_call() == (["-arch=sm_80", "-"], STENCIL)


@pytest.mark.parametrize(
    ("arguments", "shuffles"),
    [
        ("blur.ptx", True),  # the file's .target sm_60
        ("-arch=sm_80 blur.ptx", False),
        ("-arch sm_80 blur.ptx", False),
        ("--gpu-name sm_90a blur.ptx", False),
        ("--gpu-name=sm_61 blur.ptx", True),
        ("-arch=sm_61 -arch=sm_80 blur.ptx", False),
        ("-arch=sm_80 --lanewise-always blur.ptx", True),
        ("--lanewise-max-delta=0 blur.ptx", False),
        ("-g blur.ptx", False),  # to be stepped through
        ("--device-debug blur.ptx", False),
        ("-lineinfo blur.ptx", True),
    ],
)
def test_whether_it_pays(at: Folder, arguments: str, shuffles: bool):
    at.run(*arguments.split())
    called, text = at.the_call()
    assert ("shfl" in text) == shuffles
    if not shuffles:
        assert called == [word for word in arguments.split() if not word.startswith("--lanewise")]


@pytest.mark.parametrize("option", ["-o", "--output-file", "--entry", "--options-file"])
def test_a_file_that_is_no_input(at: Folder, option: str):
    at.run(option, "blur.ptx")
    assert at.the_call() == ([option, "blur.ptx"], STENCIL)


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h", "-"], ["--version"], ["-V"], ["nowhere.ptx"], ["."]])
def test_nothing_to_rewrite(at: Folder, arguments: list[str]):
    done = at.run(*arguments)
    assert [call[0] for call in at.calls] == [arguments]
    assert (done.returncode, done.stdout) == (0, "told on output\n")


# -- a build never breaks by us --------------------------------------------------------------------------------


def test_an_exit_code(at: Folder):
    assert at.run("-arch=sm_80", "blur.ptx", FAKE_EXIT="7").returncode == 7
    assert at.run("-arch=sm_80", "-", FAKE_EXIT="7", stdin=STENCIL).returncode == 7
    assert at.run("--version", FAKE_EXIT="9").returncode == 9


def test_what_is_wrong_is_said_of_the_user_s_file(at: Folder):
    done = at.run("-arch=sm_60", "blur.ptx", FAKE_EXIT="255")
    assert done.returncode == 255
    assert (done.stdout, done.stderr) == ("told on output\n", f"ptxas blur.ptx, line {STORE}; warning : a store\n")
    rewritten, own = at.calls
    assert "shfl" in "".join(rewritten[1].values())
    assert own == (["-arch=sm_60", "blur.ptx"], {"blur.ptx": STENCIL})


@pytest.mark.parametrize("name", ["blur.ptx", "-"])
def test_a_rewritten_file_that_ptxas_refuses(at: Folder, name: str):
    done = at.run("-arch=sm_60", name, FAKE_REFUSES="1", stdin=STENCIL)
    assert done.returncode == 0
    assert "refused" not in done.stderr
    title = "<stdin>" if name == "-" else name
    assert done.stderr.splitlines()[-1] == (
        f"lanewise: warning: {title}: assembled as it is: ptxas refuses what was made of it"
    )
    assert at.calls[-1] == (["-arch=sm_60", name], {name: STENCIL})


def test_a_file_that_can_t_be_read_as_ptx(at: Folder):
    broken = STENCIL.replace("ret;", "ret")
    (at.path / "blur.ptx").write_text(broken)
    done = at.run("-arch=sm_60", "blur.ptx")
    assert at.the_call() == (["-arch=sm_60", "blur.ptx"], broken)
    assert done.returncode == 0
    warning = done.stderr.splitlines()[0]
    assert warning.startswith("lanewise: warning: blur.ptx is assembled as it is: blur.ptx:24:1: error: ")


def test_a_defect_of_ours_breaks_no_build(at: Folder):
    code = "import sys, lanewise.ptx as p; p.parse = lambda *_: 1 / 0; from lanewise.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "ptxas", "blur.ptx"], cwd=at.path, env=at.environment,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0
    assert at.the_call() == (["blur.ptx"], STENCIL)
    assert done.stderr.splitlines()[0] == (
        "lanewise: warning: blur.ptx is assembled as it is: ZeroDivisionError: division by zero"
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_leave_no_files(at: Folder, number: signal.Signals, code: int):
    process = subprocess.Popen(
        [*COMMAND, "-arch=sm_60", "blur.ptx"], cwd=at.path, env={**at.environment, "FAKE_SLEEPS": "1"},
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # tests may run under nohup
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while not at.calls and time.monotonic() < deadline:
        time.sleep(0.02)
    assert list(at.temporary.iterdir())
    process.send_signal(number)
    assert process.wait(30) == code
    assert not list(at.temporary.iterdir())


# -- options of our own ----------------------------------------------------------------------------------------


def test_printed_only(at: Folder):
    done = at.run("-arch=sm_60", "--lanewise-print", "blur.ptx", LANEWISE_PTXAS="/nowhere")
    assert (done.returncode, done.stderr, at.calls) == (0, "", [])
    assert "shfl.sync" in done.stdout
    assert at.run("--lanewise-print", "-arch=sm_80", "-", stdin=STENCIL).stdout == STENCIL
    assert at.run("--lanewise-print").stderr == "lanewise: error: --lanewise-print: no PTX file is named\n"


def test_options_of_the_environment(at: Folder):
    at.run("-arch=sm_80", "blur.ptx", LANEWISE_PTXAS_OPTIONS="--always --max-delta 1")
    assert "shfl" in at.the_call()[1]
    at.run("-arch=sm_80", "--lanewise-max-delta=0", "blur.ptx", LANEWISE_PTXAS_OPTIONS="--lanewise-always")
    assert at.calls[-1] == (["-arch=sm_80", "blur.ptx"], {"blur.ptx": STENCIL})


def test_a_report(at: Folder):
    done = at.run("-arch=sm_60", "--lanewise-report", "blur.ptx")
    assert done.stderr.startswith(
        "lanewise: blur.ptx: blur: 1 of 3 loads replaced by shuffles, 1 lane away on average ("
    )
    for _ in range(2):
        at.run("-arch=sm_80", "blur.ptx", LANEWISE_PTXAS_OPTIONS="--report=all.json")
    first, second = map(json.loads, (at.path / "all.json").read_text().splitlines())
    assert first["file"] == second["file"] == str(at.path / "blur.ptx")
    (kernel,) = first["kernels"]
    assert (kernel["found"], kernel["shuffles"]) == (1, 0)


@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        (["--lanewise-alway"], "", "lanewise ptxas: error: unrecognized arguments: --lanewise-alway"),
        (["--lanewise-max-delta=32"], "", "'32' is no number of lanes from 0 to 31"),
        ([], "--max-delta=-1", "LANEWISE_PTXAS_OPTIONS: error: "),
        ([], "often", "LANEWISE_PTXAS_OPTIONS: error: unrecognized arguments: often"),
    ],
)
def test_usage(at: Folder, arguments: list[str], environment: str, said: str):
    done = at.run(*arguments, "blur.ptx", LANEWISE_PTXAS_OPTIONS=environment)
    assert (done.returncode, done.stdout, at.calls) == (2, "", [])
    assert said in done.stderr


def test_our_help(at: Folder):
    done = at.run("--lanewise-help")
    assert (done.returncode, at.calls) == (0, [])
    assert "--lanewise-max-delta" in done.stdout


# -- which ptxas -----------------------------------------------------------------------------------------------


def installed(at: Folder) -> Path:
    """A script `ptxas` that runs us."""
    assert at.run("--lanewise-install=ours").stdout == "wrote ours/ptxas\n"
    return at.path / "ours" / "ptxas"


def test_an_installed_script(at: Folder):
    script = installed(at)
    environment = {name: value for name, value in at.environment.items() if name != "LANEWISE_PTXAS"}
    done = subprocess.run(
        [script, "-arch=sm_60", "blur.ptx", "a b"], cwd=at.path, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "told on output\n")
    arguments, text = at.the_call()
    assert "shfl" in text
    assert arguments[2] == "a b"
    assert installed(at) == script  # again


def test_a_file_of_somebody_else_stays(at: Folder):
    done = at.run("--lanewise-install=real")
    assert (done.returncode, done.stderr) == (1, "lanewise: error: real/ptxas exists, and is none of ours\n")
    assert at.fake.read_text() == FAKE


def test_the_order_of_places(at: Folder):
    script = installed(at)
    usual = os.defpath
    both = f"{script.parent}{os.pathsep}{at.fake.parent}{os.pathsep}{usual}"
    assert at.run("--version", LANEWISE_PTXAS="", PATH=both).stdout == "told on output\n"
    (at.path / "toolkit" / "bin").mkdir(parents=True)
    at.fake.rename(at.path / "toolkit" / "bin" / "ptxas")
    for name in ("CUDA_HOME", "CUDA_PATH"):
        done = at.run("--version", LANEWISE_PTXAS="", PATH=str(script.parent), **{name: str(at.path / "toolkit")})
        assert done.stdout == "told on output\n"


def test_ourselves_named_as_the_real_one(at: Folder):
    script = installed(at)
    done = at.run("--version", LANEWISE_PTXAS=str(script))
    assert (done.returncode, done.stderr) == (
        1, f"lanewise: error: LANEWISE_PTXAS: {script} is lanewise ptxas itself, and not the real one\n",
    )  # fmt: skip
    done = at.run("--version", LANEWISE_PTXAS="nowhere")
    assert (done.returncode, done.stderr) == (1, "lanewise: error: LANEWISE_PTXAS: nowhere is no program\n")


def test_a_detour_to_ourselves_ends(at: Folder):
    at.fake.write_text(f'#!/bin/sh\nexec {installed(at)} "$@"\n')
    done = at.run("--version")
    assert done.returncode == 1
    assert "calls lanewise ptxas: say with LANEWISE_PTXAS which is the real" in done.stderr


def test_a_toolkit_of_links(at: Folder):
    toolkit = at.fake.parent.parent / "cuda"
    (toolkit / "include").mkdir(parents=True)
    at.fake.parent.rename(toolkit / "bin")
    (toolkit / "bin" / "nvcc.profile").write_text("")
    done = at.run("--lanewise-toolkit=mine", LANEWISE_PTXAS=str(toolkit / "bin" / "ptxas"))
    assert done.stdout == f"made mine a toolkit of links to {toolkit}; it has mine/bin/nvcc\n"
    assert (at.path / "mine" / "include").readlink() == toolkit / "include"
    assert (at.path / "mine" / "bin" / "nvcc.profile").readlink() == toolkit / "bin" / "nvcc.profile"
    done = subprocess.run(
        [at.path / "mine" / "bin" / "ptxas", "--version"],
        env={**at.environment, "LANEWISE_PTXAS": ""}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == "told on output\n"


# -- the real one ----------------------------------------------------------------------------------------------


def shuffles_in(cubin: Path) -> int:
    """How many SHFL its code has: of sm_70 and later, an instruction is 16 bytes, its operation the first 12 bits."""
    found = 0
    for name, code in sections(cubin.read_bytes()).items():
        if name.startswith(".text."):
            found += sum(
                int.from_bytes(code[at : at + 2], "little") & 0xFFF in (0xF89, 0x389, 0x589, 0x989)
                for at in range(0, len(code), 16)
            )
    return found


@needs_ptxas
def test_real_code(at: Folder):
    assert REAL is not None
    for name, options in (("as_it_is", []), ("always", ["--lanewise-always"])):
        done = at.run("-arch=sm_80", *options, "-v", "-o", f"{name}.cubin", "blur.ptx", LANEWISE_PTXAS=REAL)
        assert done.returncode == 0
        assert "Compiling entry function 'blur' for 'sm_80'" in done.stderr
    assert shuffles_in(at.path / "as_it_is.cubin") == 0
    assert shuffles_in(at.path / "always.cubin") == 1
    at.run("-arch=sm_80", "--lanewise-always", "-o", "input.cubin", "-", stdin=STENCIL, LANEWISE_PTXAS=REAL)
    assert shuffles_in(at.path / "input.cubin") == 1


@needs_ptxas
def test_real_errors(at: Folder):
    assert REAL is not None
    (at.path / "wrong.ptx").write_text(STENCIL.replace("add.f32 %f5, %f4, %f3", "add.f32 %f5, %f4, %f9"))
    done = at.run("-arch=sm_80", "--lanewise-always", "wrong.ptx", LANEWISE_PTXAS=REAL)
    direct = subprocess.run([REAL, "-arch=sm_80", "wrong.ptx"], cwd=at.path, capture_output=True, text=True)
    assert direct.returncode
    assert done.returncode == direct.returncode
    assert done.stderr.endswith(direct.stderr)


@needs_nvcc
def test_nvcc_of_a_toolkit_of_links(at: Folder):
    done = at.run("--lanewise-toolkit=mine", LANEWISE_PTXAS="")
    if "no CUDA toolkit found" in done.stderr:
        pytest.skip("no nvcc.profile beside a ptxas here")
    (at.path / "k.cu").write_text(
        "__global__ void k(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x + 1]; }\n"
        "int main() { k<<<1, 32>>>(nullptr, nullptr); }\n"
    )
    environment = {name: value for name, value in at.environment.items() if name != "LANEWISE_PTXAS"}
    for name, options in (("as_it_is", ""), ("always", "--always")):
        subprocess.run(
            [at.path / "mine" / "bin" / "nvcc", "-arch=sm_80", "-cubin", "k.cu", "-o", f"{name}.cubin"],
            cwd=at.path, env={**environment, "LANEWISE_PTXAS_OPTIONS": options}, check=True, timeout=120,
        )  # fmt: skip
    assert shuffles_in(at.path / "as_it_is.cubin") == 0
    assert shuffles_in(at.path / "always.cubin") == 1
