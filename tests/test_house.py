# SPDX-License-Identifier: Apache-2.0
"""Rules of the house: sizes of files and functions, packages that list their modules, passes that are in a table,
imports without circles, class names used once, docstrings whose examples are run.

Exceptions stand in the tables below, each with its reason, and must be needed.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.passes.test_golden import PASSES
from tests.passes.test_other_examples import EXECUTED
from tests.ptx.shuffles.test_examples import EXECUTED as EXECUTED_IN_PTX
from tests.workgroup.test_examples import EXECUTED as EXECUTED_IN_WORK_GROUPS

from lanewise.frontend.cuda import compile as compile_cuda
from lanewise.frontend.ptx import translate
from lanewise.pipelines import cpu, gpu, group_function, reference

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
    "cli/profile_command.py": {"_profile"},  # likewise
    "cli/run.py": {"run_kernel"},
    "frontend/clang/run.py": {"_run"},
}

ODD_STARTS = ("Of", "What", "Where", "Whether", "By", "Those", "None", "So", "Which", "Who", "Whose", "How", "Why")
"""Words that no docstring starts with: it starts with a noun phrase or an imperative verb."""

CIRCLES = {
    # one data structure, which prints itself
    "ir": {"effects", "function", "instruction", "module", "values", "writer"},
    "ptx": {"module", "printer"},  # `__str__` alone
}
"""Folder -> modules in it that import each other, directly or through others."""

OTHER_LANGUAGE = "ptx"
"""The folder whose classes are those of another language: PTX has modules, functions and instructions, too."""
TAKEN_TWICE = {
    "Module",  # of the IR, and `lw.Module`: LLVM's word and CUDA's, each the only one that its users look for
}
"""Names of several classes of that folder, or of the others."""

EXAMPLES_RUN = {
    SOURCE / (module.replace(".", "/") + ".py")
    for module in {row.module for row in PASSES.values()} | EXECUTED | EXECUTED_IN_WORK_GROUPS | EXECUTED_IN_PTX
}
"""Modules whose Before and After are run: by tests/passes/test_golden.py and test_other_examples.py, and by
test_examples.py in tests/workgroup and in tests/ptx/shuffles."""


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


def test_every_pass_is_in_a_table_or_a_front_end():
    text = "".join(
        Path(str(module.__file__)).read_text()
        for module in (cpu, group_function, gpu, reference, compile_cuda, translate)
    )
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
    odd = [
        (line, text.split("\n")[0])
        for line, text in docstrings(path)
        if re.match(rf"\s*({'|'.join(ODD_STARTS)})\b", text)
    ]
    assert not odd


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_named_tuples_have_no_types_as_text(path: Path):
    """`from __future__ import annotations` makes text of types, and `NamedTuple` compiles the text of each field: 0.1
    ms per class, and a first launch loads 115."""
    text = path.read_text()
    if re.search(r"^ *class \w+\((?:.*, )?NamedTuple\b", text, re.MULTILINE):
        assert "from __future__ import annotations" not in text, "quote the types that are defined later instead"


def imported(path: Path, modules: Mapping[str, Path]) -> set[Path]:
    """The files of `modules` that one of them imports: anywhere in it, also for types alone."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            each = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in modules else str(node.module) for name in each}
    return {modules[name] for name in found if name in modules} - {path}


def circles(graph: Mapping[Path, set[Path]]) -> list[set[Path]]:
    """The largest sets of files that all import each other, directly or through others."""
    reached: dict[Path, set[Path]] = {}
    for start in graph:
        seen: set[Path] = set()
        work = [*graph[start]]
        while work:
            at = work.pop()
            if at not in seen:
                seen.add(at)
                work += graph[at]
        reached[start] = seen
    found: list[set[Path]] = []
    for start in graph:
        circle = {other for other in reached[start] if start in reached[other]}
        if circle and circle not in found:
            found.append(circle)
    return found


def modules_of(root: Path, files: list[Path]) -> dict[str, Path]:
    return {".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def test_imports_make_no_circles():
    modules = modules_of(SOURCE.parent, FILES)
    in_circles: dict[str, set[str]] = {folder: set() for folder in CIRCLES}
    for circle in circles({path: imported(path, modules) for path in FILES}):
        for path in circle:
            place = path.relative_to(SOURCE).as_posix()
            folder = next((folder for folder in CIRCLES if place.startswith(f"{folder}/")), "")
            assert folder, f"{place} is in a circle of imports"
            in_circles[folder].add(path.stem)
    assert in_circles == CIRCLES, "new circles, or some that are gone: take them off"


def test_the_search_for_circles_finds_them(tmp_path: Path):
    texts = {
        "a": "from p import b",
        "b": "if TYPE_CHECKING:\n    from p.c import C",
        "c": "import p.b",
        "d": "from p.a import A",
    }
    for name, text in texts.items():
        (tmp_path / f"p_{name}.py").write_text(text)
    modules = {f"p.{name}": tmp_path / f"p_{name}.py" for name in texts}
    found = circles({path: imported(path, modules) for path in modules.values()})
    assert found == [{modules["p.b"], modules["p.c"]}]


def test_class_names_are_used_once():
    names: dict[tuple[bool, str], list[str]] = defaultdict(list)
    for path in FILES:
        place = path.relative_to(SOURCE)
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                names[place.parts[0] == OTHER_LANGUAGE, node.name].append(place.as_posix())
    twice = {name: places for (_, name), places in names.items() if len(places) > 1}
    assert set(twice) == TAKEN_TWICE, {name: places for name, places in twice.items() if name not in TAKEN_TWICE}


def test_examples_in_docstrings_are_run():
    shown = {
        path
        for path in FILES
        if re.search(r"^ *Before\b(?! sm_)", ast.get_docstring(ast.parse(path.read_text())) or "", re.MULTILINE)
    }
    assert shown >= EXAMPLES_RUN >= set((SOURCE / "passes").glob("*.py")) - {SOURCE / "passes" / "__init__.py"}
    assert shown == EXAMPLES_RUN & shown, [str(path.relative_to(SOURCE)) for path in shown - EXAMPLES_RUN]
