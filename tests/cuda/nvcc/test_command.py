# SPDX-License-Identifier: Apache-2.0
"""Command lines of nvcc, as they are read."""

from pathlib import Path

import pytest

from lanewise.cuda.nvcc.command import InputKind, NvccCommand, Phase, augmented, read
from lanewise.cuda.nvcc.driver import main
from lanewise.errors import Error


def of(line: str) -> NvccCommand:
    return read(line.split())


@pytest.mark.parametrize(
    ("line", "field", "values"),
    [
        ("a.cu -o b", "output", ("b",)),
        ("a.cu -ob", "output", ("b",)),
        ("a.cu --output-file b", "output", ("b",)),
        ("a.cu --output-file=b", "output", ("b",)),
        ("a.cu -O3", "optimise", ("3",)),
        ("a.cu -I inc -Iother -I=third", "include", ("inc", "other", "third")),
        ("a.cu -I a,b", "include", ("a", "b")),
        ("a.cu -DN=4 -D M", "define", ("N=4", "M")),
        ("a.cu -DLIST=1,2", "define", ("LIST=1,2",)),
        ("a.cu -lm -l z", "library", ("m", "z")),
        ("a.cu -arch sm_80", "architecture", ("sm_80",)),
        ("a.cu -arch=sm_80", "architecture", ("sm_80",)),
        ("a.cu -gencode arch=compute_70,code=sm_70", "generate", ("arch=compute_70,code=sm_70",)),
        ("a.cu --generate-code=arch=compute_70,code=[sm_70,compute_70]", "generate",
         ("arch=compute_70,code=[sm_70,compute_70]",)),
        ("a.cu -Xcompiler -Wall,-O2 -Xcompiler=-fPIC", "host_option", ("-Wall", "-O2", "-fPIC")),
        ("a.cu -Xcompiler -DLIST=1\\,2", "host_option", ("-DLIST=1,2",)),
        ("a.cu --define-macro N=4,M=5,K -DLIST=1,2", "define", ("N=4", "M=5", "K", "LIST=1,2")),
        ("a.cu -DNAME=\"x,y\",M", "define", ('NAME="x,y"', "M")),
        ("a.cu -std c++14", "standard", ("c++14",)),
        ("a.cu --std=c++20", "standard", ("c++20",)),
        ("a.cu -MD -MF d -MT t", "dependency_file", ("d",)),
        ("a.cu --compiler-options -Wall", "host_option", ("-Wall",)),
    ],
)  # fmt: skip
def test_values_of_options(line: str, field: str, values: tuple[str, ...]) -> None:
    command = of(line)
    assert command.all(field) == values
    assert [given.path for given in command.inputs] == ["a.cu"]


@pytest.mark.parametrize(
    ("line", "phase"),
    [
        ("a.cu", Phase.LINK),
        ("-c a.cu", Phase.COMPILE),
        ("-dc a.cu", Phase.COMPILE),
        ("-ptx a.cu", Phase.PTX),
        ("-E a.cu", Phase.PREPROCESS),
        ("-M a.cu", Phase.DEPENDENCIES),
        ("-dlink a.o", Phase.DEVICE_LINK),
        ("-lib a.cu", Phase.ARCHIVE),
        ("-shared a.cu", Phase.LINK),
        ("-cuda a.cu", Phase.CUDA),
    ],
)
def test_phase(line: str, phase: Phase) -> None:
    assert of(line).phase is phase


def test_kinds_of_inputs() -> None:
    command = of("a.cu b.cpp c.c d.o e.a")
    kinds = [InputKind.CUDA, InputKind.HOST, InputKind.C, InputKind.OBJECT, InputKind.OBJECT]
    assert [given.kind for given in command.inputs] == kinds
    assert of("-x cu a.cpp b.o").inputs[0].kind is InputKind.CUDA
    assert of("-x cu a.cpp b.o").inputs[1].kind is InputKind.OBJECT


def test_order_of_inputs_and_libraries_is_kept() -> None:
    assert of("a.o -lx b.a -l y").link_order == ("a.o", "-lx", "b.a", "-ly")


def test_other_options_go_to_the_front_end() -> None:
    command = of("-use_fast_math -maxrregcount 32 -Wno-unused --expt-relaxed-constexpr -Xptxas -v a.cu")
    assert command.device_options == (
        "-use_fast_math", "-maxrregcount", "32", "-Wno-unused", "--expt-relaxed-constexpr", "-Xptxas", "-v",
    )  # fmt: skip
    assert [given.path for given in command.inputs] == ["a.cu"]


@pytest.mark.parametrize(
    ("line", "relocatable"),
    [
        ("a.cu", False),
        ("-dc a.cu", True),
        ("-rdc=true a.cu", True),
        ("-rdc true a.cu", True),
        ("-rdc=false a.cu", False),
    ],
)
def test_relocatable_device_code(line: str, relocatable: bool) -> None:
    assert of(line).is_relocatable is relocatable


def test_response_files(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.write_text("-DN='a b'\n-c")
    outer = tmp_path / "outer"
    outer.write_text(f"--options-file {inner} a.cu")
    command = read(["-o", "x.o", f"@{outer}"])
    assert (command.last("define"), command.last("output"), command.phase) == ("N=a b", "x.o", Phase.COMPILE)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a.cu -o", "argument expected after '-o'"),
        ("-cubin a.cu", "-cubin: machine code of NVIDIA's GPUs can't be made without their tools"),
        ("-x fortran a.f", "Unsupported language 'fortran'"),
        ("@/nowhere", "Could not open input file '/nowhere'"),
    ],
)
def test_errors(line: str, message: str) -> None:
    with pytest.raises(Error, match=message.replace("(", r"\(")):
        of(line)


def test_response_files_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(f"@{tmp_path / 'a'}")
    with pytest.raises(Error, match="circle"):
        read([f"@{tmp_path / 'a'}"])


def test_options_of_the_environment() -> None:
    assert augmented(["a.cu", "-DB"], "-DA='x y' -O2", "-DC") == ["-DA=x y", "-O2", "a.cu", "-DB", "-DC"]
    with pytest.raises(Error, match=r"nvcc fatal   : NVCC_APPEND_FLAGS=-DA='x: No closing quotation"):
        augmented(["a.cu"], "", "-DA='x")


def test_the_environment_comes_around_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.cu"
    source.write_text("int number = N + M;\n")
    monkeypatch.setenv("NVCC_PREPEND_FLAGS", "-DN=1 -E")
    monkeypatch.setenv("NVCC_APPEND_FLAGS", "-DM=3 --dryrun")
    assert main([str(source), "-DN=2"]) == 0
    told = capfd.readouterr().err
    assert told.startswith('#$ NVCC_PREPEND_FLAGS="-DN=1 -E"\n#$ NVCC_APPEND_FLAGS="-DM=3 --dryrun"\n')
    assert " -DN=1 -DN=2 -DM=3" in told
