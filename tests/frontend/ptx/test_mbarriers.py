# SPDX-License-Identifier: Apache-2.0
"""`mbarrier`, bulk copies, and clusters of one block."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

from .computing import DEVICES, device_for, module

ALL = (*DEVICES, "simt")
PTXAS = shutil.which("ptxas")

PIPELINE = """
.reg .pred %p, %q; .reg .b64 %rd<4>, %st; .reg .b32 %r<12>;
.shared .align 16 .b32 buf[64]; .shared .align 16 .b32 back[64]; .shared .b64 full; .shared .b64 empty;
ld.param.u64 %rd1, [y]; ld.param.u64 %rd3, [x]; ld.param.u32 %r9, [n];
mov.u32 %r1, %tid.x; mov.u32 %r8, buf; mov.u32 %r4, 0;
setp.ne.u32 %p, %r1, 0; @%p bra READY;
mbarrier.init.shared::cta.b64 [full], 1; mbarrier.init.shared.b64 [empty], 64; fence.mbarrier_init.release.cluster;
READY:
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
setp.ge.u32 %p, %r1, 64; @%p bra PRODUCE;
CONSUME:
and.b32 %r5, %r4, 1;
FULL:
mbarrier.try_wait.parity.shared::cta.b64 %q, [full], %r5; @!%q bra FULL;
xor.b32 %r7, %r1, 63; mad.lo.u32 %r6, %r7, 4, %r8; ld.shared::cluster.u32 %r5, [%r6];
mov.u32 %r11, back; mad.lo.u32 %r6, %r1, 4, %r11; st.shared.u32 [%r6], %r5;
fence.proxy.async.shared::cta;
bar.sync 1, 64;
setp.ne.u32 %p, %r1, 5; @%p bra DONE;
mad.wide.u32 %rd2, %r4, 256, %rd1; cp.async.bulk.global.shared::cta.bulk_group [%rd2], [back], 256;
cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;
DONE:
mbarrier.arrive.release.cta.shared::cta.b64 %st, [empty];
add.u32 %r4, %r4, 1; setp.lt.u32 %q, %r4, %r9; @%q bra CONSUME;
bra END;
PRODUCE:
setp.ne.u32 %p, %r1, 64; @%p bra END;
NEXT:
setp.eq.u32 %p, %r4, 0; @%p bra GO;
sub.u32 %r5, %r4, 1; and.b32 %r5, %r5, 1;
EMPTY:
mbarrier.test_wait.parity.shared::cta.b64 %q, [empty], %r5; @!%q bra EMPTY;
GO:
mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 256;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [buf], [%rd3], 256, [full];
add.u64 %rd3, %rd3, 256;
add.u32 %r4, %r4, 1; setp.lt.u32 %q, %r4, %r9; @%q bra NEXT;
END:
"""


@pytest.mark.parametrize("device", ALL)
def test_a_pipeline_of_bulk_copies(device: str):
    """A thread fills a buffer, two warps wait for it, and tell when it may be filled again."""
    x, y = np.arange(5 * 64, dtype=np.uint32).reshape(5, 64) * 3, np.zeros((5, 64), np.uint32)
    module(PIPELINE, (".u64 y", ".u64 x", ".u32 n"))["k"].launch(1, 96, (y, x, 5), device=device_for(device))
    assert (y == x[:, ::-1]).all()


STATES = """
.reg .pred %p; .reg .b64 %y, %a, %b, %c, %w; .reg .b32 %n, %word; .shared .b64 bar[2];
ld.param.u64 %y, [y];
mov.u32 %word, bar; add.u32 %word, %word, 8;
mbarrier.init.shared.b64 [%word], 3;
"""
STEPS = [
    ("mbarrier.arrive.shared.b64 %a, [%word];", None),
    ("mbarrier.pending_count.b64 %n, %a;", 3),
    ("mbarrier.arrive.noComplete.release.cta.shared.b64 %b, [%word], 1;", None),
    ("mbarrier.pending_count.b64 %n, %b;", 2),
    ("mbarrier.test_wait.shared.b64 %p, [%word], %a;", 0),
    ("mbarrier.test_wait.parity.shared.b64 %p, [%word], 1;", 1),  # the phase before the first one counts as complete
    ("mbarrier.expect_tx.relaxed.cta.shared.b64 [%word], 48;", None),
    ("mbarrier.arrive_drop.shared.b64 %c, [%word];", None),
    ("mbarrier.test_wait.shared.b64 %p, [%word], %b;", 0),  # 48 bytes are missing
    ("mbarrier.complete_tx.relaxed.cta.shared.b64 [%word], 32;", None),
    ("mbarrier.try_wait.parity.shared.b64 %p, [%word], 0, 100;", 0),
    ("mbarrier.complete_tx.shared.b64 [%word], 16;", None),
    ("mbarrier.test_wait.shared.b64 %p, [%word], %c;", 1),
    ("mbarrier.try_wait.parity.shared.b64 %p, [%word], 0;", 1),
    ("mbarrier.try_wait.parity.shared.b64 %p, [%word], 1;", 0),
    ("cvta.shared.u64 %w, 0; mov.u64 %w, bar; cvta.shared.u64 %w, %w;", None),
    ("mbarrier.arrive.b64 %a, [%w+8], 2;", None),  # the second phase waits for two: one was dropped
    ("mbarrier.pending_count.b64 %n, %a;", 2),
    ("mbarrier.test_wait.b64 %p, [%w+8], %a;", 1),
    ("mbarrier.arrive.expect_tx.shared::cta.b64 %a, [%word], 16;", None),
    ("cp.async.mbarrier.arrive.shared.b64 [%word];", None),
    ("mbarrier.complete_tx.shared.b64 [%word], 16;", None),
    ("mbarrier.test_wait.shared.b64 %p, [%word], %a;", 0),
    ("cp.async.mbarrier.arrive.noinc.shared.b64 [%word]; mbarrier.test_wait.shared.b64 %p, [%word], %a;", 1),
    ("mbarrier.inval.shared.b64 [%word]; mov.u32 %n, %cluster_nctarank;", 1),
    ("mapa.shared::cluster.u32 %n, %word, 0; sub.u32 %n, %n, %word;", 0),
    ("getctarank.shared::cluster.u32 %n, %word;", 0),
]


@pytest.mark.parametrize("device", DEVICES)
def test_states_phases_and_bytes(device: str):
    body = STATES
    for place, (code, expected) in enumerate(STEPS):
        body += code + "\n"
        if expected is not None:
            body += "selp.u32 %n, 1, 0, %p;\n" * ("_wait" in code) + f"st.global.u32 [%y+{4 * place}], %n;\n"
    y = np.full(len(STEPS), 99, np.uint32)
    module(body, (".u64 y",))["k"].launch(1, 1, (y,), device=device_for(device))
    assert y.tolist() == [99 if expected is None else expected for _, expected in STEPS]


@pytest.mark.parametrize("device", DEVICES)
def test_inline_assembly(device: str):
    """Warps of different work wait for one another, again and again, by one barrier."""
    made = lw.compile(
        """
