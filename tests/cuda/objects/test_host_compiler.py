# SPDX-License-Identifier: Apache-2.0
"""The choice of the C++ compiler."""

from pathlib import Path

import pytest

from lanewise.cuda.objects.host_compiler import host_compiler
from lanewise.errors import Error


@pytest.fixture(autouse=True)
def nothing_is_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    host_compiler.cache_clear()
    monkeypatch.setenv("LANEWISE_CACHE_DIR", str(tmp_path / "cache"))
    yield
    host_compiler.cache_clear()


def test_the_wheels_is_taken_where_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "c++" in host_compiler().command
    assert any("libcxx/include" in word for word in host_compiler().library_arguments())
    assert not (tmp_path / "cache").exists()  # nothing is built before it is needed
    with pytest.raises(Error, match=r"g\+\+-12, the compiler of host code, is not installed; `-ccbin zig` takes the"):
        host_compiler("g++-12")


def test_an_old_or_another_compiler(tmp_path: Path):
    program = tmp_path / "g++"
    program.write_text("#!/bin/sh\n[ $1 = -dumpversion ] && echo 7.5.0 || echo /usr/lib/gcc/x/7/libgcc.a\n")
    program.chmod(0o700)
    with pytest.raises(Error, match=r"is version 7\.5\.0; host code needs g\+\+ 9 or newer, or `-ccbin zig`"):
        host_compiler(str(tmp_path))
    program.write_text("#!/bin/sh\necho 15.0.0\n")
    with pytest.raises(Error, match=r"is no g\+\+: host code needs the C\+\+ library of one; `-ccbin zig` takes"):
        host_compiler(str(program))


def test_the_wheels_library_needs_the_cache(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANEWISE_CACHE", "0")
    with pytest.raises(Error, match=r"is kept in the cache, which is turned off; install g\+\+"):
        host_compiler("zig")
    monkeypatch.delenv("LANEWISE_CACHE")
    assert [word for word in host_compiler("zig").linking(["-o", "a", "-s"]) if word == "-s"] == []
