# SPDX-License-Identifier: Apache-2.0
"""Device operations on the host: what each becomes, and what is refused by name."""

import random
import re
from collections.abc import Callable

import numpy as np
import pytest

from lanewise.errors import CompileError
from lanewise.ir.writer import write_module
from lanewise.program.source.compilation import compile_source

from ..parts import compiled, kernel_text, run, session

GRID, BLOCK = (2, 3, 2), (5, 3, 4)
ITEMS, GROUPS = 60, 12

PLACE = """
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %gz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %z3 = mul i32 %tz, 3
  %yz = add i32 %z3, %ty
  %yz5 = mul i32 %yz, 5
  %item = add i32 %yz5, %tx
  %gz3 = mul i32 %gz, 3
  %gyz = add i32 %gz3, %gy
  %gyz2 = mul i32 %gyz, 2
  %group = add i32 %gyz2, %gx
  %first = mul i32 %group, 60
  %place = add i32 %first, %item
  %to = getelementptr i32, ptr %out, i32 %place"""

_MORE = "\n".join(f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}()" for name in ("tid.z", "ctaid.y", "ctaid.z"))

item, group = np.arange(ITEMS), np.arange(GROUPS)[:, None]
lane = item % 32
REGISTERS: dict[str, object] = {
    "tid.x": item % 5,
    "tid.y": item // 5 % 3,
    "tid.z": item // 15,
    "ctaid.x": group % 2,
    "ctaid.y": group // 2 % 3,
    "ctaid.z": group // 6,
    "ntid.x": 5,
    "ntid.y": 3,
    "ntid.z": 4,
    "nctaid.x": 2,
    "nctaid.y": 3,
    "nctaid.z": 2,
    "laneid": lane,
    "warpid": item // 32,
    "nwarpid": 2,
    "warpsize": 32,
    "lanemask.eq": 1 << lane,
    "lanemask.lt": (1 << lane) - 1,
    "lanemask.le": (2 << lane) - 1,
    "lanemask.gt": (1 << 32) - (2 << lane),
    "lanemask.ge": (1 << 32) - (1 << lane),
}


@pytest.mark.parametrize("register", REGISTERS)
def test_special_registers(register: str):
    declared = f"declare i32 @llvm.nvvm.read.ptx.sreg.{register}()"
    more = _MORE if declared in _MORE + kernel_text("") else f"{_MORE}\n{declared}"
    body = f"{PLACE}\n  %r = call i32 @llvm.nvvm.read.ptx.sreg.{register}()\n  store i32 %r, ptr %to\n  ret void"
    out = np.zeros(ITEMS * GROUPS, np.uint32)
    run(kernel_text(body, "ptr %out", more), GRID, BLOCK, out)
    assert (out.reshape(GROUPS, ITEMS) == np.broadcast_to(np.asarray(REGISTERS[register]), (GROUPS, ITEMS))).all()


@pytest.mark.parametrize(("register", "value"), [("nsmid", 1), ("smid", 0)])
def test_a_cpu_is_one_multiprocessor(register: str, value: int):
    name = f"llvm.nvvm.read.ptx.sreg.{register}"
    body = f"  %r = call i32 @{name}()\n  store i32 %r, ptr %out\n  ret void"
    text = write_module(compiled(kernel_text(body, more=f"declare i32 @{name}()")).module)
    assert f"store i32 {value}, ptr %out" in text


def test_clocks_run():
    source = """
extern "C" __global__ void clocks(long long *out) {
    long long begin = clock64(), sum = 0;
    unsigned early = (unsigned)clock();
    for (int i = 0; i < 1000; ++i) sum += atomicAdd((unsigned *)out + 2, 1u);
    out[2] = clock64() - begin;
    out[3] = (unsigned)clock() - early;
    out[4] = sum;
}"""
    out = np.zeros(8, np.int64)
    compile_source(session(), source, language="cuda")["clocks"].launch(1, 1, (out,), device="cpu")
    assert out[2] > 100
    assert out[3] > 100


