# SPDX-License-Identifier: Apache-2.0
"""The compile service by itself: its frames, its answers to bad requests, its end."""

import os
import socket
import struct
import threading
import time
import zlib
from pathlib import Path

import pytest
from tests.device.cpu.test_trials import SEARCH

from lanewise.cache import Cache
from lanewise.cuda.objects.packed_ir import packed_ir, unpacked_ir
from lanewise.cuda.service import serving
from lanewise.cuda.service.answer import answer
from lanewise.cuda.service.request import read_request
from lanewise.errors import Error
from lanewise.frontend.cuda.unit import cuda_unit
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.opencl.unit import opencl_unit
from lanewise.frontend.source import Source
from lanewise.opencl.library import build_of_platform
from lanewise.program.source.translation import translate
from lanewise.runtime.build import build_of_host

TEXT = """__device__ int counts[4];
__global__ void count(int *out, int n) { atomicAdd(&counts[threadIdx.x % 4], n); out[threadIdx.x] = n; }
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    cache = Cache(tmp_path_factory.mktemp("cache"))
    made = translate(cuda_unit(Source(TEXT), GivenOptions()), {"mapping": "auto"}, cache)
    return packed_ir(made.program, made.info)


def request(packed: bytes, build: str = "", kernel: str = "_Z5countPii", block: str = "64 2 1") -> bytes:
    head = f"build {build or build_of_host()}\nkernel {kernel}\nblock {block}\nassume all\n\n"
    return head.encode() + packed


def test_an_answer_names_code_in_the_cache(packed: bytes, tmp_path: Path):
    cache = Cache(tmp_path)
    lines = answer(read_request(request(packed)), cache).decode().splitlines()
    word, path = lines[0].split(" ", 1)
    assert (word, Path(path).is_relative_to(tmp_path)) == ("code", True)
    assert Path(path).read_bytes().startswith(b"\x7fELF")
    assert lines[-1] == "variable counts"
    assert answer(read_request(request(packed)), cache).decode().splitlines() == lines


def _opencl(gpu: int, mapping: str) -> bytes:
    texts = "".join(f"{len(text)}\n{text}" for text in ("", "kernel void k(global int *p) { p[0] = 1; }"))
    head = f"opencl build\ngeneral 0\nsimulated 0\ngpu {gpu}\nany 0\nmapping {mapping}"
    return f"build {build_of_platform()}\n{head}\n\n/\0{texts}".encode()


def test_a_wrong_mapping_is_in_the_build_log(tmp_path: Path):
    told = answer(read_request(_opencl(0, "many")), Cache(tmp_path))
    assert told.startswith(b'failed\nLANEWISE_MAPPING: mapping "many": expected ')
    assert answer(read_request(_opencl(0, " loop ")), Cache(tmp_path)).startswith(b"files 0\nlibrary ")


def test_ptx_needs_no_mapping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANEWISE_MAPPING", "many")
    assert answer(read_request(_opencl(80, "")), Cache(tmp_path)).startswith(b"files 0\nptx 80 ")


def test_code_without_a_cache_is_declined(packed: bytes):
    with pytest.raises(Error, match="no cache"):
        answer(read_request(request(packed)), Cache(None))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the request can't be read"),
        (b"block 1\n\nIR", "the request can't be read"),
        (request(b"IR", block="1 2"), "the request can't be read"),
        (request(b"IR").replace(b"assume all", b"assume the best"), "the request can't be read"),
        (request(b"IR").replace(b"assume all", b"assume all\ntry threads"), "the request can't be read"),
        (request(b"IR").replace(b"assume all", b"assume all\nchosen other loop 1 2"), "the request can't be read"),
        (request(b"IR").replace(b"assume all", b"assume all\nchosen it loop 1 2 3"), "the request can't be read"),
        (b"build 1\n\nIR", "the program was linked by another version"),
        (b"build 1\nkernel k\nlater\n\nIR", "the program was linked by another version"),
        (b"build 1\nopencl\n\n", "lanewise opencl install makes a new one"),
        (b"build 1\nptx library\n\n", "lanewise build-library ptx-run makes a new one"),
        (b"build 1\nopencl build\nof_later versions\n\n", "lanewise opencl install makes a new one"),
        (request(b"no IR"), "the program's kernel IR can't be read"),
        (request(zlib.compress(b"no module")), "not a module that Lanewise saved"),
    ],
)
def test_bad_requests_are_declined(data: bytes, told: str, tmp_path: Path):
    with pytest.raises(Error, match=told):
        answer(read_request(data), Cache(tmp_path))


def test_a_kernel_that_the_program_lacks_is_declined(packed: bytes, tmp_path: Path):
    with pytest.raises(Error, match="no kernel other"):
        answer(read_request(request(packed, kernel="other")), Cache(tmp_path))


TURNS = "".join(f"x ^= x << {1 + n % 13}; x += x * {2 * n + 3}u;\n" for n in range(200))
DEEP = f"""
uint turn(uint x) {{ {TURNS} return x; }}
uint some(uint x) {{ {"x ^= turn(x);" * 20} return x; }}
uint many(uint x) {{ {"x ^= some(x);" * 20} return x; }}
kernel void light(global uint *out) {{ out[get_global_id(0)] = turn(3); }}
kernel void heavy(global uint *out) {{ uint x = get_global_id(0); {"x ^= many(x);" * 3} out[get_global_id(0)] = x; }}
"""


def test_a_kernel_that_is_too_large_with_all_calls_inlined_is_declined(tmp_path: Path):
    cache = Cache(tmp_path)
    made = translate(opencl_unit(Source(DEEP), GivenOptions()), {"mapping": "auto"}, cache)
    data = packed_ir(made.program, made.info)
    with pytest.raises(Error, match="too large with all calls inlined"):
        answer(read_request(request(data, kernel="heavy")), cache)
    assert answer(read_request(request(data, kernel="light")), cache).startswith(b"code ")


def test_unpacked_ir_is_what_was_packed(packed: bytes, tmp_path: Path):
    program = unpacked_ir(packed, Cache(tmp_path))
    assert "_Z5countPii" in program.ir()
    assert program.names == {"_Z5countPii": "count"}


def test_the_service_ends_after_a_while_without_requests(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serving, "_IDLE_S", 0.2)
    ours, theirs = socket.socketpair()
    served = threading.Thread(target=serving.serve_requests, args=(theirs,))
    served.start()
    ours.sendall(struct.pack("=II", 7, 4) + b"junk")
    number, length = struct.unpack("=II", ours.recv(8, socket.MSG_WAITALL))
    told = ours.recv(length, socket.MSG_WAITALL)
    assert (number, told) == (7, b"declined the request can't be read\n")
    served.join(10)
    assert not served.is_alive()
    ours.close()
    theirs.close()


def test_the_service_ends_once_it_has_grown_much_and_no_request_waits(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serving, "_MOST_GROWTH", 100)
    monkeypatch.setattr(serving, "_answer", lambda data: data)
    sizes = iter([1_000, 1_100, 1_101, 1_101])
    monkeypatch.setattr(serving, "_resident", lambda: next(sizes))
    ours, theirs = socket.socketpair()
    ours.sendall(b"".join(struct.pack("=II", number, 4) + b"junk" for number in (1, 2, 3)))
    serving.serve_requests(theirs)
    told = ours.recv(3 * 12, socket.MSG_WAITALL)
    assert told == b"".join(struct.pack("=II", number, 4) + b"junk" for number in (1, 2, 3))
    assert next(sizes, None) is None
    ours.close()
    theirs.close()


def test_memory_of_this_process_is_known():
    assert serving._resident() > 1 << 20


def test_the_service_tells_that_it_works(monkeypatch: pytest.MonkeyPatch):
    def slow_answer(data: bytes) -> bytes:
        time.sleep(0.3)
        return data

    monkeypatch.setattr(serving, "_AT_WORK_S", 0.02)
    monkeypatch.setattr(serving, "_answer", slow_answer)
    ours, theirs = socket.socketpair()
    served = threading.Thread(target=serving.serve_requests, args=(theirs,))
    served.start()
    ours.sendall(struct.pack("=II", 3, 4) + b"work")
    frames = [struct.unpack("=II", ours.recv(8, socket.MSG_WAITALL))]
    while frames[-1] == (0, 0):
        frames.append(struct.unpack("=II", ours.recv(8, socket.MSG_WAITALL)))
    assert len(frames) > 3
    assert (frames[-1], ours.recv(4, socket.MSG_WAITALL)) == ((3, 4), b"work")
    ours.close()
    served.join(10)
    assert not served.is_alive()
    theirs.close()


@pytest.mark.parametrize(
    ("kind", "politeness"), [("kernel count\nblock 1 1 1\nassume all", 5), ("ptx library\nblock 0 0 0", 0)]
)
def test_only_work_that_nobody_waits_for_gives_way(monkeypatch: pytest.MonkeyPatch, kind: str, politeness: int):
    def niceness(*_: object) -> bytes:
        return str(os.getpriority(os.PRIO_PROCESS, threading.get_native_id())).encode()

    before = int(niceness())
    monkeypatch.setattr("lanewise.cuda.service.answer.answer", niceness)
    ours, theirs = socket.socketpair()
    served = threading.Thread(target=serving.serve_requests, args=(theirs,))
    served.start()
    data = f"build {build_of_host()}\n{kind}\n\n".encode()
    ours.sendall(struct.pack("=II", 1, len(data)) + data)
    _, length = struct.unpack("=II", ours.recv(8, socket.MSG_WAITALL))
    assert int(ours.recv(length, socket.MSG_WAITALL)) == before + politeness
    assert int(niceness()) == before
    ours.close()
    served.join(10)
    theirs.close()


def test_a_choice_of_launches_is_kept_and_answered(tmp_path: Path):
    cache = Cache(tmp_path)
    made = translate(cuda_unit(Source(SEARCH), GivenOptions()), {"mapping": "auto"}, cache)
    packed = packed_ir(made.program, made.info)

    def told(line: str) -> list[str]:
        head, _, ir = request(packed, kernel="_Z7longestPiPKhi", block="64 1 1").partition(b"\n\n")
        return answer(read_request(head + f"\n{line}\n\n".encode() + ir), cache).decode().splitlines()

    def flags(lines: list[str]) -> int:
        return int(lines[1].split()[3])

    first = told("terms cuda")
    assert flags(first) & 8  # LW_CODE_TRY_LANES
    other = told("try lanes")
    assert other[0] != first[0]
    assert told("chosen other lanes 3000000 1500000 70") == ["kept"]
    assert (told("terms cuda")[0], flags(told("terms cuda")) & 12) == (other[0], 0)
    assert flags(told("try lanes")) & 16  # LW_CODE_CHOSEN
    assert (told("fixed 1")[0], flags(told("fixed 1")) & 12) == (first[0], 0)
