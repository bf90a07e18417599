# SPDX-License-Identifier: Apache-2.0
"""Command lines as makefiles, CMake and setuptools of public projects have them."""

import shlex
from pathlib import Path

import pytest

from lanewise.cuda.nvcc import architectures
from lanewise.cuda.nvcc.architectures import gpu_architectures, source_architecture
from lanewise.cuda.nvcc.command import read
from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.nvcc.steps import unit_options
from lanewise.cuda.objects.host_compiler import HostCompiler

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
