# SPDX-License-Identifier: Apache-2.0
"""A child of a fork uses the platform, with its parent's objects or its own, whatever the parent was doing."""

import os
import subprocess
import sys
from pathlib import Path

_PROGRAM = """
import ctypes, os, signal, sys, threading, time
from pathlib import Path
import numpy as np
from tests.opencl.interface import ClError, Interface, Session

cl = Interface(Path(sys.argv[1]))
session = Session(cl)
SOURCE = "kernel void k(global int *out) { out[get_global_id(0)] += 1; }"
buffer = session.buffer(np.zeros(4096, np.int32))
kernel = session.kernel(SOURCE, "k", buffer)
out = np.zeros(4096, np.int32)

def in_child(work):
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        try:
            work()
        except BaseException as error:
            print(error, file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0

def use_parents():
    session.run(kernel, [4096])
    assert session.read(buffer, out).tolist() == [2] * 4096

def use_own():
    own = Session(cl)
    mine = own.buffer(np.zeros(8, np.int32))
    own.run(own.kernel("kernel void k(global int *out) { out[get_global_id(0)] = 7; }", "k", mine), [8])
    assert own.read(mine, out[:8]).tolist() == [7] * 8

# Before anything has run: both have programs built at the same time.
def build_other():
    for n in range(4):
        source = "kernel void other(global int *out) { out[get_global_id(0)] = %d; }" % (SIGN * n)
        session.run(session.kernel(source, "other", buffer), [4096])
        assert session.read(buffer, out).tolist() == [SIGN * n] * 4096

SIGN = -1
child = os.fork()
if child == 0:
    signal.alarm(60)
    SIGN = 1
    try:
        build_other()
    except BaseException as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)
build_other()
assert os.waitpid(child, 0)[1] == 0
buffer = session.buffer(np.zeros(4096, np.int32))
session.set(kernel, buffer)

session.run(kernel, [4096])
assert session.read(buffer, out).tolist() == [1] * 4096
in_child(use_parents)
in_child(use_own)

# While another thread runs a command, and others wait for it: it has failed in the child.
native = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
entered, leave = threading.Event(), threading.Event()
def wait(_):
    entered.set()
    leave.wait(20)
function = native(wait)
event = session.event("clEnqueueNativeKernel", session.queue, function, None, 0, 0, None, None, 0, None)
session.run(kernel, [4096])
thread = threading.Thread(target=cl.clFinish, args=(session.queue,))
thread.start()
assert entered.wait(20)

def go_on():
    cl.clFinish(session.queue)
    assert cl.status(event) == -5
    assert session.read(buffer, out).tolist() == [2] * 4096

in_child(go_on)
in_child(use_own)
leave.set()
thread.join()
assert session.read(buffer, out).tolist() == [2] * 4096
assert cl.status(event) == 0
"""

# A thread is nearly always copying a long build log, with its lock held.
_READS_A_LOG = """
import ctypes, os, signal, sys, threading
from pathlib import Path
from tests.opencl.interface import Interface, Session

cl = Interface(Path(sys.argv[1]))
session = Session(cl)
program = session.program("#warning %s\\nkernel void k(global int *out) { *out = 1; }" % ("x" * 4_000_000))
assert len(cl.query("clGetProgramBuildInfo", program, session.device, 0x1183)) > 4_000_000
room, stops = ctypes.create_string_buffer(1 << 24), False
def read():
    cl.clGetProgramBuildInfo(program, session.device, 0x1183, len(room), room, None)
def read_on():
    while not stops:
        read()
thread = threading.Thread(target=read_on)
thread.start()
ended = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        signal.alarm(5)
        read()
        os._exit(0)
    ended.append(os.waitpid(child, 0)[1])
    if ended[-1]:
        break
stops = True
thread.join()
assert not any(ended), ended
"""


def _run(program: str, library: Path) -> "subprocess.CompletedProcess[str]":
    folder = Path(__file__).parents[2]
    words = [sys.executable, "-W", "ignore", "-c", program, str(library)]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(words, capture_output=True, text=True, timeout=120, env=environment, cwd=folder, check=False)


def test_a_child_goes_on(library: Path) -> None:
    done = _run(_PROGRAM, library)
    assert done.returncode == 0, done.stderr


def test_a_child_reads_a_log_that_a_thread_was_reading(library: Path) -> None:
    done = _run(_READS_A_LOG, library)
    assert done.returncode == 0, done.stderr
