# SPDX-License-Identifier: Apache-2.0
"""Aliases of accesses: each condition of the analysis, and code that it rejects."""

from typing import Final

import pytest

from lanewise.analysis.aliases import AliasAnswer, Aliases
from lanewise.ir.address_spaces import LOCAL, PARAMETER
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module

HEAD: Final = """
@tile = internal addrspace(3) global [64 x float] undef, align 4
@other = internal addrspace(3) global [64 x float] undef, align 4
@sized.by.launch = external addrspace(3) global [0 x float], align 4
@and.this = external addrspace(3) global [0 x float], align 4
@table = addrspace(1) global [8 x float] zeroinitializer
@weights = addrspace(4) constant [8 x float] zeroinitializer
@seen = internal addrspace(3) global [64 x float] undef, align 4
@pointer = addrspace(1) global ptr addrspacecast (ptr addrspace(3) @seen to ptr)
declare void @unknown(ptr)
declare void @llvm.nvvm.barrier0()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
"""
PARAMETERS: Final = "ptr %p, ptr %q, ptr noalias %r, ptr noalias readonly %s, i64 %i, i64 %j, i32 %k"
SHARED: Final = "addrspacecast (ptr addrspace(3) @{} to ptr)"


def _read(body: str, kernel: bool = True) -> tuple[Module, list[Instruction]]:
    convention = "ptx_kernel " if kernel else ""
    module = read_module(f"{HEAD}define {convention}void @f({PARAMETERS}) {{\n{body}\nret void\n}}\n")
    return module, list(module.function("f").instructions())


def _alias(body: str, kernel: bool = True) -> AliasAnswer:
    """The alias of the two accesses in some code."""
    module, instructions = _read(body, kernel)
    aliases = Aliases(module.function("f"), module)
    a, b = (aliases.location(each) for each in instructions if each.op in ("load", "store"))
    assert aliases.alias(a, b) is aliases.alias(b, a)
    return aliases.alias(a, b)


def _of(a: str, b: str, before: str = "", kernel: bool = True) -> str:
    """How loads of a float from two pointers alias."""
    return _alias(f"{before}\n%x = load float, ptr {a}\n%y = load float, ptr {b}", kernel).name


def _shared(name: str) -> str:
    return SHARED.format(name)


LOADED: Final = "%l = inttoptr i64 %i to ptr"
HERE: Final = "%v = alloca [4 x float]\n%w = alloca [4 x float]"


