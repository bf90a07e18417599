# SPDX-License-Identifier: Apache-2.0
"""Each pass on its examples: tests/passes/PASS/*.ll for src/lanewise/passes/PASS.py.

A file holds a module, a line `; -- becomes`, and the module that the pass makes of it; or a line `; -- unchanged`.
`pytest tests/passes --update-golden` writes what the passes make now into the files: look at the difference.
A line `; options: fused=False` gives fields of the pass's options, which otherwise are as OPTIONS says (None: it has
none). A file `needs_3_*.ll` shows what legality condition 3 of the pass's docstring rejects; each condition has one.
The docstring's Before and After are an example too.
"""

import ast
import importlib
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.llvm import verify as verify_with_llvm
from lanewise.passes.contract_multiply_add import ContractOptions
from lanewise.passes.widen_indices import WidenOptions

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.ll"))
MODULE = object()
"""The pass takes the module, and has no options."""
OPTIONS: dict[str, Any] = {
    "assume_noalias": None,
    "contract_multiply_add": ContractOptions(fused=True),
    "copy_byval": MODULE,
    "drop_noalias": None,
    "expand_funnel_shifts": None,
    "widen_indices": WidenOptions(),
}
PASSES = sorted(OPTIONS)
BECOMES = "; -- becomes\n"
UNCHANGED = "; -- unchanged\n"
HEADINGS = ("Why", "Before", "After", "Needs", "Method", "When not", "Neighbours")


def sections(name: str) -> dict[str, str]:
    document = importlib.import_module(f"lanewise.passes.{name}").__doc__ or ""
    parts = re.split(rf"^({'|'.join(HEADINGS)})\n", document, flags=re.MULTILINE)
    return {heading: textwrap.dedent(text) for heading, text in zip(parts[1::2], parts[2::2], strict=True)}


def transformed(name: str, text: str, **options: Any) -> Module:
    """A module after the pass on all its functions, verified. The pass says truly whether it changed anything."""
    run = importlib.import_module(f"lanewise.passes.{name}").run
    chosen = OPTIONS[name] if not options else type(OPTIONS[name])(**options)
    module = read_module(text)
    more = () if chosen is None else (module,) if chosen is MODULE else (module, chosen)
    verify(module)
    for function in module.functions:
        before = write_module(module)
        changed = run(function, *more)
        verify(module)
        assert changed == (write_module(module) != before), f"{name} on @{function.name}"
        assert not run(function, *more), f"{name} on @{function.name} again"
    verify_with_llvm(write_module(module))
    return module


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_examples(path: Path, request: pytest.FixtureRequest):
    text = path.read_text()
    before, mark, after = text.partition(BECOMES) if BECOMES in text else text.partition(UNCHANGED)
    assert mark, f"{path} has neither '{BECOMES.strip()}' nor '{UNCHANGED.strip()}'"
    options = re.search(r"^; options: (.*)$", before, re.MULTILINE)
    fields = ast.parse(f"f({options[1]})", mode="eval").body.keywords if options else []
    made = write_module(transformed(path.parent.name, before, **{f.arg: ast.literal_eval(f.value) for f in fields}))
    same = made == write_module(read_module(before))
    if request.config.getoption("--update-golden"):
        path.write_text(f"{before}{UNCHANGED}" if same else f"{before}{BECOMES}{made.strip()}\n")
    elif mark == UNCHANGED:
        assert same
    else:
        assert made.strip() == after.strip()


@pytest.mark.parametrize("name", PASSES)
def test_the_docstring_shows_what_the_pass_does(name: str):
    shown = sections(name)
    assert tuple(shown) == HEADINGS
    made = write_module(transformed(name, shown["Before"]))
    assert made == write_module(read_module(shown["After"]))


@pytest.mark.parametrize("name", PASSES)
def test_each_legality_condition_is_guarded_and_has_a_rejecting_example(name: str):
    numbers = set(re.findall(r"^(\d+)\. ", sections(name)["Needs"], re.MULTILINE))
    code = Path(importlib.import_module(f"lanewise.passes.{name}").__file__).read_text().partition('"""\n\nfrom')[2]
    examples = {match[1] for path in (HERE / name).glob("*.ll") if (match := re.match(r"needs_(\d+)_", path.name))}
    guards = set(re.findall(r'(?:# |""")(\d+)(?:$|:)', code, re.MULTILINE))
    assert examples == numbers == guards
