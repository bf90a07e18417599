# SPDX-License-Identifier: Apache-2.0
"""python -m pytest tests/runtime/test_build.py"""

from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.errors import Error
from lanewise.runtime import CORE, Pool, address_of, core_library, load
from lanewise.runtime.build import compile_c


def test_the_core_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    cache = Cache(tmp_path)
    first = core_library(cache)
    assert isinstance(first, Path)
    monkeypatch.setattr("lanewise.runtime.build.compile_core", lambda: pytest.fail("compiled again"))
    assert core_library(cache) == first


def test_a_broken_entry_is_compiled_again(tmp_path: Path):
    cache = Cache(tmp_path)
    first = core_library(cache)
    assert isinstance(first, Path)
    first.write_bytes(b"\x7fELF")
    assert core_library(cache) == first
    assert len(first.read_bytes()) > 1000


def test_without_a_cache_the_core_comes_from_memory():
    assert isinstance(core_library(Cache(None)), bytes)
    pool = Pool(2, Cache(None))
    assert pool.num_threads == 2


def test_the_core_compiles_without_a_warning():
    compile_c(CORE / "core.c", "-Werror", "-Wpedantic", "-Wconversion", "-Wshadow")


def test_c_that_clang_refuses(tmp_path: Path):
    source = tmp_path / "wrong.c"
    source.write_text("int f(void) { return nowhere; }\n")
    with pytest.raises(Error, match=r"wrong.c could not be compiled: .*wrong.c:1:22: error: "):
        compile_c(source)


def test_libraries_from_memory_stay_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The loader takes two objects of one path for the same: each must have its own."""
    for folder in (str(tmp_path), "/nowhere"):
        monkeypatch.setattr("tempfile.tempdir", folder)
        libraries = []
        for i in range(4):
            source = tmp_path / "f.c"
            source.write_text(f'__attribute__((visibility("default"))) int f(void) {{ return {i}; }}\n')
            libraries.append(load(compile_c(source)))
        assert [library.f() for library in libraries] == [0, 1, 2, 3]
        source.unlink()
        assert list(tmp_path.iterdir()) == []


def test_a_symbol_that_is_not_there(tmp_path: Path):
    source = tmp_path / "f.c"
    source.write_text("int f(void) { return 1; }\n")
    with pytest.raises(Error, match="defines no function 'g'"):
        address_of(load(compile_c(source)), "g")
