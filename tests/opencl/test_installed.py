# SPDX-License-Identifier: Apache-2.0
"""`lanewise opencl`: what it writes, says and removes."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lanewise.cli.app import app


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment with pyopencl's wheel in it."""
    folder = tmp_path / "environment"
    wheel = folder / "site" / "pyopencl"
    (wheel / ".libs").mkdir(parents=True)
    (wheel / "__init__.py").write_text("")
    (wheel / ".libs" / "libOpenCL-1.so").write_text("")
    monkeypatch.setattr(sys, "prefix", str(folder))
    monkeypatch.syspath_prepend(str(wheel.parent))
    return folder


def lanewise(*words: str) -> str:
    done = CliRunner().invoke(app, ["opencl", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_loaders_are_told_of_the_library_until_it_is_removed(prefix: Path) -> None:
    library, vendors = prefix / "lib" / "liblanewise-opencl.so", prefix / "etc" / "OpenCL" / "vendors"
    wheel = prefix / "site" / "pyopencl" / ".libs" / "lanewise.icd"
    said = lanewise("install")
    assert said.splitlines()[0] == str(library)
    assert f"export OCL_ICD_VENDORS={vendors}" in said
    for file in (vendors / "lanewise.icd", wheel):
        assert file.read_text() == f"{library}\n"
    shown = json.loads(lanewise("info", "--json"))
    assert shown["library"] == str(library)
    assert {row["file"] for row in shown["loaders"]} == {str(vendors / "lanewise.icd"), str(wheel)}
    assert shown["devices"][0]["name"].startswith("lanewise-cpu")
    assert str(library) in lanewise("uninstall")
    assert not library.exists()
    assert not wheel.exists()
    assert lanewise("uninstall") == "it isn't installed\n"
    assert json.loads(lanewise("info", "--json")) == {"library": None, "loaders": [], "devices": []}


def test_a_file_of_another_library_stays(prefix: Path) -> None:
    file = prefix / "etc" / "OpenCL" / "vendors" / "lanewise.icd"
    file.parent.mkdir(parents=True)
    file.write_text("/elsewhere/liblanewise-opencl.so\n")
    lanewise("uninstall")
    assert file.exists()


def test_a_folder_that_can_not_be_written_is_named(prefix: Path) -> None:
    (prefix / "lib").write_text("")
    done = CliRunner().invoke(app, ["opencl", "install"])
    assert done.exit_code == 1
    assert "liblanewise-opencl.so can't be written: File exists" in done.output + str(done.exception)
