# SPDX-License-Identifier: Apache-2.0
"""Wheels with modules built ahead of time, made by hatchling and by setuptools as build front ends call them."""

import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from .conftest import Python, run

SOURCE = """\
import lanewise as lw

@lw.jit
def twice(a: lw.f64[:]):
    for i in range(len(a)):
        a[i] *= 2
"""
PROJECT = '[project]\nname = "pkg"\nversion = "1"\n'
HATCH = """
[build-system]
requires = ["hatchling", "lanewise"]
build-backend = "hatchling.build"

[tool.hatch.build.hooks.lanewise]
"""
SETUPTOOLS = """
[build-system]
requires = ["setuptools>=75", "lanewise"]
build-backend = "setuptools.build_meta"

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.cmdclass]
build_py = "lanewise.ahead.setuptools_commands.BuildPy"
bdist_wheel = "lanewise.ahead.setuptools_commands.BdistWheel"

[tool.lanewise]
"""
BACKENDS = {"hatchling.build": HATCH, "setuptools.build_meta": SETUPTOOLS}
MODULES = 'modules = ["src/pkg/fast.py"]\n'


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    pytest.importorskip(request.param.partition(".")[0], reason="this builder of packages isn't installed")
    if request.param == "hatchling.build" and not entry_points(group="hatch", name="lanewise"):
        pytest.skip("lanewise was installed before it had a build hook")
    return request.param


def project(folder: Path, backend: str, settings: str) -> None:
    package = folder / "src" / "pkg"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "fast.py").write_text(SOURCE)
    (folder / "pyproject.toml").write_text(PROJECT + BACKENDS[backend] + settings)


def test_a_wheel_runs_where_there_is_no_compiler(tmp_path: Path, backend: str, without_compiler: Python):
    project(tmp_path, backend, f'{MODULES}platform = "manylinux_2_28_x86_64"\n')
    done = run(["-c", f"import {backend} as builder; builder.build_wheel('dist')"], tmp_path)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert wheel.name == "pkg-1-py3-none-manylinux_2_28_x86_64.whl"
    with zipfile.ZipFile(wheel) as archive:
        assert {"pkg/__init__.py", "pkg/fast.py", "pkg/fast.jit.lwo"} <= set(archive.namelist())
        archive.extractall(tmp_path / "site")
    assert not list((tmp_path / "src").rglob("*.lwo"))
    code = "import numpy as np, pkg.fast\na = np.ones(3); pkg.fast.twice(a); assert (a == 2).all()"
    done = without_compiler(tmp_path / "site", code)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("", 'must say which modules are built, as in modules = ["pkg/fast.py"]'),
        ('modules = "fast.py"\n', "modules must be a list of strings, not 'fast.py'"),
        ('module = ["fast.py"]\n', "has modules, targets, platform, and no 'module'"),
        ('modules = ["src/pkg/slow.py"]\n', "src/pkg/slow.py: no such file"),
    ],
)
def test_settings(tmp_path: Path, backend: str, settings: str, message: str):
    project(tmp_path, backend, settings)
    done = run(["-c", f"import {backend} as builder; builder.build_wheel('dist')"], tmp_path)
    assert done.returncode != 0
    assert message in done.stderr
    assert not list(tmp_path.rglob("*.whl"))