@pytest.mark.parametrize("fence", ["membar.cta", "membar.gl", "membar.sys"])
def test_fences(fence: str):
    text = kernel_text(f"  store i32 1, ptr %out\n  call void @llvm.nvvm.{fence}()\n  store i32 2, ptr %in\n  ret void",
                       more=f"declare void @llvm.nvvm.{fence}()")  # fmt: skip
    lines = write_module(compiled(text).module)
    assert re.search(r"store i32 1.*\n  fence seq_cst\n.*store i32 2", lines)


def test_scopes_of_synchronisation_go():
    body = """
  %old = atomicrmw add ptr %out, i32 1 syncscope("device") seq_cst
  fence syncscope("block") acquire
  ret void"""
    text = write_module(compiled(kernel_text(body)).module)
    assert "syncscope" not in text
    assert "atomicrmw add ptr %out" in text
    assert "fence acquire" in text


def test_address_spaces_go():
    source = """
@tile = addrspace(3) global [64 x i32] undef, align 4
@table = internal addrspace(4) constant [2 x i32] [i32 7, i32 9], align 4
"""
    body = """
  TID
  %slot = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  store i32 %t, ptr addrspace(3) %slot
  %bit = and i32 %t, 1
  %element = getelementptr i32, ptr addrspace(4) @table, i32 %bit
  %c = load i32, ptr addrspace(4) %element
  %global = addrspacecast ptr %out to ptr addrspace(1)
  %to = getelementptr i32, ptr addrspace(1) %global, i32 %t
  store i32 %c, ptr addrspace(1) %to
  ret void"""
    text = kernel_text(body, more=source)
    assert "addrspace" not in write_module(compiled(text).module)
    out = np.zeros(64, np.uint32)
    run(text, 1, 64, out, out.copy(), 0, 0)
    assert (out == np.where(np.arange(64) % 2, 9, 7)).all()


# -- expansions --------------------------------------------------------------------------------------------------------


def permuted(a: int, b: int, selector: int) -> int:
    """prmt, mode default. Source: PTX ISA manual, clause `prmt`."""
    bytes_ = (a | b << 32).to_bytes(8, "little")
    result = 0
    for place in range(4):
        nibble = selector >> 4 * place & 15
        byte = bytes_[nibble & 7]
        if nibble & 8:
            byte = 255 if byte & 128 else 0
        result |= byte << 8 * place
    return result


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value


EXPANSIONS: dict[str, tuple[str, int, Callable[[int, int, int], int]]] = {
    "prmt": ("i32", 3, permuted),
    "mulhi.i": ("i32", 2, lambda a, b, c: signed(a, 32) * signed(b, 32) >> 32),
    "mulhi.ui": ("i32", 2, lambda a, b, c: a * b >> 32),
    "mulhi.ll": ("i64", 2, lambda a, b, c: signed(a, 64) * signed(b, 64) >> 64),
    "mulhi.ull": ("i64", 2, lambda a, b, c: a * b >> 64),
}


@pytest.mark.parametrize("name", EXPANSIONS)
def test_expansions(name: str):
    type_, operands, expected = EXPANSIONS[name]
    bits = int(type_[1:])
    edges = [0, 1, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1, 0x89ABCDEF]
    rng = random.Random(bits)
    triples = [(a, b, rng.getrandbits(bits)) for a in edges for b in edges]
    triples += [tuple(rng.getrandbits(bits) for _ in range(3)) for _ in range(220)]
    loads = "\n".join(
        f"  %p{i} = getelementptr [3 x {type_}], ptr %in, i32 %t, i32 {i}\n  %v{i} = load {type_}, ptr %p{i}"
        for i in range(operands)
    )
    arguments = ", ".join(f"{type_} %v{i}" for i in range(operands))
    body = f"""
  TID
{loads}
  %r = call {type_} @llvm.nvvm.{name}({arguments})
  %to = getelementptr {type_}, ptr %out, i32 %t
  store {type_} %r, ptr %to
  ret void"""
    declared = f"declare {type_} @llvm.nvvm.{name}({', '.join([type_] * operands)})"
    given = np.array(triples, f"u{bits // 8}")
    out = np.zeros(len(triples), given.dtype)
    run(kernel_text(body, more=declared), 1, len(triples), out, given, 0, 0)
    wanted = [expected(a, b, c) % (1 << bits) for a, b, c in triples]
    assert out.tolist() == wanted


