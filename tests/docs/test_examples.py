# SPDX-License-Identifier: Apache-2.0
"""Every example in the documents is run.

    ```python       one program: the blocks of a document run in order, with the names of those before
    ```python FILE  a file, as below
    ```cuda FILE    a file that the following examples find in their folder
    ```console      a `$` line is run by a shell, and what follows must be what it prints (... stands for any text)
    ```llvm STAGE   lines of the stage's IR of the last .cu file, in order, each perhaps cut (... for lines left out);
                    a mapping may follow, such as lanes:16x4

A block whose info string ends in `not run` is only shown. The runtime is built beforehand: the command line says so
where it builds it, once per machine.
"""

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import lanewise as lw

from ..prepared_cache import copy_cache

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NEEDS_GPP = {"cuda-programs.md", "checking.md"}
"""Documents whose examples need the system's g++."""
RUN = ("python", "cuda", "opencl", "console", "llvm")


class Example(NamedTuple):
    line: int
    language: str
    about: str
    text: str


def examples(document: Path) -> list[Example]:
    """The blocks of a document that are to be run."""
    text = document.read_text()
    found: list[Example] = []
    for match in FENCE.finditer(text):
        language, _, about = match[1].partition(" ")
        if language in RUN and about != "not run":
            found.append(Example(text.count("\n", 0, match.start()) + 1, language, about, match[2]))
    return found


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_examples(document: Path, tmp_path: Path, libraries: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LANEWISE_CACHE_DIR", str(tmp_path / "cache"))
    copy_cache(libraries, tmp_path / "cache")
    names: dict[str, Any] = {}
    if document.name in NEEDS_GPP and shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    for example in examples(document):
        place = f"{document.name}:{example.line}"
        match example.language:
            case "cuda" | "opencl" | "python" if example.about:
                (tmp_path / example.about).write_text(example.text)
                sys.modules.pop(Path(example.about).stem, None)  # that of another document
            case "python":
                exec(compile("\n" * example.line + example.text, str(document), "exec"), names)
            case "console":
                run_console(place, example.text)
            case _:
                check_stage(place, example, last_kernel_file(tmp_path))


def run_console(place: str, text: str) -> None:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, expected = re.match(r"((?:[^\n]*\\\n)*[^\n]*)\n(.*)", part, re.DOTALL).groups()  # type: ignore[union-attr]
        done = subprocess.run(
            command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        same = doctest.OutputChecker().check_output(
            expected, done.stdout, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        )
        assert same, f"{place}: $ {command}\nprints\n{done.stdout}\nnot\n{expected}"


def last_kernel_file(folder: Path) -> Path:
    return max(folder.glob("*.cu"), key=lambda path: path.stat().st_mtime_ns)


def check_stage(place: str, example: Example, source: Path) -> None:
    stage, _, mapping = example.about.partition(" ")
    module = lw.compile(source, mapping=mapping or None)
    lines = iter(module.ir(stage, module.kernels[0], 64).splitlines())
    for wanted in example.text.splitlines():
        if wanted.strip() and wanted.strip() != "...":
            assert any(line.strip().startswith(wanted.strip()) for line in lines), f"{place}: not in order: {wanted}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", FENCE.sub("", re.sub(r"`[^`\n]+`", "", document.read_text()))):
        assert (document.parent / target).exists(), f"{document.name}: there is no {target}"


@pytest.mark.parametrize("document", ["ARCHITECTURE.md", "HACKING.md"])
def test_the_source_has_what_these_name(document: str):
    """Their paths are in src/lanewise, some of them in the folder that the text is about."""
    source = [f"/{path.relative_to(ROOT)}" for path in (ROOT / "src" / "lanewise").rglob("*")]
    for name in re.findall(r"`([\w./-]+)`", (ROOT / document).read_text()):
        if ("/" in name.strip("/") or name.endswith(".py")) and "NAME" not in name and not (ROOT / name).exists():
            assert any(path.endswith(f"/{name.strip('/')}") for path in source), f"{document}: there is no {name}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_are_named_exist(document: Path):
    prefixes = ("src/", "tests/", "docs/", "examples/", "bench/")
    for name in re.findall(r"`([\w./-]+)`", document.read_text()):
        if name.startswith(prefixes) and "NAME" not in name:
            assert (ROOT / name).exists(), f"{document.name}: there is no {name}"
