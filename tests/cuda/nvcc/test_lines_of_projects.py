# SPDX-License-Identifier: Apache-2.0
"""Command lines as makefiles, CMake and setuptools of public projects have them."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from lanewise.cuda.nvcc import architectures, steps
from lanewise.cuda.nvcc.architectures import gpu_architectures, source_architecture
from lanewise.cuda.nvcc.command import read
from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.nvcc.steps import unit_options
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.session import session_of_this_process

ODD = """
 -m 64 -t0 -err-no -Xfatbin -compress-all --source-in-ptx -ewp -dopt=on --relocatable-ptx -jump-table-density 2
 -static-global-template-stub=false --no-host-device-move-forward -objtemp -split-compile-extended 0
 --compiler-options="-O3 -Wall" -Xcompiler '"-Wextra,-Wno-unused-parameter"' --default-stream per-thread
 -ftemplate-depth 1000 --Wno-deprecated-declarations -ldir=/nowhere -arbin ar -noeh -diag-suppress=20012,177
 -lineinfo -gencode=arch=compute_80,code=\\"sm_80,compute_80\\"
"""
SOURCE = "#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM\n#error\n#endif\n__global__ void k(int *p) { *p = 1; }\n"


def test_options_that_projects_use(tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str]):
    (tmp_path / "a.cu").write_text(SOURCE)
    assert main([*shlex.split(ODD), "-dw", str(tmp_path / "a.cu"), "-o", str(tmp_path / "a.o")]) == 0
    assert all(line.startswith("note: option ") for line in capfd.readouterr().err.splitlines())


def test_options_without_anything_to_do_here_are_taken_in_silence(
    tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str]
):
    (tmp_path / "a.cu").write_text("")
    line = "-Wno-deprecated-gpu-targets -allow-unsupported-compiler -diag-suppress 177,550 -O9 -noprof -c"
    assert main([*line.split(), str(tmp_path / "a.cu"), "-o", str(tmp_path / "a.o")]) == 0
    assert capfd.readouterr().err == ""


def test_line_information_is_no_library() -> None:
    command = read(["a.cu", "-lineinfo", "-lm", "-t4", "-time", "t.csv"])
    assert command.link_order == ("a.cu", "-lm")
    assert command.device_options == ("-lineinfo", "-time", "t.csv")
    assert command.all("jobs") == ("4",)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("-Wall -O3", ("-Wall", "-O3")),
        ('"-Wall"', ("-Wall",)),
        ("'-Wall,-Wextra'", ("-Wall", "-Wextra")),
        ('-DX="a b"', ("-DX=a b",)),
        ("-DLIST=1\\,2 -g", ("-DLIST=1,2", "-g")),
    ],
)
def test_words_of_the_host_compiler(word: str, found: tuple[str, ...]) -> None:
    assert read(["a.cu", "-Xcompiler", word]).all("host_option") == found


@pytest.mark.parametrize(
    ("line", "source", "objects"),
    [
        ("", None, ()),
        ("-arch=sm_35", "sm_50", ("sm_50",)),
        ("-arch=all-major", None, ("sm_50", "sm_60", "sm_70", "sm_80", "sm_90", "sm_100", "sm_120")),
        ("-arch all", None, ("sm_50", "sm_60", "sm_70", "sm_80", "sm_90", "sm_100", "sm_120")),
        ("-arch=native", "sm_86", ("sm_86",)),
        ("-arch=compute_50 -code=sm_61,compute_50", "sm_50", ("sm_50",)),
    ],
)
def test_architectures(
    monkeypatch: pytest.MonkeyPatch, line: str, source: str | None, objects: tuple[str, ...]
) -> None:
    monkeypatch.setattr(architectures, "gpu_here", lambda: 86)
    command = read(["a.cu", *line.split()])
    assert (source_architecture(command), gpu_architectures(command)) == (source, objects)


@pytest.mark.parametrize(("capability", "native"), [(None, "sm_80"), (75, "sm_75"), (123, "sm_121"), (35, "sm_80")])
def test_the_architecture_of_this_machine(monkeypatch: pytest.MonkeyPatch, capability: int | None, native: str) -> None:
    monkeypatch.setattr(architectures, "gpu_here", lambda: capability)
    assert gpu_architectures(read(["a.cu", "-arch=native"])) == (native,)


def test_a_fat_binary_is_text_that_drivers_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cu").write_text('extern "C" __global__ void k(int *p) { *p = 1; }\n')
    assert main(["-fatbin", "-gencode", "arch=compute_75,code=sm_75", "a.cu"]) == 0
    text = (tmp_path / "a.fatbin").read_text()
    assert ".target sm_75" in text
    assert ".entry k(" in text


def test_ptx_on_standard_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.cu").write_text('extern "C" __global__ void k(int *p) { *p = 1; }\n')
    assert main(["-ptx", str(tmp_path / "a.cu"), "-o", "-"]) == 0
    assert ".entry k(" in capsys.readouterr().out


def test_a_reader_that_has_seen_enough() -> None:
    words = [sys.executable, "-m", "lanewise.cuda.nvcc", "--help"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as nvcc:
        assert nvcc.stdout is not None
        assert nvcc.stderr is not None
        nvcc.stdout.close()
        assert nvcc.stderr.read() == b""
    assert nvcc.returncode == 0


def test_options_of_the_host_compiler_reach_it(compiler: HostCompiler) -> None:
    command = read(shlex.split("-forward-unknown-to-host-compiler -fsanitize=address -Wl,-z,now -Wall -lineinfo a.cpp"))
    session = session_of_this_process()
    assert "-fsanitize=address" in steps.host_command(command, command.inputs[0], "a.o", compiler)
    link = steps.link_command(session, command, ["a.o"], "a", compiler)
    assert {"-fsanitize=address", "-Wl,-z,now"} <= set(link)
    assert not {"-lineinfo", "-Wall"} & set(link)
    assert "-Wl,-z,now" not in unit_options(command).host
    assert "-Wl,-z,now" not in unit_options(command).device.options


def test_host_code_is_preprocessed_with_all_its_options(tmp_path: Path, compiler: HostCompiler) -> None:
    (tmp_path / "a.cpp").write_text("#include <cuda_runtime.h>\nint number = N;\n")
    command = read(["-E", str(tmp_path / "a.cpp"), "-Xcompiler", "-DN=41", "-o", "out"])
    words = steps.preprocess_command(command, command.inputs[0], compiler)
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert "int number = 41;" in text


def test_headers_of_a_toolkit_come_after_ours(tmp_path: Path) -> None:
    (tmp_path / "crt").mkdir()
    (tmp_path / "crt" / "host_config.h").write_text("#error\n")
    options = unit_options(read(["a.cu", f"-I{tmp_path}", "-isystem", str(tmp_path), "-I", "own"]))
    assert options.device.include_dirs == ("own",)
    for words in (options.host, options.device.options):
        assert [words[i - 1] for i, word in enumerate(words) if word == str(tmp_path)] == ["-idirafter", "-idirafter"]


def test_architectures_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list-gpu-arch"]) == 0
    assert capsys.readouterr().out.startswith("compute_50\ncompute_52\n")
    assert main(["--list-gpu-code"]) == 0
    assert "\nsm_90\nsm_100\n" in capsys.readouterr().out
