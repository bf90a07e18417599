# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import importlib.metadata
from collections.abc import Generator

import pytest

from lanewise.errors import Error
from lanewise.frontend.clang import toolchain
from lanewise.frontend.clang.toolchain import find_toolchain


@pytest.fixture
def fresh() -> Generator[None]:
    """Looks for the toolchain anew in this test and after it."""
    find_toolchain.cache_clear()
    yield
    find_toolchain.cache_clear()


def pretend(monkeypatch: pytest.MonkeyPatch, package: str, version: str | None) -> None:
    real = toolchain.installed_version
    monkeypatch.setattr(toolchain, "installed_version", lambda name: version if name == package else real(name))


def test_the_wheels_files_are_there() -> None:
    found = find_toolchain()
    assert found.zig.is_file()
    assert (found.library / "libcxx/include/vector").is_file()


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(
    ("package", "version", "message"),
    [
        ("ziglang", None, r"the package ziglang is not installed: pip install 'ziglang==0\.17\.\*'"),
        ("ziglang", "0.13.0", r"ziglang 0\.13\.0 is installed, but lanewise works with ziglang 0\.17\.\*"),
        ("llvmlite", "0.44.1", r"llvmlite 0\.44\.1 is installed, but lanewise works with llvmlite 0\.50\.\*"),
    ],
)
def test_a_missing_or_foreign_version_is_a_clear_error(
    monkeypatch: pytest.MonkeyPatch, package: str, version: str | None, message: str
) -> None:
    pretend(monkeypatch, package, version)
    with pytest.raises(Error, match=message):
        find_toolchain()


def test_versions_are_those_of_the_packages_own_metadata() -> None:
    for package in ("ziglang", "llvmlite"):
        assert toolchain.installed_version(package) == importlib.metadata.version(package)
    assert toolchain.installed_version("no_such_package") is None