@pytest.mark.parametrize(
    ("a", "b", "before", "expected"),
    [
        # 1: memory spaces
        ("%p", _shared("sized.by.launch"), "", "NO"),
        ("%p", _shared("seen"), "", "NO"),
        ("%p", "addrspacecast (ptr addrspace(4) @weights to ptr)", "", "NO"),
        (_shared("tile"), "addrspacecast (ptr addrspace(1) @table to ptr)", "", "NO"),
        ("%p", "addrspacecast (ptr addrspace(1) @table to ptr)", "", "MAY"),
        ("%l", _shared("seen"), LOADED, "MAY"),
        ("%g", _shared("seen"),
         "%n = inttoptr i64 %i to ptr addrspace(1)\n%g = addrspacecast ptr addrspace(1) %n to ptr", "NO"),
        ("%h", _shared("sized.by.launch"), f"{LOADED}\n%g = addrspacecast ptr %l to ptr addrspace(1)\n"
         "%h = addrspacecast ptr addrspace(1) %g to ptr", "NO"),
        ("%h", "%p", f"{LOADED}\n%g = addrspacecast ptr %l to ptr addrspace(1)\n"
         "%h = addrspacecast ptr addrspace(1) %g to ptr", "MAY"),
        # 2: variables
        (_shared("tile"), _shared("other"), "", "NO"),
        (_shared("tile"), _shared("sized.by.launch"), "", "NO"),
        (_shared("and.this"), _shared("sized.by.launch"), "", "MAY"),
        ("%v", "%w", HERE, "NO"),
        ("%v", "%p", f"{HERE}\ncall void @unknown(ptr %v)", "NO"),
        ("%c", "%w", f"{HERE}\n%t = icmp eq i64 %i, 0\n%c = select i1 %t, ptr %v, ptr %w", "MAY"),
        ("%c", "%p", f"{HERE}\n%t = icmp eq i64 %i, 0\n%c = select i1 %t, ptr %v, ptr %w", "NO"),
        # 3: noalias
        ("%p", "%q", "", "MAY"),
        ("%p", "%r", "", "NO"),
        ("%r", "addrspacecast (ptr addrspace(1) @table to ptr)", "", "NO"),
        ("%r", "%c", "%t = icmp eq i64 %i, 0\n%c = select i1 %t, ptr %p, ptr %r", "MAY"),
        # 4: hidden objects
        ("%l", "%v", f"{LOADED}\n{HERE}", "NO"),
        ("%l", "%v", f"{LOADED}\n{HERE}\nstore ptr %v, ptr %p", "MAY"),
        ("%l", "%v", f"{LOADED}\n{HERE}\n%n = ptrtoint ptr %v to i64", "MAY"),
        ("%l", "%v", f"{LOADED}\n{HERE}\ncall void @unknown(ptr %v)", "MAY"),
        ("%l", "%v", f"{LOADED}\n{HERE}\ncall void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %p, i64 8, i1 false)", "NO"),
        ("%l", "%v", f"{LOADED}\n{HERE}\ncall void @llvm.lifetime.start.p0(i64 16, ptr %v)", "NO"),
        ("%l", _shared("tile"), LOADED, "NO"),
        ("%l", _shared("tile"), f"{LOADED}\nstore ptr {_shared('tile')}, ptr %p", "MAY"),
        ("%l", _shared("tile"), f"{LOADED}\n%m = add i64 %j, ptrtoint (ptr addrspace(3) @tile to i64)", "MAY"),
        ("%l", "%r", LOADED, "NO"),
        ("%l", "%r", f"{LOADED}\nstore ptr %r, ptr %p", "MAY"),
        ("%l", "%p", LOADED, "MAY"),
        # 5: distances
        ("%p", "%p", "", "MUST"),
        ("%p", "%n", "%n = getelementptr i8, ptr %p, i64 4", "NO"),
        ("%p", "%n", "%n = getelementptr i8, ptr %p, i64 -4", "NO"),
        ("%p", "%n", "%n = getelementptr i8, ptr %p, i64 3", "MAY"),
        ("%n", "%m", "%n = getelementptr float, ptr %p, i64 %i\n%m = getelementptr float, ptr %p, i64 %j", "MAY"),
        ("%n", "%m", "%n = getelementptr float, ptr %p, i64 %i\n%m = getelementptr float, ptr %n, i64 1", "NO"),
        (_shared("tile"), "getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 4)", "", "NO"),
        (_shared("tile"), _shared("tile"), "", "MUST"),
        (
            "%n",
            "%m",
            "%a = mul i64 %i, %j\n%b = add i64 %i, 1\n%c = mul i64 %b, %j\n%d = sub i64 %c, %j\n"
            "%n = getelementptr float, ptr %p, i64 %a\n%m = getelementptr float, ptr %p, i64 %d",
            "MUST",
        ),
    ],
)  # fmt: skip
def test_two_loads(a: str, b: str, before: str, expected: str):
    module, instructions = _read(f"{before}\n%x = load float, ptr {a}\n%y = load float, ptr {b}")
    aliases = Aliases(module.function("f"), module)
    x, y = (aliases.location(each) for each in instructions if each.op == "load" and each.name in ("x", "y"))
    assert aliases.alias(x, y).name == aliases.alias(y, x).name == expected


def test_a_function_that_is_no_kernel_may_get_any_pointer():
    assert _of("%p", _shared("sized.by.launch"), kernel=True) == "NO"
    assert _of("%p", _shared("sized.by.launch"), kernel=False) == "MAY"
    assert _of("%p", _shared("tile"), kernel=False) == "NO"  # nobody passes its address
    assert _of("%p", _shared("seen"), kernel=False) == "MAY"


def test_a_struct_that_is_passed_by_value_is_local_but_in_kernels():
    spaces: list[int] = []
    for convention in ("", "ptx_kernel "):
        module = read_module(f"define {convention}void @f(ptr byval(i32) %s) {{\nret void\n}}\n")
        function = module.function("f")
        spaces.append(Aliases(function, module).space_of(function.arguments[0]))
    assert spaces == [LOCAL, PARAMETER]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("%l", "%s", "MAY"),
        ("%l", "%x", "MAY"),
        ("%loaded", "%s", "MAY"),
        ("%l", "%v", "NO"),
        ("%l", "%p", "NO"),
        ("%s", "%p", "NO"),
        ("%loaded", "%p", "NO"),
    ],
)
def test_a_kernels_struct_may_have_a_copy_in_local_memory(a: str, b: str, expected: str):
    names = {"%l": "ptr addrspace(5) %l", "%loaded": "ptr addrspace(5) %loaded", "%x": "ptr addrspace(101) %x"}
    module = read_module(f"""define ptx_kernel void @f(ptr byval([4 x i32]) %s, ptr %p, i64 %i) {{
      %v = alloca i32
      %h = addrspacecast ptr %s to ptr addrspace(5)
      %l = getelementptr i32, ptr addrspace(5) %h, i64 %i
      %x = addrspacecast ptr %s to ptr addrspace(101)
      %loaded = inttoptr i64 %i to ptr addrspace(5)
      store i32 1, {names.get(a, f"ptr {a}")}
      store i32 2, {names.get(b, f"ptr {b}")}
      ret void\n}}\n""")
    aliases = Aliases(module.function("f"), module)
    one, other = (aliases.location(each) for each in module.function("f").instructions() if each.op == "store")
    assert aliases.alias(one, other).name == aliases.alias(other, one).name == expected


