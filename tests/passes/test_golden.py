# SPDX-License-Identifier: Apache-2.0
"""Each pass on its examples: tests/passes/PASS/*.ll for a row of PASSES.

A file holds a module, a line `; -- becomes`, and the module that the pass makes of it; or a line `; -- unchanged`.
`pytest tests/passes --update-golden` writes what the passes make now into the files: look at the difference.
Instead of the second module may stand `; -- refused: MESSAGE`, for an error in the program.
A line `; with _MOST_COPIED=9` sets a number of the pass's module, so that an example may be small.
A line `; options: fused=False` gives fields of the pass's options, which otherwise are as PASSES says (None: it has
none). A file `needs_3_*.ll` shows what legality condition 3 of the pass's docstring rejects; each condition has one.
The docstring's Before and After are an example too. An After that is `beside` something has only a part of the symbols.
"""

import ast
import importlib
import re
import textwrap
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lanewise.backend.nvptx.targets import target
from lanewise.errors import CompileError
from lanewise.frontend.opencl.known_images import KnownArgument, KnownImages
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module, write_symbol
from lanewise.llvm import verify as verify_with_llvm
from lanewise.passes.contract_multiply_add import ContractOptions
from lanewise.passes.copy_in_words import CopyOptions
from lanewise.passes.mark_global_ids import GlobalIdOptions
from lanewise.passes.round_by_remainder import RemainderOptions
from lanewise.passes.unroll_private_arrays import UnrollOptions
from lanewise.passes.widen_indices import WidenOptions
from lanewise.pipelines.open_cl_limits import LimitOptions


class Takes(Enum):
    """The parameters of a pass before its options."""

    FUNCTION = "a function"
    BOTH = "a function and its module"
    MODULE = "the module"


class Pass(NamedTuple):
    """A pass, its parameters, its usual options, and the function that does it."""

    module: str
    takes: Takes
    options: Any = None
    run: str = "run"


