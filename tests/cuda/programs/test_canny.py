# SPDX-License-Identifier: Apache-2.0
"""The example's host program, built in each way that its README names: it finds the edges that the demo finds."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from tests.cuda.programs.build_tools import run, run_cmake, toolkit

import lanewise as lw
from lanewise.cuda.objects.host_compiler import HostCompiler

CANNY = Path(__file__).parents[3] / "examples" / "canny"
Edges = NDArray[np.uint8]


@pytest.fixture(scope="module")
def detect(compiler: HostCompiler) -> Callable[[Edges], Edges]:
    """The edges of a picture, by the demo's own code in Python."""
    sys.path.insert(0, str(CANNY))
    try:
        demo = importlib.import_module("demo")
    finally:
        sys.path.remove(str(CANNY))
    module = lw.compile(CANNY / "canny.cu")
    return lambda picture: demo.detect_edges(module, picture.astype(np.float32))


def assert_finds_the_edges(program: list[str | Path], folder: Path, detect: Callable[[Edges], Edges]) -> None:
    """Run the program on the photograph and on a part of it whose sides are no multiples of a tile's."""
    photo = np.asarray(Image.open(CANNY / "photo.png"))
    for picture in (photo, photo[:101, 200:237]):
        Image.fromarray(picture).save(folder / "picture.pgm")
        run(*program, folder / "picture.pgm", folder / "edges.pgm", folder=folder)
        found = np.asarray(Image.open(folder / "edges.pgm"))
        assert np.array_equal(found, detect(picture))
        assert 0 < np.count_nonzero(found) < found.size / 4


def test_lanewise_run(tmp_path: Path, detect: Callable[[Edges], Edges]):
    assert_finds_the_edges([sys.executable, "-m", "lanewise", "run", CANNY / "main.cu"], tmp_path, detect)


def test_make(tmp_path: Path, detect: Callable[[Edges], Edges]):
    for name in ("Makefile", "main.cu", "canny.cu"):
        (tmp_path / name).write_bytes((CANNY / name).read_bytes())
    run("make", f"NVCC={toolkit()}/bin/nvcc", folder=tmp_path)
    assert_finds_the_edges([tmp_path / "canny"], tmp_path, detect)


def test_cmake(tmp_path: Path, detect: Callable[[Edges], Edges]):
    run_cmake(CANNY, tmp_path / "build")
    assert_finds_the_edges([tmp_path / "build" / "canny"], tmp_path, detect)


def test_what_is_no_picture(tmp_path: Path, compiler: HostCompiler, capfd: pytest.CaptureFixture[str]):
    from lanewise.cuda.run import run_program

    picture = tmp_path / "picture.pgm"
    picture.write_bytes(b"P5\n# a comment\n4 1\n# another\n255\nabc")
    main = [str(CANNY / "main.cu")]
    for arguments, status, told in (
        ([], 2, "usage: main PICTURE.pgm EDGES.pgm"),
        (["nowhere.pgm", "out.pgm"], 1, "main: nowhere.pgm can't be read"),
        ([str(CANNY / "photo.png"), "out.pgm"], 1, "photo.png is no PGM file (P5) of 8 bits a pixel"),
        ([str(picture), "out.pgm"], 1, "picture.pgm ends early"),
    ):
        assert run_program(main, arguments) == status
        assert told in capfd.readouterr().err
    picture.write_bytes(picture.read_bytes() + b"d")
    assert run_program(main, [str(picture), str(tmp_path / "nowhere" / "out.pgm")]) == 1
    assert "out.pgm can't be written" in capfd.readouterr().err
    assert run_program(main, [str(picture), str(tmp_path / "out.pgm")]) == 0
    assert (tmp_path / "out.pgm").read_bytes() == b"P5\n4 1\n255\n" + bytes(4)