def test_accesses_of_different_sizes_are_never_the_same():
    assert _alias("%x = load float, ptr %p\n%y = load double, ptr %p") is AliasAnswer.MAY


def _effects(body: str, pointer: str, before: str = "") -> tuple[bool, bool]:
    """Answers for the instruction in `body`: it may read, it may change a float at a pointer."""
    module, instructions = _read(f"{before}\n%x = load float, ptr {pointer}\n{body}")
    aliases = Aliases(module.function("f"), module)
    location = aliases.location(next(each for each in instructions if each.name == "x"))
    does = instructions[-2]
    return aliases.may_read(does, location), aliases.may_change(does, location)


BARRIER: Final = "call void @llvm.nvvm.barrier0()"
COPY: Final = "call void @llvm.memcpy.p0.p0.i64(ptr {}, ptr {}, i64 8, i1 false)"


@pytest.mark.parametrize(
    ("body", "pointer", "before", "expected"),
    [
        # 6: accesses and copies
        ("%y = load float, ptr %p", "%p", "", (True, False)),
        ("%y = load float, ptr %r", "%p", "", (False, False)),
        ("store float 0.0, ptr %p", "%p", "", (False, True)),
        ("store float 0.0, ptr %p", _shared("tile"), "", (False, False)),
        (COPY.format("%p", "%v"), "%v", HERE, (True, False)),
        (COPY.format("%v", "%p"), "%v", HERE, (False, True)),
        (COPY.format("%v", "%p"), "%w", HERE, (False, False)),
        (COPY.format("%v", "%p"), "%n", f"{HERE}\n%n = getelementptr i8, ptr %v, i64 8", (False, False)),
        # 7: what other threads see
        (BARRIER, "%p", "", (True, True)),
        (BARRIER, _shared("tile"), "", (True, True)),
        (BARRIER, "%v", HERE, (False, False)),
        (BARRIER, "%v", f"{HERE}\nstore ptr %v, ptr %p", (True, True)),
        ("fence acq_rel", "%p", "", (True, True)),
        ("%y = load volatile float, ptr %r", "%p", "", (True, True)),
        ("store volatile float 0.0, ptr %r", "%p", "", (True, True)),
        ("%y = atomicrmw add ptr %r, i32 1 monotonic", "%p", "", (True, True)),
        ("%y = atomicrmw add ptr %r, i32 1 monotonic", "%v", HERE, (False, False)),
        ("call void @unknown(ptr %q)", "%p", "", (True, True)),
        ("call void @unknown(ptr %q)", "%v", HERE, (False, False)),
        ("call void @llvm.lifetime.start.p0(i64 16, ptr %v)", "%v", HERE, (False, False)),
        # 8: what nothing changes
        (BARRIER, "addrspacecast (ptr addrspace(4) @weights to ptr)", "", (True, False)),
        (BARRIER, "%s", "", (True, False)),
        (BARRIER, "%r", "", (True, True)),
    ],
)
def test_effects(body: str, pointer: str, before: str, expected: tuple[bool, bool]):
    assert _effects(body, pointer, before) == expected


def test_a_variable_that_is_only_stored_to_is_never_read():
    def is_never_read(body: str, pointer: str) -> bool:
        module, instructions = _read(f"{HERE}\nstore float 0.0, ptr {pointer}\n{body}")
        aliases = Aliases(module.function("f"), module)
        return aliases.is_never_read(aliases.location(next(each for each in instructions if each.op == "store")))

    assert is_never_read("", "%v")
    assert is_never_read("", _shared("tile"))
    assert not is_never_read("%x = load float, ptr %v", "%v")
    assert not is_never_read("call void @unknown(ptr %v)", "%v")
    assert not is_never_read(f"%x = load float, ptr {_shared('tile')}", _shared("tile"))
    assert not is_never_read("", _shared("seen"))
    assert not is_never_read("", "%p")
    assert not is_never_read("", _shared("sized.by.launch"))