KNOWN = KnownImages("k", (KnownArgument(1, bits=18),))
HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.ll"))
PASSES: dict[str, Pass] = {
    "assume_noalias": Pass("passes.assume_noalias", Takes.FUNCTION),
    "bypass_64_bit_division": Pass("passes.bypass_64_bit_division", Takes.FUNCTION),
    "compose_linear_steps": Pass("passes.compose_linear_steps", Takes.BOTH),
    "contract_multiply_add": Pass("passes.contract_multiply_add", Takes.BOTH, ContractOptions(fused=True)),
    "copy_in_words": Pass("passes.copy_in_words", Takes.FUNCTION, CopyOptions()),
    "copy_byval": Pass("passes.copy_byval", Takes.BOTH),
    "drop_noalias": Pass("passes.drop_noalias", Takes.FUNCTION),
    "eliminate_dead_stores": Pass("passes.eliminate_dead_stores", Takes.BOTH),
    "expand_funnel_shifts": Pass("passes.expand_funnel_shifts", Takes.FUNCTION),
    "expand_matrix_rows": Pass("passes.expand_matrix_rows", Takes.BOTH),
    "freeze_element_indices": Pass("passes.freeze_element_indices", Takes.FUNCTION),
    "hoist_address_terms": Pass("passes.hoist_address_terms", Takes.BOTH),
    "inline_texture_fetches": Pass("passes.inline_texture_fetches", Takes.BOTH),
    "know_sub_group_size": Pass("passes.know_sub_group_size", Takes.MODULE),
    "load_bits_as_words": Pass("passes.load_bits_as_words", Takes.FUNCTION),
    "load_shifted_vectors": Pass("passes.load_shifted_vectors", Takes.BOTH),
    "lower_computed_goto": Pass("passes.lower_computed_goto", Takes.MODULE),
    "merge_counters": Pass("passes.merge_counters", Takes.FUNCTION),
    "narrow_comparisons": Pass("passes.narrow_comparisons", Takes.FUNCTION),
    "narrow_shared_addresses": Pass("passes.narrow_shared_addresses", Takes.BOTH),
    "reassociate_pointer_arithmetic": Pass("passes.reassociate_pointer_arithmetic", Takes.BOTH),
    "recover_pointers": Pass("passes.recover_pointers", Takes.FUNCTION),
    "reuse_loads": Pass("passes.reuse_loads", Takes.BOTH),
    "mark_global_ids": Pass("passes.mark_global_ids", Takes.FUNCTION, GlobalIdOptions()),
    "return_at_exit": Pass("passes.return_at_exit", Takes.FUNCTION),
    "round_by_remainder": Pass("passes.round_by_remainder", Takes.BOTH, RemainderOptions()),
    "scale_in_one_instruction": Pass("passes.scale_in_one_instruction", Takes.BOTH),
    "speculate": Pass("passes.speculate", Takes.FUNCTION),
    "split_inductions": Pass("passes.split_inductions", Takes.FUNCTION),
    "step_pointers": Pass("passes.step_pointers", Takes.BOTH),
    "sum_absolute_differences": Pass("passes.sum_absolute_differences", Takes.FUNCTION),
    "thread_repeated_tests": Pass("passes.thread_repeated_tests", Takes.FUNCTION),
    "unroll_remainders": Pass("passes.unroll_remainders", Takes.FUNCTION),
    "unroll_private_arrays": Pass("passes.unroll_private_arrays", Takes.BOTH, UnrollOptions()),
    "version_by_alignment": Pass("passes.version_by_alignment", Takes.BOTH),
    "widen_indices": Pass("passes.widen_indices", Takes.BOTH, WidenOptions()),
    "define_grid_sync": Pass("backend.nvptx.grid_sync", Takes.MODULE),
    "drop_warp_waits": Pass("backend.nvptx.warp_waits", Takes.MODULE),
    "write_scoped_atomics": Pass("backend.nvptx.atomics", Takes.MODULE, target("sm_80")),
    "write_texture_calls": Pass("backend.nvptx.textures", Takes.MODULE),
    "hide_opencl_limits": Pass("pipelines.open_cl_limits", Takes.MODULE, LimitOptions(small_grid=False), "hide_limits"),
    "mark_positions": Pass("pipelines.positions", Takes.MODULE, run="mark_positions"),
    "limit_registers": Pass("frontend.cuda.limit_registers", Takes.MODULE),
    "scope_atomics": Pass("frontend.cuda.scope_atomics", Takes.MODULE),
    "know_images": Pass("frontend.opencl.known_images", Takes.MODULE, KNOWN),
    "globalise_constants": Pass("frontend.opencl.constant_memory", Takes.MODULE),
    "lower_printf": Pass("frontend.opencl.printf", Takes.MODULE),
    "relax_reciprocal_roots": Pass("frontend.opencl.relaxed_roots", Takes.MODULE),
    "rename_own_functions": Pass("frontend.opencl.own_functions", Takes.MODULE),
}
EVERYWHERE = ("Why", "Before", "After", "Needs")
BECOMES = "; -- becomes\n"
UNCHANGED = "; -- unchanged\n"
REFUSED = "; -- refused: "
HEADINGS = ("Why", "Before", "After", "Needs", "Method", "When not", "Neighbours")
_HEADING = re.compile(rf"^({'|'.join(HEADINGS)})((?:, [^\n]*)?)\n", re.MULTILINE)


def documented(name: str) -> str:
    """The docstring of a pass."""
    return importlib.import_module(f"lanewise.{PASSES[name].module}").__doc__ or ""


def sections(document: str) -> dict[str, str]:
    """The text under each heading of a docstring."""
    parts = _HEADING.split(document)
    texts = [text.rpartition("\nSource")[0] or text for text in parts[3::3]]
    return {heading: textwrap.dedent(text) for heading, text in zip(parts[1::3], texts, strict=True)}


