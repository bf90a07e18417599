# SPDX-License-Identifier: Apache-2.0
"""The table of front ends, and one more row in it, whose sources are Python values."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.frontend.polynomials import ROW, Polynomial, PolynomialUnit

import lanewise as lw
from lanewise.config import Config
from lanewise.frontend import table
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.source import Source
from lanewise.frontend.table import FRONT_ENDS, either
from lanewise.frontend.unit import Unit
from lanewise.program.source import language
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session

SQUARE = Polynomial("square", (0.0, 0.0, 1.0))
CUDA = "template <typename T> __global__ void k(T *p) { *p = 1; } template __global__ void k<int>(int *);"
TEXTS = {
    "cuda": CUDA,
    "opencl": "__kernel void k(__global int *p) { *p = 1; }",
    "ir": 'target triple = "nvptx64-nvidia-cuda"\ndefine ptx_kernel void @k(ptr %p) {\n  ret void\n}\n',
    "ptx": ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) { ret; }\n",
}
"""A program in each language that is written as text."""
WITHOUT_MACROS = ("ir", "ptx")
ROWS = [row for row in FRONT_ENDS if row.takes_text]


@pytest.fixture
def polynomials(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with one more row."""
    monkeypatch.setattr(table, "FRONT_ENDS", (*FRONT_ENDS, ROW))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A session with an empty cache."""
    return Session(Config(tmp_path / "cache", 2, "cpu"))


# -- a toy front end ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("polynomials")
@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_a_python_value_is_compiled_and_launched(session: Session, device: str):
    module = compile_source(session, Polynomial("p", (1.0, -2.0, 0.5)), language="polynomial")
    assert module.kernels == ("p",)
    assert [(p.name, p.dtype, p.const) for p in module["p"].params] == [
        ("y", np.float32, False), ("x", np.float32, True),
    ]  # fmt: skip
    x = np.arange(8, dtype=np.float32)
    y = np.zeros_like(x)
    module["p"].launch(1, 8, (y, x), device=device)
    assert (y == 1 - 2 * x + 0.5 * x * x).all()
    assert ".entry p(" in module.ptx("sm_90")
    assert module.warnings == ()


@pytest.mark.usefixtures("polynomials")
def test_through_the_public_function():
    x, y = np.full(4, 3, np.float32), np.zeros(4, np.float32)
    lw.compile(SQUARE, language="polynomial")["square"][1, 4](y, x)  # type: ignore[arg-type]
    assert (y == 9).all()


@pytest.mark.usefixtures("polynomials")
def test_its_digest_is_the_key_of_the_cache(session: Session, monkeypatch: pytest.MonkeyPatch):
    compiled: list[Polynomial] = []
    compile_ = PolynomialUnit.compile

    def counted(self: PolynomialUnit, *arguments: object) -> object:
        compiled.append(self.source)
        return compile_(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(PolynomialUnit, "compile", counted)
    cube = Polynomial("square", (0.0, 0.0, 0.0, 1.0))
    for source in (SQUARE, SQUARE, cube, SQUARE, cube):
        x, y = np.full(4, 3, np.float32), np.zeros(4, np.float32)
        compile_source(Session(session.config), source, language="polynomial")["square"][1, 4](y, x)
        assert y[0] == (9 if source is SQUARE else 27)
    assert compiled == [SQUARE, cube]


@pytest.mark.usefixtures("polynomials")
def test_its_errors(session: Session):
    module = compile_source(session, SQUARE, language="polynomial")
    with pytest.raises(lw.LaunchError, match="has 64000 threads; a block has at most"):  # its terms are CUDA's
        module["square"][1, (64, 1000)](None, None)
    with pytest.raises(lw.LaunchError, match="only OpenCL C's kernels have an offset"):
        module["square"].ndrange(10, 4)
    with pytest.raises(lw.CompileError, match=r"^polynomial square has no kernel 'cube<int>'; its kernels: square$"):
        module["cube<int>"]
    with pytest.raises(lw.Error, match=r"^polynomials have no options$"):
        compile_source(session, SQUARE, language="polynomial", defines={"A": 1})
    with pytest.raises(lw.Error, match=r"^a polynomial is expected, not 'x'$"):
        compile_source(session, "x", language="polynomial")


@pytest.mark.usefixtures("polynomials")
def test_it_is_named_where_languages_are(session: Session):
    with pytest.raises(lw.Error, match=r"^language 'fortran': expected one of cuda, ir, opencl, polynomial, ptx, pyt"):
        compile_source(session, "x", language="fortran")
    with pytest.raises(lw.Error, match=r'give language="cuda", "opencl", "ir" or "ptx"$'):  # which a text can be in
        compile_source(session, "{\n}")


# -- the table ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("taken", [None, "cuda", "opencl", "ir"])
def test_text_is_wanted_by_the_others(session: Session, taken: str | None):
    with pytest.raises(lw.Error, match=r"^source must be a path or source text, not Polynomial$"):
        compile_source(session, SQUARE, language=taken)


def test_no_two_rows_share_a_name_or_a_suffix():
    names = [row.language for row in FRONT_ENDS]
    assert [row.language for row in ROWS] == list(TEXTS)
    suffixes = [suffix for row in FRONT_ENDS for suffix in row.suffixes]
    assert len(set(names)) == len(names)
    assert len(set(suffixes)) == len(suffixes)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.language)
class TestRow:
    def unit(self, row: table.FrontEnd, **given: object) -> Unit:
        return row.load()(Source(TEXTS[row.language]), GivenOptions(**given))  # type: ignore[arg-type]

    def test_its_mark_is_in_its_own_text_alone(self, row: table.FrontEnd):
        assert language.language_of_text(TEXTS[row.language]) is row

    def test_each_option_changes_the_digest(self, row: table.FrontEnd):
        given = [
            {}, {"arch": "sm_90"}, {"defines": (("A", None),)}, {"defines": (("A", "1"),)},
            {"include_dirs": ("a",)}, {"include_dirs": ("a", "b")}, {"options": ("-w",)}, {"options": ("-w", "-g")},
        ]  # fmt: skip
        if row.language in WITHOUT_MACROS:
            given = [options for options in given if not options.keys() & {"defines", "include_dirs"}]
        digests = {self.unit(row, **options).digest for options in given}
        others = [
            row.load()(Source(f"{TEXTS[row.language]}\n"), GivenOptions()),
            row.load()(Source(TEXTS[row.language], Path("k")), GivenOptions()),
        ]
        assert len(digests | {other.digest for other in others}) == len(given) + 2

    @pytest.mark.parametrize("given", [{"defines": (("A", None),)}, {"include_dirs": ("a",)}])
    def test_what_a_text_without_preprocessor_has_no_use_for(self, row: table.FrontEnd, given: dict[str, object]):
        if row.language in WITHOUT_MACROS:
            (what,) = given
            with pytest.raises(lw.Error, match=f"^<source>: {what} are for languages with a preprocessor, and"):
                self.unit(row, **given)

    def test_equal_units_have_equal_digests(self, row: table.FrontEnd):
        one, other = self.unit(row, options=("-w",)), self.unit(row, options=["-w"])
        assert one == other
        assert one.digest == other.digest
        assert one.for_arch(one.arch) == one

    def test_variants_have_digests_of_their_own(self, row: table.FrontEnd):
        unit = self.unit(row)
        variants = [unit.with_instance("k<float>"), unit.in_general_form()]
        digests = [variant.digest for variant in variants if variant is not None]
        assert unit.digest not in digests
        assert [variant is not None for variant in variants] == [row.language == "cuda", row.language == "opencl"]


def test_one_text_in_several_languages_has_several_digests():
    assert len({row.load()(Source(""), GivenOptions()).digest for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize(
    ("words", "text"), [(["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")], ids=str
)
def test_either(words: list[str], text: str):
    assert either(words) == text


# -- what is loaded ----------------------------------------------------------------------------------------------------

LOADED = """
import sys
import lanewise.program.source.compilation, lanewise.session, lanewise.device.cpu, lanewise as lw
names = lambda: sorted(name[18:] for name in sys.modules if name.startswith("lanewise.frontend."))
before = names()
module = lw.compile({text!r}, language={language!r})
print(before, sorted(set(names()) - set(before)), "llvmlite" in sys.modules or "subprocess" in sys.modules)
"""


@pytest.mark.parametrize(
    ("language", "loaded"),
    [
        ("cuda", ["cuda", "cuda.options", "cuda.unit"]),
        ("opencl", ["opencl", "opencl.options", "opencl.unit"]),
        ("ir", ["kernel_ir", "text_unit"]),
    ],
)
def test_a_warm_start_loads_one_front_end_and_little_of_it(tmp_path: Path, language: str, loaded: list[str]):
    code = LOADED.format(text=TEXTS[language], language=language)
    environment = {**os.environ, "LANEWISE_CACHE_DIR": str(tmp_path)}
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    shared = ["given_options", "info", "signature", "source", "table"]
    assert done.stdout.strip() == f"{shared} {loaded} False"
