# SPDX-License-Identifier: Apache-2.0
"""Shared objects that are linked without a linker's process."""

import ctypes
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from lanewise.backend.host.compile import compile_object
from lanewise.backend.host.elf import FILE, PROGBITS, RELA, SECTION
from lanewise.backend.host.plain_link import plain_link
from lanewise.backend.host.sections import section
from lanewise.llvm import Machine
from lanewise.toolchain import zig

_CALLS = """
@counter = internal global i32 40
@empty = internal global [1000 x i32] zeroinitializer, align 64
@text = internal constant [5 x i8] c"abcd\\00"
@texts = internal constant [2 x ptr] [ptr @text, ptr getelementptr (i8, ptr @text, i64 2)]
@seen = global ptr @abs
@shown = global i32 7
@environ = external global ptr
declare i64 @strlen(ptr)
declare i32 @abs(i32)
declare hidden i32 @other(i32)

define i32 @count() nounwind {
  %old = load i32, ptr @counter
  %new = add i32 %old, 1
  store i32 %new, ptr @counter
  ret i32 %new
}
define i64 @length(i64 %n) nounwind {
  %place = getelementptr [2 x ptr], ptr @texts, i64 0, i64 %n
  %text = load ptr, ptr %place
  %length = call i64 @strlen(ptr %text)
  ret i64 %length
}
define i32 @through(i32 %x) nounwind {
  %function = load volatile ptr, ptr @seen
  %a = call i32 %function(i32 %x)
  %b = call i32 @other(i32 %a)
  ret i32 %b
}
define ptr @environment() nounwind {
  ret ptr @environ
}
define i32 @cleared(i64 %n) nounwind {
  %place = getelementptr i32, ptr @empty, i64 %n
  %value = load volatile i32, ptr %place
  store volatile i32 9, ptr %place
  ret i32 %value
}
"""
_OTHER = """
@factor = internal global double 3.0
define hidden i32 @other(i32 %x) nounwind {
  %f = load volatile double, ptr @factor
  %d = sitofp i32 %x to double
  %p = fmul double %d, %f
  %q = fadd double %p, 5.0e-1
  %r = fptosi double %q to i32
  ret i32 %r
}
"""
_NAMES = ("count", "length", "through", "environment", "cleared", "shown")


def _linked(sources: Sequence[str], names: Sequence[str] = _NAMES) -> bytes | None:
    return plain_link([compile_object(source) for source in sources], names)


def _loaded(data: bytes | None, path: Path) -> ctypes.CDLL:
    assert data is not None
    path.write_bytes(data)
    return ctypes.CDLL(str(path))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return _loaded(_linked((_CALLS, _OTHER)), tmp_path_factory.mktemp("linked") / "plain.so")


def test_variables_are_read_and_written(library: ctypes.CDLL) -> None:
    first = library.count()
    assert library.count() == first + 1
    assert ctypes.c_int.in_dll(library, "shown").value == 7


def test_the_process_has_functions_that_objects_lack(library: ctypes.CDLL) -> None:
    assert [library.length(ctypes.c_int64(n)) for n in range(2)] == [4, 2]


def test_objects_call_each_other_and_addresses_in_data_are_the_process_s(library: ctypes.CDLL) -> None:
    assert library.through(-14) == 42


def test_addresses_come_from_the_global_offset_table(library: ctypes.CDLL) -> None:
    library.environment.restype = ctypes.c_void_p
    found = ctypes.cast(ctypes.CDLL(None).environ, ctypes.c_void_p).value
    assert library.environment() == found


def test_what_no_file_has_is_zero(library: ctypes.CDLL) -> None:
    assert [library.cleared(ctypes.c_int64(n)) for n in (0, 999, 999)] == [0, 0, 9]


@pytest.mark.parametrize("alignment", [4, 64, 4096])
def test_all_data_may_be_zero(alignment: int, tmp_path: Path) -> None:
    source = f"""
@empty = internal global [1000 x i32] zeroinitializer, align {alignment}
@environ = external global ptr
define ptr @environment() nounwind {{
  ret ptr @environ
}}
define i32 @kept() nounwind {{
  %place = getelementptr i32, ptr @empty, i64 999
  %before = load volatile i32, ptr %place
  store volatile i32 5, ptr %place
  %after = load volatile i32, ptr %place
  %sum = add i32 %before, %after
  ret i32 %sum
}}"""
    assert _loaded(_linked((source,), ("kept",)), tmp_path / "plain.so").kept() == 5


def test_other_symbols_are_not_shown(tmp_path: Path) -> None:
    library = _loaded(_linked((_CALLS, _OTHER), ("count",)), tmp_path / "plain.so")
    assert library.count() == 41
    with pytest.raises(AttributeError):
        _ = library.through