def keywords(options: str) -> list[ast.keyword]:
    """Options as a file has them: `name=value, ...`."""
    call = ast.parse(f"f({options})", mode="eval").body
    assert isinstance(call, ast.Call)
    return call.keywords


def transformed(name: str, text: str, **options: Any) -> Module:
    """A module after the pass on all its functions, verified. The pass says truly whether it changed anything."""
    row = PASSES[name]
    run = getattr(importlib.import_module(f"lanewise.{row.module}"), row.run)
    chosen = row.options if not options else type(row.options)(**options)
    module = read_module(text)
    more = () if chosen is None else (chosen,)
    verify(module)
    for function in module.functions if row.takes is not Takes.MODULE else [None]:
        given = {Takes.FUNCTION: (function,), Takes.BOTH: (function, module), Takes.MODULE: (module,)}[row.takes]
        before = write_module(module)
        changed = run(*given, *more)
        verify(module)
        assert changed == (write_module(module) != before), f"{name} on {function}"
        assert not run(*given, *more), f"{name} on {function} again"
    verify_with_llvm(write_module(module))
    return module


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_examples(path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    text = path.read_text()
    for name, number in re.findall(r"^; with (\w+)=(\d+)$", text, re.MULTILINE):
        monkeypatch.setattr(f"lanewise.{PASSES[path.parent.name].module}.{name}", int(number))
    if REFUSED in text:
        before, _, message = text.partition(REFUSED)
        with pytest.raises(CompileError, match=re.escape(message.strip())):
            transformed(path.parent.name, before)
        return
    before, mark, after = text.partition(BECOMES) if BECOMES in text else text.partition(UNCHANGED)
    assert mark, f"{path} has neither '{BECOMES.strip()}' nor '{UNCHANGED.strip()}'"
    options = re.search(r"^; options: (.*)$", before, re.MULTILINE)
    fields = keywords(options[1]) if options else []
    made = write_module(
        transformed(path.parent.name, before, **{str(f.arg): ast.literal_eval(f.value) for f in fields})
    )
    same = made == write_module(read_module(before))
    if request.config.getoption("--update-golden"):
        path.write_text(f"{before}{UNCHANGED}" if same else f"{before}{BECOMES}{made.strip()}\n")
    elif mark == UNCHANGED:
        assert same
    else:
        assert made.strip() == after.strip()


@pytest.mark.parametrize("name", PASSES)
def test_the_docstring_shows_what_the_pass_does(name: str):
    document = documented(name)
    shown = sections(document)
    assert tuple(shown) == tuple(heading for heading in HEADINGS if heading in shown)
    assert set(shown) >= set(HEADINGS if PASSES[name].module.startswith("passes.") else EVERYWHERE)
    made, wanted = transformed(name, shown["Before"]), read_module(shown["After"])
    if "\nAfter, beside " in document:
        assert [write_symbol(made.symbols[symbol]) for symbol in wanted.symbols] == [
            write_symbol(symbol) for symbol in wanted.symbols.values()
        ]
    else:
        assert write_module(made) == write_module(wanted)


@pytest.mark.parametrize("name", PASSES)
def test_each_legality_condition_is_guarded_and_has_a_rejecting_example(name: str):
    numbers = set(re.findall(r"^(\d+)\. ", sections(documented(name))["Needs"], re.MULTILINE))
    path = importlib.import_module(f"lanewise.{PASSES[name].module}").__file__ or ""
    code = re.split(r'"""\n\n(?=from|import)', Path(path).read_text(), maxsplit=1)[1]
    examples = {match[1] for path in (HERE / name).glob("*.ll") if (match := re.match(r"needs_(\d+)_", path.name))}
    guards = set(re.findall(r'(?:# |""")(\d+)(?:$|:)', code, re.MULTILINE))
    assert examples == numbers == guards