__global__ void k(int *out, int turns) {
    __shared__ unsigned long long barrier;
    __shared__ int sum;
    unsigned at = __cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0) {
        sum = 0;
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(blockDim.x) : "memory");
    }
    __syncthreads();
    for (int i = 0; i < turns; ++i) {
        unsigned long long state;
        atomicAdd(&sum, threadIdx.x / 32);
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
        int done = 0;
        while (!done)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(at), "l"(state) : "memory");
        if (sum != (i + 1) * 96) out[threadIdx.x] = -1;
        __syncthreads();
    }
    out[threadIdx.x] += sum;
}
""",
        language="cuda",
    )
    out = np.zeros(96, np.int32)
    made["k"].launch(1, 96, (out, 4), device=device_for(device))
    assert out.tolist() == [4 * 96] * 96


@pytest.mark.parametrize("device", DEVICES)
def test_a_phase_that_nobody_completes(device: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANEWISE_WATCHDOG", "0.3")
    made = module("""
.reg .pred %p; .reg .b32 %t; .shared .b64 bar;
mov.u32 %t, %tid.x; setp.ne.u32 %p, %t, 0; @%p bra WAIT;
mbarrier.init.shared.b64 [bar], 1;
WAIT:
bar.sync 0;
mbarrier.try_wait.parity.shared.b64 %p, [bar], 0; @!%p bra WAIT_MORE;
ret;
WAIT_MORE:
mbarrier.try_wait.parity.shared.b64 %p, [bar], 0; @!%p bra WAIT_MORE;
""")
    with pytest.raises(lw.LaunchError, match="waits in a loop for a value that no running"):
        made["k"].launch(1, 64, (), device=device_for(device))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%a], [%b, {%r, %r}], [%a];",
         "tensor maps are not supported"),
        ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%b], [%a], 16;", "it is not supported"),
        ("wgmma.fence.sync.aligned;", "wgmma.fence.sync.aligned: it is not supported"),
        ("tcgen05.fence::before_thread_sync;", "tcgen05.fence::before_thread_sync: it is not supported"),
    ],
)  # fmt: skip
def test_refusals(code: str, message: str):
    with pytest.raises(lw.CompileError) as caught:
        module(f".reg .b32 %a, %r; .reg .b64 %b;\n{code}")["k"]
    assert message in str(caught.value)
    assert "<source>:8:1: " in str(caught.value)


def test_clusters_of_several_blocks():
    """The other kernels of a module are there."""
    made = module("", more=".visible .entry two() .reqnctapercluster 2, 1, 1 { ret; }\n")
    made["k"].launch(1, 1, ())
    message = r"<source>:4:1: error: .reqnctapercluster 2, 1, 1: clusters of several blocks are not supported"
    with pytest.raises(lw.CompileError, match=message):
        made["two"]


def test_ptx_of_it_leaves_waiting_to_the_gpu(tmp_path: Path):
    text = module(PIPELINE, (".u64 y", ".u64 x", ".u32 n")).ptx(arch="sm_90")
    assert "__lw" not in text
    if PTXAS:
        (tmp_path / "k.ptx").write_text(text)
        subprocess.run([PTXAS, "-arch=sm_90", "-o", tmp_path / "k.cubin", tmp_path / "k.ptx"], check=True)
