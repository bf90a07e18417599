# SPDX-License-Identifier: Apache-2.0
"""Command lines of `lanewise nvcc` and `lanewise run` that can't be carried out: one clear error, status 1, and no file
that is half of something."""

from pathlib import Path

import pytest

from lanewise.cuda.nvcc.driver import main
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.cuda.run import run_program
from lanewise.errors import Error

PROGRAM = "__global__ void k(int *p) { *p = 1; }\nint main() { return 0; }\n"
FILES = {
    "a.cu": PROGRAM.encode(),
    "b.cu": PROGRAM.replace("main", "other").encode(),
    "empty.cu": b"",
    "binary.cu": b"\x7fELF\2\1\1\0" + bytes(range(256)),
    "link.cu": b"int elsewhere();\nint main() { return elsewhere(); }\n",
    "junk.o": b"no object file",
    "words": b"-c a.cu --bogus",
}


@pytest.fixture
def folder(tmp_path: Path, compiler: HostCompiler, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that commands run in, with `FILES`."""
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder.cu").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


LINES = {
    "": "nvcc fatal   : No input files specified; use option --help for more information",
    "-c": "nvcc fatal   : No input files specified; use option --help for more information",
    "--bogus a.cu": "nvcc fatal   : Unknown option '--bogus'",
    "-c -bogus a.cu": "nvcc fatal   : Unknown option '-bogus'",
    "@words": "nvcc fatal   : Unknown option '--bogus'",
    "@nowhere": "nvcc fatal   : Could not open input file 'nowhere': No such file or directory",
    "nowhere.cu": "nvcc fatal   : Could not open input file 'nowhere.cu': No such file or directory",
    "-c nowhere.cpp": "nvcc fatal   : Could not open input file 'nowhere.cpp': No such file or directory",
    "-E nowhere.cu": "nvcc fatal   : Could not open input file 'nowhere.cu': No such file or directory",
    "-M nowhere.cu": "nvcc fatal   : Could not open input file 'nowhere.cu': No such file or directory",
    "-dlink nowhere.o -o out.o": "nvcc fatal   : Could not open input file 'nowhere.o': No such file or directory",
    "-lib nowhere.o -o out.a": "nvcc fatal   : Could not open input file 'nowhere.o': No such file or directory",
    "folder.cu": "nvcc fatal   : Could not open input file 'folder.cu': Is a directory",
    ".": "nvcc fatal   : Could not open input file '.': Is a directory",
    "-c a.cu b.cu -o out.o": "nvcc fatal   : A single input file is required for a non-link phase when an outputfile",
    "-c a.cu -o nowhere/out.o": "nvcc fatal   : Could not open output file 'nowhere/out.o': No such file or directory",
    "-c a.cu -odir nowhere": "nvcc fatal   : Could not open output file 'nowhere/a.o': No such file or directory",
    "-ptx a.cu -o nowhere/out": "nvcc fatal   : Could not open output file 'nowhere/out': No such file or directory",
    "-c a.cu -o folder.cu": "nvcc fatal   : Could not open output file 'folder.cu': Is a directory",
    "a.cu -o nowhere/out": "cannot open output file nowhere/out: No such file or directory",
    "-c a.cu -MD -MF nowhere/out.d": "nvcc fatal   : Could not open output file 'nowhere/out.d': No such file or",
    "a.cu -o a.cu": "nvcc fatal   : Input file 'a.cu' is the output, too",
    "-std=c++99 a.cu": "error: invalid value 'c++99' in '-std=c++99'",
    "-arch=fast a.cu": "option '-arch=fast': expected an architecture such as sm_80 or compute_80",
    "-arch=sm_999 a.cu": "error: unsupported CUDA gpu architecture: sm_999",
    "-rdc=maybe a.cu": "nvcc fatal   : Value 'maybe' is not defined for option 'relocatable-device-code'",
    "-cudart=some a.cu": "nvcc fatal   : Value 'some' is not defined for option 'cudart'",
    "-Ofast a.cu": "nvcc fatal   : 'fast': expected a number, 0 to 3, for option 'optimize'",
    "--optimize=s a.cu": "nvcc fatal   : 's': expected a number, 0 to 3, for option 'optimize'",
    "-code=fast a.cu": "nvcc fatal   : Value 'fast' is not defined for option 'gpu-code'",
    "-static-global-template-stub=maybe a.cu": "nvcc fatal   : Value 'maybe' is not defined for option 'static-global",
    "-ccbin nowhere a.cu": "nowhere, the compiler of host code, is not installed; `-ccbin zig` takes the wheel's",
    "binary.cu": "binary.cu: can't be read: it holds null characters, so it is UTF-16 or no text at all",
    "empty.cu": "undefined reference to `main'",
    "link.cu": "undefined reference to `elsewhere()'",
    "a.cu -lnowhere": "cannot find -lnowhere",
    "junk.o": "file format not recognized",
    "-include nowhere.h a.cu": "fatal error: 'nowhere.h' file not found",
    "-include thrust/sort.h a.cu": "note: Lanewise doesn't have the Thrust and CUB libraries: 'thrust/sort.h'",
}


@pytest.mark.parametrize("line", LINES)
def test_one_error_and_no_file(folder: Path, capfd: pytest.CaptureFixture[str], line: str):
    assert main(line.split()) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert LINES[line] in captured.err
    assert "warning" not in captured.err
    if "ld: " not in captured.err and "ld:" not in captured.err:
        assert captured.err.count("fatal   :") + captured.err.count("error:") <= 1
    assert {path.name for path in folder.iterdir()} == {*FILES, "folder.cu"}
    assert all((folder / name).read_bytes() == content for name, content in FILES.items())


def test_a_file_that_is_not_compiled_leaves_the_older_object(folder: Path, capfd: pytest.CaptureFixture[str]):
    (folder / "out.o").write_bytes(b"older")
    (folder / "wrong.cu").write_text("int main() { return missing; }\n")
    assert main(["-c", "wrong.cu", "-o", "out.o"]) == 1
    assert (folder / "out.o").read_bytes() == b"older"
    assert capfd.readouterr().err.count("error:") == 1


def test_an_empty_file_is_an_object_without_kernels(folder: Path):
    assert main(["-c", "empty.cu", "-o", "empty.o"]) == 0
    assert main(["a.cu", "empty.o", "-o", "program"]) == 0


def test_an_option_of_the_host_compiler_alone_is_passed_over(folder: Path, capfd: pytest.CaptureFixture[str]):
    assert main(["-c", "a.cu", "-Xcompiler", "-fbogus"]) == 0
    assert capfd.readouterr().err == "nvcc warning : '-fbogus' is not known to clang and ignored\n"
    assert main(["-c", "a.cu", "-forward-unknown-to-host-compiler", "-fbogus"]) == 0
    assert capfd.readouterr().err == "nvcc warning : '-fbogus' is not known to clang and ignored\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nowhere.cu", "nowhere.cu: no such file"),
        ("folder.cu", "folder.cu: can't be read: Is a directory"),
        ("binary.cu", "binary.cu: can't be read: it holds null characters, so it is UTF-16 or no text at all"),
        ("--bogus a.cu", "Unknown option '--bogus'"),
        ("-c a.cu", "lanewise run builds a whole program; compile is a task for lanewise nvcc"),
        ("nowhere.o a.cu", "nowhere.o: can't be read: No such file or directory"),
        ("link.cu", "link.cu: the program could not be linked"),
    ],
)
def test_programs_that_can_not_be_run(folder: Path, line: str, message: str):
    with pytest.raises(Error) as caught:
        run_program(line.split(), [])
    assert message in str(caught.value)
    assert {path.name for path in folder.iterdir()} == {*FILES, "folder.cu"}