def test_a_load_through_the_read_only_cache_is_a_load():
    source = """
extern "C" __global__ void cached(float *out, const float *in, const int2 *pairs) {
    int2 pair = __ldg(pairs + threadIdx.x);
    out[threadIdx.x] = __ldg(in + threadIdx.x) + pair.x * pair.y;
}"""
    values = np.arange(32, dtype=np.float32)
    pairs = np.array([(i, 2) for i in range(32)], np.dtype([("x", "i4"), ("y", "i4")]))
    out = np.zeros(32, np.float32)
    run(source, 1, 32, out, values, pairs, language="cuda", kernel="cached")
    assert (out == 3 * values).all()


# -- refused -----------------------------------------------------------------------------------------------------------

REFUSED = {
    "inline assembly": (
        'call void asm sideeffect "bar.warp.sync 1;", ""()\n  ret void', "",
        r"inline assembly \(.*bar\.warp\.sync 1;.*\) can't run on the CPU device",
    ),
    "warp shuffle": (
        "%r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 0, i32 31)\n"
        "  store i32 %r, ptr %out\n  ret void",
        "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)",
        r'shfl\.sync\.idx\.i32 needs a warp: .* mapping="loop" .* on the CPU device',
    ),
    "vote": (
        "%r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)\n  store i32 %r, ptr %out\n  ret void",
        "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)",
        r'vote\.ballot\.sync needs a warp: .* mapping="loop" .* on the CPU device',
    ),
    "unknown intrinsic": (
        "%r = call i32 @llvm.nvvm.sust.nothing(i32 %n)\n  store i32 %r, ptr %out\n  ret void",
        "declare i32 @llvm.nvvm.sust.nothing(i32)", r"intrinsic llvm\.nvvm\.sust\.nothing is not known",
    ),
    "computed goto": (
        "%i = urem i32 %n, 3\n  %slot = getelementptr ptr, ptr @table, i32 %i\n  %p = load ptr, ptr %slot\n"
        "  indirectbr ptr %p, [ label %x, label %y, label %z ]\nx:\n  store i32 1, ptr %out\n  ret void\n"
        "y:\n  store i32 2, ptr %out\n  ret void\nz:\n  store i32 3, ptr %in\n  ret void",
        "@table = internal constant [3 x ptr] [ptr blockaddress(@k, %x), ptr blockaddress(@k, %y), "
        "ptr blockaddress(@k, %z)]", "computed goto is not supported",
    ),
    "warp barrier in divergent code": (
        "TID\n  %some = icmp ult i32 %t, 7\n  br i1 %some, label %c, label %d\nc:\n"
        "  call void @llvm.nvvm.bar.warp.sync(i32 127)\n  store i32 1, ptr %out\n  br label %d\n"
        "d:\n  store i32 2, ptr %in\n  ret void", "",
        r'__syncwarp\(\) in divergent control flow needs a warp, which mapping="loop" has not',
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_refused_by_name(what: str):
    body, more, message = REFUSED[what]
    with pytest.raises(CompileError, match=rf"^kernel k: .*{message}"):
        compiled(kernel_text("  " + body, more=more), mapping="loop")


@pytest.mark.parametrize("what", ["warp shuffle", "vote", "warp barrier in divergent code"])
def test_lanes_have_warps(what: str):
    body, more, _ = REFUSED[what]
    memory = np.zeros(2, np.int32)
    run(kernel_text("  " + body, more=more), 1, 32, memory, memory.copy(), 7, 0, mappings=("auto",))
