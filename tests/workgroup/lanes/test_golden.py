# SPDX-License-Identifier: Apache-2.0
"""Lane code of small kernels, word by word: tests/workgroup/lanes/golden/*.ll.

A file begins with the mapping and the size of the block, and says what it shows. Then come a kernel, a line
`; -- becomes`, and its work-group function for a processor with AVX-512, whatever this one is.
`pytest tests/workgroup/lanes --update-golden` writes what is made now into the files: look at the difference.
"""

import re
from pathlib import Path

import pytest

from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.verifier import verify
from lanewise.ir.writer import write_module
from lanewise.llvm import verify as verify_with_llvm
from lanewise.passes import mark_global_ids
from lanewise.workgroup.function import build_work_group_function
from lanewise.workgroup.mapping import mapping_of
from lanewise.workgroup.processor import Processor

FILES = sorted((Path(__file__).parent / "golden").glob("*.ll"))
LAYOUT = 'target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"\ntarget triple = "nvptx64-nvidia-cuda"\n'
PROCESSOR = Processor(nontemporal_stores=False)
"""One with AVX-512. Stores past the caches would take lines in each file."""
BECOMES = "; -- becomes\n"


def made(text: str) -> Module:
    """The module with the work-group function, verified."""
    head = re.match(r"; mapping: (\S+), block: (\d+)\n; ", text)
    assert head, "the first two lines are the mapping with the block, and what is shown"
    source = read_module(LAYOUT + text)
    verify(source)
    block = int(head[2]), 1, 1
    mapping = mapping_of(head[1])
    mark_global_ids.run(source.function("k"), mark_global_ids.GlobalIdOptions(block=block))
    target = build_work_group_function(source, source.function("k"), block, mapping=mapping, processor=PROCESSOR).module
    verify(target)
    verify_with_llvm(write_module(target))
    return target


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_lane_code(path: Path, request: pytest.FixtureRequest):
    before, mark, after = path.read_text().partition(BECOMES)
    text = write_module(made(before)).strip()
    if request.config.getoption("--update-golden"):
        path.write_text(f"{before.rstrip()}\n\n{BECOMES}{text}\n")
    else:
        assert mark
        assert text == after.strip()
