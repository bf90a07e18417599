# SPDX-License-Identifier: Apache-2.0
"""Rules of the house: sizes of files and functions, packages that list their modules, passes that are in a table.

Exceptions stand in the tables below, each with its reason, and must be needed.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanewise.pipelines import cpu, gpu, reference

SOURCE = Path(__file__).parents[1] / "src" / "lanewise"
FILES = sorted(SOURCE.rglob("*.py"))
PACKAGES = sorted(path.parent for path in SOURCE.rglob("__init__.py") if path.parent != SOURCE)

MOST_LINES = 500
"""Lines of a file."""
LONG = 60
"""Lines of a function, its signature and docstring included."""
LONG_FUNCTIONS = {
    "cli/app.py": {"_run", "_compile"},  # declarations of options, a line for each of their parts
    "cli/ptx_commands.py": {"_opt"},  # likewise
    "cli/run.py": {"run_kernel"},
    "frontend/clang/run.py": {"run_clang"},
    "workgroup/function.py": {"build_work_group_function"},  # the construction of all parts, in order
}

ODD_STARTS = ("Of", "What", "Where", "Whether", "By", "Those", "None", "So", "Which", "Who", "Whose", "How", "Why")
"""Words that no docstring starts with: it starts with a noun phrase or an imperative verb."""
NOT_SWEPT = ("workgroup", "frontend", "program", "ir", "analysis", "cli")
"""Folders whose docstrings have not all been rewritten yet."""


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            yield node


def lines(function: ast.FunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_and_functions_are_short(path: Path):
    assert len(path.read_text().splitlines()) <= MOST_LINES
    long = {function.name for function in functions(path) if lines(function) > LONG}
    assert long == LONG_FUNCTIONS.get(str(path.relative_to(SOURCE)), set())


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_head_of_a_package_names_its_modules(package: Path):
    head = ast.get_docstring(ast.parse((package / "__init__.py").read_text())) or ""
    modules = [path.stem for path in package.glob("*.py") if path.stem != "__init__"]
    modules += [path.parent.name for path in package.glob("*/__init__.py")]
    missing = [module for module in sorted(modules) if not re.search(rf"\b{re.escape(module)}\b", head)]
    assert not missing, f"{package.relative_to(SOURCE)}/__init__.py doesn't say what these are: {', '.join(missing)}"


def test_every_pass_is_in_a_table():
    text = "".join(Path(str(module.__file__)).read_text() for module in (cpu, gpu, reference))
    for path in (SOURCE / "passes").glob("*.py"):
        if path.stem != "__init__":
            assert f"{path.stem}.run" in text, f"no pipeline runs passes/{path.name}"


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of all docstrings, those of attributes included."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            for statement in node.body:
                value = statement.value if isinstance(statement, ast.Expr) else None
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield statement.lineno, value.value


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_docstrings_start_with_a_noun_phrase_or_a_verb(path: Path):
    if path.relative_to(SOURCE).parts[0] in NOT_SWEPT:
        return
    odd = [
        (line, text.split("\n")[0])
        for line, text in docstrings(path)
        if re.match(rf"\s*({'|'.join(ODD_STARTS)})\b", text)
    ]
    assert not odd


def test_folders_that_are_not_swept_need_it():
    for folder in NOT_SWEPT:
        texts = [text for path in (SOURCE / folder).rglob("*.py") for _, text in docstrings(path)]
        assert any(re.match(rf"\s*({'|'.join(ODD_STARTS)})\b", text) for text in texts), (
            f"{folder} is done: take it off"
        )