def test_all_symbols_but_hidden_ones_are_shown_unless_some_are_named(tmp_path: Path) -> None:
    data = plain_link([compile_object(source) for source in (_CALLS, _OTHER)])
    library = _loaded(data, tmp_path / "plain.so")
    assert library.through(2) == 6
    with pytest.raises(AttributeError):
        _ = library.other


def test_a_symbol_that_any_object_hides_is_not_shown(tmp_path: Path) -> None:
    shown = _OTHER.replace("define hidden", "define")
    library = _loaded(_linked((_CALLS, shown), ("through", "other")), tmp_path / "plain.so")
    assert library.through(2) == 6
    with pytest.raises(AttributeError):
        _ = library.other


def test_debuggers_find_sections_and_symbols() -> None:
    data = _linked((_CALLS, _OTHER))
    assert data is not None
    names = section(data, b".strtab")
    assert names is not None
    assert {b"other", b"counter", b"count"} <= set(names.split(b"\0"))
    assert section(data, b".text")


def test_a_linker_takes_the_result(tmp_path: Path) -> None:
    data = _linked((_CALLS, _OTHER))
    assert data is not None
    plain, using = tmp_path / "libplain.so", tmp_path / "using.o"
    plain.write_bytes(data)
    using.write_bytes(
        compile_object("declare i32 @count()\ndefine i32 @twice() {\n  %a = call i32 @count()\n  ret i32 %a\n}\n")
    )
    command = [zig(), "ld.lld", "-shared", "-z", "defs", "-o", "/dev/null", using, plain]
    assert subprocess.run(command, capture_output=True, check=False).stderr == b""


@pytest.mark.parametrize(
    "source",
    [
        "@x = weak global i32 1",
        "@x = thread_local global i32 1",
        "@x = common global i32 0",
        "$x = comdat any\n@x = linkonce_odr global i32 1, comdat\n@llvm.used = appending global [1 x ptr] [ptr @x]",
        "@x = global i32 0\ndefine void @f() nounwind {\n  store volatile i32 1, ptr @x\n"
        "  ret void\n}\n@llvm.global_ctors = appending global [1 x {i32, ptr, ptr}] "
        "[{i32, ptr, ptr} {i32 1, ptr @f, ptr null}]",
        "declare hidden void @f()\ndefine void @g() nounwind {\n  call void @f()\n  ret void\n}",
        "define void @f() uwtable {\n  ret void\n}",
    ],
    ids=["weak", "thread's own", "common", "group", "constructor", "hidden and not defined", "unwound"],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_a_linker(source: str) -> None:
    assert _linked((source,)) is None


def test_a_symbol_that_two_objects_define_is_left_to_a_linker() -> None:
    assert _linked((_OTHER, _OTHER)) is None


def test_objects_of_another_processor_are_left_to_a_linker() -> None:
    other = compile_object(_OTHER, Machine("aarch64-unknown-linux-gnu", "generic", ""))
    assert plain_link([other], ()) is None


def test_damaged_objects_are_left_to_a_linker() -> None:
    whole = compile_object(_CALLS)
    results = [plain_link([whole[:length]], _NAMES) for length in range(0, len(whole) - 1, 97)]
    assert not any(results)


def _rows(data: bytes) -> list[tuple[int, list[int]]]:
    """The places of an object's section headers, with these."""
    head = FILE.unpack_from(data)
    places = [head[6] + SECTION.size * number for number in range(head[12])]
    return [(place, list(SECTION.unpack_from(data, place))) for place in places]


@pytest.mark.parametrize("size", [1 << 20, 1 << 40, (1 << 64) - 1])
def test_a_section_that_ends_after_its_file_is_left_to_a_linker(size: int) -> None:
    data = bytearray(compile_object(_CALLS))
    place, row = next(each for each in _rows(data) if each[1][1] == PROGBITS)
    row[5] = size
    SECTION.pack_into(data, place, *row)
    assert plain_link([bytes(data), compile_object(_OTHER)], _NAMES) is None


def test_two_tables_of_relocations_of_a_section_are_left_to_a_linker() -> None:
    data = bytearray(compile_object(_CALLS))
    (_, first), (place, second) = [each for each in _rows(data) if each[1][1] == RELA][:2]
    SECTION.pack_into(data, place, second[0], *first[1:])
    assert plain_link([bytes(data), compile_object(_OTHER)], _NAMES) is None


def test_damaged_contents_raise_nothing() -> None:
    whole, other, chosen = compile_object(_CALLS), compile_object(_OTHER), random.Random(1)
    headers = range(_rows(whole)[0][0], len(whole))
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(chosen.choice((1, 1, 2, 4))):
            place = chosen.choice((chosen.randrange(64), chosen.choice(headers), chosen.randrange(len(data))))
            data[place] = chosen.choice((0, 255, chosen.randrange(256)))
        result = plain_link([bytes(data), other], _NAMES)
        assert result is None or result.startswith(b"\x7fELF")
