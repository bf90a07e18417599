# SPDX-License-Identifier: Apache-2.0
"""`lanewise run` and `lanewise compile` of PTX: arguments that are bits, several files, and what users get wrong."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[[str], Any]

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
PTX = (
    HEADER
    + """.visible .entry k(.param .u64 x, .param .u32 n, .param .align 8 .b8 s[16]) {
    .reg .b64 %p; .reg .b32 %r;
    ld.param.u64 %p, [x]; ld.param.u32 %r, [n]; st.global.u32 [%p], %r;
    ret;
}
"""
)
MEMORY = "-a zeros:i32[2] -a 3 -a zeros:u8[16]"


@pytest.fixture
def files(folder: Path) -> Path:
    """The current folder, with k.ptx and broken files in it."""
    (folder / "k.ptx").write_text(PTX)
    (folder / "k.txt").write_text(PTX)
    (folder / "empty.ptx").write_text("")
    (folder / "binary.ptx").write_bytes(b"\x7fELF\0\0")
    (folder / "cut.ptx").write_text(PTX[:200])
    (folder / "folder.ptx").mkdir()
    (folder / "narrow.ptx").write_text(PTX.replace("size 64", "size 32"))
    (folder / "none.ptx").write_text(HEADER)
    return folder


@pytest.mark.parametrize(
    ("value", "stored"),
    [("7", "7"), ("-1", "-1"), ("4294967295", "-1"), ("0x10", "16"), ("f32:1.5", "1069547520"), ("i32:-3", "-3")],
)
def test_an_integer_is_bits(run: Run, files: Path, value: str, stored: str):
    done = run(f"run k.ptx --device reference -p x -a zeros:i32[2] -a {value} -a zeros:u8[16]")
    assert f"first {stored} 0" in done.out, done.err


def test_several_files(run: Run, files: Path):
    (files / "a.ptx").write_text(PTX.replace(".visible .entry", ".extern .global .u32 v;\n.visible .entry").replace(
        "st.global", "ld.global.u32 %r, [v]; st.global"))  # fmt: skip
    (files / "b.ptx").write_text(f"{HEADER}.visible .global .u32 v = 12;\n")
    assert "first 12 0" in run(f"run a.ptx b.ptx --device reference {MEMORY}").out
    assert "@v = " in run("compile a.ptx b.ptx --emit ir").out
    assert "a.ptx:4:1: error: v is defined in none of a.ptx, none.ptx" in run(f"run a.ptx none.ptx {MEMORY}").err
    assert "only PTX is linked, and not saxpy.cu" in run(f"run a.ptx saxpy.cu {MEMORY}").err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"run k.txt {MEMORY}", "k.txt: the end of the name ('.txt') tells no language"),
        ("compile empty.ptx", "empty.ptx:1:1: error: expected '.version', with which PTX begins"),
        ("compile binary.ptx", "binary.ptx: can't be read: it holds null characters"),
        ("compile cut.ptx --emit ir", "cut.ptx:6:"),
        (f"run folder.ptx {MEMORY}", "folder.ptx: can't be read: Is a directory"),
        ("compile narrow.ptx --emit asm", "narrow.ptx:3:1: error: addresses of 32 bits are not supported"),
        ("run none.ptx", "the file has no kernel: mark one with"),
        (f"run k.ptx -k nope {MEMORY}", "k.ptx has no kernel 'nope'; its kernels: k"),
        ("run k.ptx -a 1", "kernel k takes 3 arguments, not 1: .u64 x, .u32 n, .b8[16] s"),
        ("run k.ptx -a zeros:i32[2] -a 4294967296 -a zeros:u8[16]", "4294967296 does not fit .u32"),
        ("run k.ptx -a zeros:i32[2] -a zeros:i32[2] -a zeros:u8[16]", "argument 'n': expected an integer for .u32"),
        ("run k.ptx -a zeros:i32[2] -a f64:1 -a zeros:u8[16]", "argument 'n': expected an integer for .u32"),
        ("run k.ptx -a zeros:i32[2] -a 1 -a zeros:u8[8]", "argument 's': expected .b8[16]"),
        ("run k.ptx -a zeros:i32[2] -a 1 -a 1,2", "argument 's': expected 16 bytes"),
        ("run k.ptx -a zeros:i32[2] -a 1.5 -a zeros:u8[16]", "n=1.5: expected a whole number, or one of another type"),
        ("run k.ptx -a zeros:i32[2] -a null -a zeros:u8[16]", "n=null: expected a whole number"),
    ],
)
def test_what_has_to_be_changed(run: Run, files: Path, line: str, said: str):
    done = run(line)
    assert done.code in (1, 2)
    assert said in " ".join(done.err.replace("│", " ").split())
    assert done.out == ""
