# SPDX-License-Identifier: Apache-2.0
"""Line tables of shared objects, also damaged ones: python -m pytest tests/device/cpu/test_line_table.py"""

import random

import pytest

from lanewise.backend.host.compile import compile_shared_object
from lanewise.device.cpu.line_table import line_at

FUNCTION = """
define i32 @{name}(ptr %p) !dbg !{program} {{
  %a = load volatile i32, ptr %p, !dbg !{first}
  store volatile i32 %a, ptr %p, !dbg !{second}
  ret i32 %a, !dbg !{second}
}}
!{program} = distinct !DISubprogram(name: "{name}", scope: !{file}, file: !{file}, line: 1, type: !90, unit: !91, \
spFlags: DISPFlagDefinition)
!{first} = !DILocation(line: {line}, scope: !{program})
!{second} = !DILocation(line: 70000, scope: !{program})
!{file} = !DIFile(filename: "{name}.cu", directory: "{folder}")
"""
REST = """
!llvm.dbg.cu = !{!91}
!llvm.module.flags = !{!92, !93}
!90 = !DISubroutineType(types: !{})
!91 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !13, emissionKind: LineTablesOnly)
!92 = !{i32 2, !"Debug Info Version", i32 3}
!93 = !{i32 7, !"Dwarf Version", i32 4}
"""


@pytest.fixture(scope="module")
def shared_object() -> bytes:
    one = FUNCTION.format(name="one", program=10, first=11, second=12, file=13, line=3, folder="")
    other = FUNCTION.format(name="other", program=20, first=21, second=22, file=23, line=400, folder="/far")
    return compile_shared_object(one + other.replace("\\\n", "") + REST)


def test_each_line_is_found(shared_object: bytes):
    found = {line_at(shared_object, offset) for offset in range(0x4000)}
    assert found - {None} == {("one.cu", 3), ("one.cu", 70000), ("/far/other.cu", 400), ("/far/other.cu", 70000)}


def test_outside_of_code_there_is_no_line(shared_object: bytes):
    for offset in (-1, 0, 1 << 20, 1 << 63):
        assert line_at(shared_object, offset) is None


def test_what_is_no_object_has_no_lines():
    for data in (b"", b"\x7fELF", bytes(5000), b"abc" * 1000):
        assert line_at(data, 0) is None


def test_damaged_objects_end_the_search_and_nothing_else(shared_object: bytes):
    """No exception, and no search without end."""
    generator = random.Random(7)
    for _ in range(300):
        damaged = bytearray(shared_object)
        for _ in range(generator.randint(1, 6)):
            damaged[generator.randrange(len(damaged))] = generator.choice((0, 1, 0x7F, 0xFF, generator.randrange(256)))
        line_at(bytes(damaged[: generator.choice((len(damaged), generator.randrange(len(damaged))))]), 0x1300)
