# SPDX-License-Identifier: Apache-2.0
"""What a launch costs: medians of an empty launch, the cost of a work-group, machine code from a small module.

python bench/runtime_launch.py
"""

from __future__ import annotations

import functools
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from lanewise import config
from lanewise.backend.host.compile import compile_shared_object
from lanewise.cache import Cache
from lanewise.llvm import LlvmModule, Machine
from lanewise.runtime import Pool, address_of, load

EMPTY = "define void @empty(ptr %launch, ptr %arena, i32 %x, i32 %y, i32 %z) {\n  ret void\n}\n"


def saxpy(name: str) -> str:
    """A work-group function of about 30 lines: y[i] += a * x[i] for the 256 work-items of a group."""
    return f"""
define void @{name}(ptr %launch, ptr %arena, i32 %gx, i32 %gy, i32 %gz) {{
entry:
  %args = load ptr, ptr %launch
  %x = load ptr, ptr %args
  %y.address = getelementptr i8, ptr %args, i64 8
  %y = load ptr, ptr %y.address
  %a.address = getelementptr i8, ptr %args, i64 16
  %a = load float, ptr %a.address
  %n.address = getelementptr i8, ptr %args, i64 20
  %n = load i32, ptr %n.address
  %base = shl i32 %gx, 8
  br label %item
item:
  %t = phi i32 [ 0, %entry ], [ %t.next, %next ]
  %i = add i32 %base, %t
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %body, label %next
body:
  %wide = zext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %wide
  %q = getelementptr float, ptr %y, i64 %wide
  %u = load float, ptr %p, !llvm.access.group !2
  %v = load float, ptr %q, !llvm.access.group !2
  %m = fmul float %u, %a
  %s = fadd float %m, %v
  store float %s, ptr %q, !llvm.access.group !2
  br label %next
next:
  %t.next = add nuw i32 %t, 1
  %more = icmp ult i32 %t.next, 256
  br i1 %more, label %item, label %done, !llvm.loop !0
done:
  ret void
}}
!0 = distinct !{{!0, !1}}
!1 = !{{!"llvm.loop.parallel_accesses", !2}}
!2 = distinct !{{}}
"""


def median(work: Callable[[], object], repeats: int) -> float:
    """Median time of one call, in seconds."""
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def bench_pool(folder: Path) -> None:
    start = time.perf_counter()
    pool = Pool(config.from_environment().num_threads, Cache(folder))
    print(f"core compiled and loaded   {1e3 * (time.perf_counter() - start):9.1f} ms")
    print(f"core from the cache        {1e3 * median(lambda: Pool(2, Cache(folder)), 15):9.2f} ms")
    empty = address_of(load(compile_shared_object(EMPTY)), "empty")

    def launch(groups: int) -> object:
        return pool.launch(empty, (groups, 1, 1), (32, 1, 1), bytes(32), 64)

    for groups in (1, 2, 16, 1000, 65536):
        launched = median(functools.partial(launch, groups), 2001)
        print(f"launch of {groups:6} groups    {1e6 * launched:9.2f} us")
    asleep: list[float] = []
    for _ in range(101):
        start = time.perf_counter()
        launch(64)
        asleep.append(time.perf_counter() - start)
        time.sleep(0.001)
    print(f"64 groups, threads asleep  {1e6 * statistics.median(asleep):9.2f} us")
    groups = 2**28
    taken = median(functools.partial(launch, groups), 3)
    print(f"a work-group               {1e9 * taken / groups:9.2f} ns on {pool.num_threads} threads")
    print(f"2^31 - 1 work-groups       {8 * taken:9.2f} s")


def bench_compile() -> None:
    text = saxpy("saxpy")
    print(f"30 lines of IR to bytes    {1e3 * median(lambda: compile_shared_object(text), 31):9.1f} ms")
    module = LlvmModule.parse(text)
    host = Machine.host()
    host.claim(module)
    print(f"  parse and verify         {1e3 * median(lambda: LlvmModule.parse(text), 31):9.2f} ms")
    print(f"  optimise (first)         {1e3 * median(lambda: host.optimise(LlvmModule.parse(text)), 31):9.2f} ms")
    host.optimise(module)
    optimised = module.text()
    print(f"  generate code            {1e3 * median(lambda: host.object(LlvmModule.parse(optimised)), 31):9.2f} ms")


def bench_parallel_compile() -> None:
    texts = [large_module(i) for i in range(20)]

    def compile_all(threads: int) -> float:
        pending = list(texts)

        def work() -> None:
            while pending:
                module = LlvmModule.parse(pending.pop())
                host = Machine.host()
                host.claim(module)
                host.optimise(module)
                host.object(module)

        workers = [threading.Thread(target=work) for _ in range(threads)]
        start = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return time.perf_counter() - start

    alone = min(compile_all(1) for _ in range(3))
    together = min(compile_all(4) for _ in range(3))
    print(f"20 modules, 4 threads      {together:9.2f} s, {alone / together:.2f} times faster than one")


def large_module(seed: int) -> str:
    """A module of 40 functions, 1,000 instructions in all."""
    bodies = saxpy("f0").split("!0 = ")
    functions = "".join(bodies[0].replace("@f0", f"@f{seed}_{i}") for i in range(40))
    return functions + "!0 = " + bodies[1]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench_pool(Path(folder))
    bench_compile()
    bench_parallel_compile()


if __name__ == "__main__":
    main()
