# SPDX-License-Identifier: Apache-2.0
"""A command line makes the command that it names, and all if it names none."""

from __future__ import annotations

import pytest

from lanewise.cli.app import app, app_for


def _names(words: list[str]) -> list[str]:
    made = app_for(words)
    groups = [each.typer_instance.info.name for each in made.registered_groups if each.typer_instance]
    return [name for name in [*(each.name for each in made.registered_commands), *groups] if name]


@pytest.mark.parametrize("name", [name for name in _names([]) if name != "check"])
def test_the_named_command_alone(name: str) -> None:
    assert _names([name, "--help"]) == [name]


def test_check_runs_kernels_by_run() -> None:
    assert sorted(_names(["check", "kernel.cu"])) == ["check", "run"]


@pytest.mark.parametrize("words", [[], ["--help"], ["--version"], ["compil"], ["-h", "compile"], [""]])
def test_all_commands(words: list[str]) -> None:
    assert app_for(words) is app


def test_the_others_stay_for_later_command_lines() -> None:
    before = _names([])
    app_for(["compile"])
    assert _names([]) == before
    assert {"compile", "run", "cache"} <= set(before)
