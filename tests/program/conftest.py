# SPDX-License-Identifier: Apache-2.0
"""Compiles what a test is about, in a cache of the test's own where that matters."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import lanewise as lw
from lanewise.config import Config
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session

Compile = Callable[..., lw.Module]

EVERYWHERE = {
    "test_launches", "test_variables", "test_buffers", "test_arrays", "test_structs", "test_ndrange",
    "test_function_pointers",
}  # fmt: skip
"""Files whose tests also run with other default devices; see `pytest_generate_tests`."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    assert metafunc.module is not None
    if metafunc.module.__name__.rpartition(".")[2] in EVERYWHERE:
        metafunc.parametrize("default_device", ["cpu", "apart"], indirect=True)


@pytest.fixture(autouse=True)
def default_device(request: pytest.FixtureRequest) -> Iterator[None]:
    """The device of launches, buffers and variables that name none."""
    name = getattr(request, "param", "cpu")
    if name == "cpu":
        yield
    else:
        with lw.on(request.getfixturevalue("apart") if name == "apart" else lw.device(name)):
            yield


@cache
def cuda(text: str) -> lw.Module:
    """The module of a CUDA text; the same one for the same text, so that tests of one file share it."""
    return lw.compile(text, language="cuda")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A session with an empty cache."""
    return Session(Config(tmp_path / "cache", 2, "cpu"))


@pytest.fixture
def compile_in() -> Compile:
    def compile(session: Session, source: str | Path, **options: Any) -> lw.Module:
        language = "cuda" if isinstance(source, str) else None
        return compile_source(session, source, language=language, **options)

    return compile


@pytest.fixture
def compile_cuda() -> Callable[[str], lw.Module]:
    return cuda
