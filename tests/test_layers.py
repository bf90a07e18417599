# SPDX-License-Identifier: Apache-2.0
"""Who may import whom: one table, held against every import in the code, at the top of a file or inside a function."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "lanewise"

LEAVES = {"errors", "config", "garbage", "locks", "log", "toolchain", "llvm", "child", "tracebacks", "wording"}

# A folder or file directly under src/lanewise -> those it may import, leaves aside.
MAY_IMPORT: dict[str, set[str]] = {
    "ir": set(),
    "analysis": {"ir"},
    "passes": {"ir", "analysis"},
    "workgroup": {"ir", "analysis"},
    "pipelines": {"ir", "analysis", "passes", "workgroup", "backend"},
    "backend": {"ir", "analysis"},
    "ptx": {"ir"},
    "frontend": {"ir", "analysis", "passes", "ptx", "linking", "cache"},
    "cache": set(),
    "linking": {"ir", "analysis", "cache"},
    "mathlib": {"linking", "cache"},
    "transfer": set(),
    "runtime": {"cache"},
    "checks": {"ir", "analysis", "frontend", "cache"},
    "device": {"ir", "workgroup", "pipelines", "backend", "runtime", "cache"},
    "streams": {"device", "runtime", "session"},
    "session": {"device", "cache"},
    "program": {
        "checks",
        "mathlib",
        "linking",
        "session",
        "streams",
        "device",
        "frontend",
        "pipelines",
        "workgroup",
        "backend",
        "cache",
        "ptx",
        "ir",
    },
    "cuda": {
        "program",
        "session",
        "device",
        "frontend",
        "pipelines",
        "workgroup",
        "backend",
        "opencl",
        "runtime",
        "cache",
        "ir",
    },
    "opencl": {"runtime", "cache"},
    "jit": {"program", "session", "streams", "device", "frontend", "transfer", "runtime", "cache"},
    "ahead": {"jit", "program", "session", "device", "frontend", "runtime", "cache"},
    "__init__": {"program", "session", "device", "streams", "ptx", "jit"},
    "cli": {
        "__init__",
        "ahead",
        "jit",
        "cuda",
        "opencl",
        "session",
        "program",
        "device",
        "frontend",
        "backend",
        "cache",
        "ptx",
        "pipelines",
    },
    "__main__": {"cli"},
    "pytest_plugin": {"__init__", "device"},
}
# A folder in workgroup/ -> those in it that it may import; "" has the files directly there, INPUTS aside.
WORKGROUP_MAY_IMPORT: dict[str, set[str]] = {
    "regions": {"layout"},
    "layout": set(),
    "lowering": {"layout"},
    "items": {"layout", "lowering", "regions"},
    "waiting": {"layout"},
    "lanes/analysis": {"layout", "items"},
    "lanes/values": {"lowering", "items"},
    "lanes/memory": {"layout", "lanes/analysis", "lanes/values"},
    "lanes/warps": {"regions", "lowering", "items", "lanes/values", "lanes/memory"},
    "lanes/control": {
        "layout",
        "lowering",
        "items",
        "lanes/analysis",
        "lanes/values",
        "lanes/memory",
        "lanes/warps",
    },
    "threads": {"layout", "lowering", "lanes/warps"},
    "lanes": {"layout", "items", "lanes/analysis", "lanes/control"},
    "": {
        "regions",
        "layout",
        "lowering",
        "items",
        "waiting",
        "lanes",
        "lanes/analysis",
        "lanes/control",
        "lanes/warps",
        "threads",
    },
}
WORKGROUP_INPUTS = {"mapping", "processor", "launch_assumptions"}
"""Files of workgroup/ that any folder in it may import: what its callers ask for."""
LEAVES_MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "config": {"errors"},
    "locks": set(),
    "garbage": {"locks"},
    "log": {"config"},
    "toolchain": {"errors", "log", "config"},
    "llvm": {"errors", "config", "toolchain"},
    "child": {"config", "errors", "log"},
    "tracebacks": {"errors", "config"},
    "wording": {"errors"},
}


def allowed(part: str) -> set[str]:
    return MAY_IMPORT[part] | LEAVES if part in MAY_IMPORT else LEAVES_MAY_IMPORT[part]


def part_of(path: Path) -> str:
    first = path.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def imports(text: str) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level:
            yield node.lineno, "." * node.level + (node.module or "")
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def imported_part(name: str) -> str | None:
    """The part of lanewise that an import names; None for other packages."""
    package, _, rest = name.partition(".")
    if package != "lanewise":
        return None
    first = rest.partition(".")[0]
    known = first in MAY_IMPORT or first in LEAVES or (first and (SOURCE / first).is_dir())
    return first if known else "__init__"


def faults(part: str, place: str, text: str) -> list[str]:
    found: list[str] = []
    for line, name in imports(text):
        if name.startswith("."):
            found.append(f"{place}:{line}: imports {name}: write the whole name")
            continue
        target = imported_part(name)
        if target is not None and target != part and target not in allowed(part):
            found.append(f"{place}:{line}: {part} imports {name}, but may only import {sorted(allowed(part))}")
        if name.partition(".")[0] == "llvmlite" and part != "llvm":
            found.append(f"{place}:{line}: imports {name}: only lanewise.llvm may")
    return found


def test_every_import_follows_the_arrows():
    found = [
        fault
        for path in sorted(SOURCE.rglob("*.py"))
        for fault in faults(part_of(path), str(path.relative_to(SOURCE.parents[1])), path.read_text())
    ]
    assert not found, "\n" + "\n".join(found)


def test_every_part_has_its_place_in_the_table():
    parts = {part_of(path) for path in SOURCE.rglob("*.py")}
    assert parts - set(MAY_IMPORT) - set(LEAVES_MAY_IMPORT) == set()


def test_the_arrows_make_no_circle():
    graph = {part: allowed(part) for part in [*MAY_IMPORT, *LEAVES_MAY_IMPORT]}
    order = list(TopologicalSorter(graph).static_order())
    assert order.index("ir") < order.index("workgroup") < order.index("device") < order.index("cli")


WORKGROUP = SOURCE / "workgroup"


def workgroup_folder(path: Path) -> str:
    """The folder of a module in the table of workgroup/."""
    parts = path.relative_to(WORKGROUP).parts[:-1]
    return "/".join(parts[: 2 if parts[:1] == ("lanes",) else 1])


def workgroup_faults(path: Path, text: str) -> list[str]:
    folder = workgroup_folder(path)
    found: list[str] = []
    for line, name in imports(text):
        if not name.startswith("lanewise.workgroup."):
            continue
        target = WORKGROUP.parent.joinpath(*name.split(".")[1:])
        while not (target.is_dir() or target.with_suffix(".py").is_file()):
            target = target.parent
        to = workgroup_folder(target / "x" if target.is_dir() else target)
        if to != folder and to not in WORKGROUP_MAY_IMPORT[folder] and target.stem not in WORKGROUP_INPUTS:
            found.append(f"{path.name}:{line}: {folder} imports {name}")
    return found


def test_the_folders_of_workgroup_follow_their_arrows():
    found = [fault for path in sorted(WORKGROUP.rglob("*.py")) for fault in workgroup_faults(path, path.read_text())]
    assert not found, "\n" + "\n".join(found)


def test_the_arrows_of_workgroup_make_no_circle_and_are_all_needed():
    list(TopologicalSorter(WORKGROUP_MAY_IMPORT).static_order())
    for folder, allowed_folders in WORKGROUP_MAY_IMPORT.items():
        text = "".join(p.read_text() for p in WORKGROUP.rglob("*.py") if workgroup_folder(p) == folder)
        for other in allowed_folders:
            assert f"lanewise.workgroup.{other.replace('/', '.')}" in text, f"{folder} imports nothing of {other}"


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("layout/frame.py", "from lanewise.workgroup.items.storage import Storage"),
        ("items/emission.py", "if True:\n    from lanewise.workgroup.lanes.mapper import LaneMapper"),
        ("lanes/analysis/plan.py", "from lanewise.workgroup.lanes.memory import runs"),
        ("lanes/values/opaque.py", "import lanewise.workgroup.function"),
    ],
)
def test_the_check_of_workgroup_sees(place: str, text: str):
    assert len(workgroup_faults(WORKGROUP / place, text)) == 1


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("ir", "import lanewise.analysis.uniformity"),
        ("ir", "from lanewise import device"),
        ("cache", "def get():\n    from lanewise.program.source.translation import translate"),
        ("workgroup", "if True:\n    from lanewise.pipelines import cpu"),
        ("frontend", "from . import cuda"),
        ("errors", "from lanewise.config import Config"),
        ("backend", "import llvmlite.binding"),
        ("device", "from lanewise import compile"),
    ],
)
def test_the_check_sees(part: str, text: str):
    (fault,) = faults(part, "file.py", text)
    assert fault.startswith(f"file.py:{len(text.splitlines())}: ")


def test_the_check_accepts_what_is_allowed():
    text = "import numpy\nfrom lanewise.ir.types import Type\nfrom lanewise.errors import Error"
    assert faults("workgroup", "file.py", text) == []
