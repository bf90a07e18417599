# SPDX-License-Identifier: Apache-2.0
"""Random sequences of OpenCL calls with handles of any kind, released ones and other numbers: none may crash or hang.

python -m tests.opencl.fuzz LIBRARY [SEQUENCES] [--seed N] [--calls N] [--show]

With --show each call is printed before it is made. Pointers to memory are null or lead to as much as a rectangle spans;
everything else is random, half of it plausible.
"""

import argparse
import ctypes
import faulthandler
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.opencl import images as im
from tests.opencl.interface import ClError, Interface, first_device
from tests.opencl.test_mutable_commands import Argument, Config

SOURCES: Final = (
    b"kernel void k(global int *out, int n, local int *t) { t[0] = n; out[0] = t[0]; }",
    b"int f(int); kernel void k(global int *out) { out[0] = f(1); }",
    b"int f(int x) { return x; }",
    b"kernel void k(global int *out) { out[0] = missing; }",
)
ROOM: Final = 1 << 19
"""Bytes of a place: rows and planes may be 1,024 bytes apart, 64 of them skipped and 64 copied."""
HANDLES: Final = "cdqmpkevrxuw"
"""Kinds of arguments that are objects: context, device, queue, memory, program, kernel, event, an address of SVM, a
command buffer, a sampler, a mutable command, an allocation of unified shared memory."""

FUNCTIONS: Final[dict[str, str]] = {
    "clCreateContext": "0 1 Ld 0 0",
    "clRetainContext": "c",
    "clReleaseContext": "c",
    "clGetContextInfo": "c i s o 0",
    "clCreateSubDevices": "d P 9 o 0",
    "clRetainDevice": "d",
    "clReleaseDevice": "d",
    "clGetDeviceInfo": "d i s o 0",
    "clCreateCommandQueue": "c d f",
    "clReleaseCommandQueue": "q",
    "clGetCommandQueueInfo": "q i s o 0",
    "clFlush": "q",
    "clFinish": "q",
    "clCreateBuffer": "c f s o",
    "clCreateSubBuffer": "m f i o",
    "clRetainMemObject": "m",
    "clReleaseMemObject": "m",
    "clGetMemObjectInfo": "m i s o 0",
    "clEnqueueReadBuffer": "q m b s s o W",
    "clEnqueueWriteBuffer": "q m b s s o W",
    "clEnqueueCopyBuffer": "q m m h h h W",
    "clEnqueueFillBuffer": "q m o s h h W",
    "clEnqueueReadBufferRect": "q m b T T T s s s s o W",
    "clEnqueueCopyBufferRect": "q m m H H H h h h h W",
    "clEnqueueMapBuffer": "q m b f h h W",
    "clEnqueueUnmapMemObject": "q m v W",
    "clEnqueueMigrateMemObjects": "q 1 Lm f W",
    "clCreateProgramWithSource": "c 1 S 0",
    "clReleaseProgram": "p",
    "clBuildProgram": "p 1 Ld O 0 0",
    "clCompileProgram": "p 0 0 O 0 0 0 0 0",
    "clLinkProgram": "c 0 0 O 1 Lp 0 0",
    "clGetProgramInfo": "p i s z 0",
    "clGetProgramBuildInfo": "p d i s o 0",
    "clCreateKernel": "p K",
    "clCloneKernel": "k",
    "clReleaseKernel": "k",
    "clSetKernelArg": "k n s Lm",
    "clSetKernelArgSVMPointer": "k n v",
    "clSetKernelExecInfo": "k i s o",
    "clGetKernelInfo": "k i s o 0",
    "clGetKernelArgInfo": "k n i s o 0",
    "clGetKernelWorkGroupInfo": "k d i s o 0",
    "clGetKernelSubGroupInfo": "k d i s o s o 0",
    "clGetKernelSuggestedLocalWorkSizeKHR": "q k n 0 T o",
    "clEnqueueNDRangeKernel": "q k n 0 T U W",
    "clEnqueueTask": "q k W",
    "clCreateUserEvent": "c",
    "clSetUserEventStatus": "e n",
    "clRetainEvent": "e",
    "clReleaseEvent": "e",
    "clGetEventInfo": "e i s o 0",
    "clGetEventProfilingInfo": "e i s o 0",
    "clEnqueueMarkerWithWaitList": "q W",
    "clEnqueueBarrierWithWaitList": "q W",
    "clEnqueueSVMMemcpy": "q b v v s W",
    "clEnqueueSVMMemFill": "q v o s s W",
    "clEnqueueSVMMap": "q b f v s W",
    "clEnqueueSVMUnmap": "q v W",
    "clEnqueueSVMMigrateMem": "q 1 Lv 0 f W",
    "clCreateImage": "c f I D o",
    "clGetImageInfo": "m i s o 0",
    "clEnqueueReadImage": "q m b H T s s o W",
    "clEnqueueWriteImage": "q m b H T s s o W",
    "clEnqueueCopyImage": "q m m H H T W",
    "clEnqueueFillImage": "q m o H T W",
    "clEnqueueCopyImageToBuffer": "q m m H T h W",
    "clEnqueueCopyBufferToImage": "q m m h H T W",
    "clEnqueueMapImage": "q m b f H T o 0 W",
    "clCreateSampler": "c b A B",
    "clReleaseSampler": "x",
    "clGetSamplerInfo": "x i s o 0",
    "clCreateCommandBufferKHR": "1 Lq C",
    "clFinalizeCommandBufferKHR": "r",
    "clRetainCommandBufferKHR": "r",
    "clReleaseCommandBufferKHR": "r",
    "clEnqueueCommandBufferKHR": "0 0 r W",
    "clGetCommandBufferInfoKHR": "r i s o 0",
    "clCommandBarrierWithWaitListKHR": "r 0 0 Y",
    "clCommandCopyBufferKHR": "r 0 0 m m h h h Y",
    "clCommandCopyBufferRectKHR": "r 0 0 m m H H H h h h h Y",
    "clCommandFillBufferKHR": "r 0 0 m o s h h Y",
    "clCommandFillImageKHR": "r 0 0 m o H T Y",
    "clCommandCopyImageKHR": "r 0 0 m m H H T Y",
    "clCommandNDRangeKernelKHR": "r 0 M k n 0 T U V",
    "clUpdateMutableCommandsKHR": "r X",
    "clGetMutableCommandInfoKHR": "u j s o 0",
    "clCommandSVMMemcpyKHR": "r 0 0 v v s Y",
    "clCommandSVMMemFillKHR": "r 0 0 v o s s Y",
    "clHostMemAllocINTEL": "c G s n",
    "clDeviceMemAllocINTEL": "c d G s n",
    "clSharedMemAllocINTEL": "c d G s n",
    "clMemFreeINTEL": "c v",
    "clMemBlockingFreeINTEL": "c v",
    "clGetMemAllocInfoINTEL": "c w i s o 0",
    "clSetKernelArgMemPointerINTEL": "k n v",
    "clEnqueueMemcpyINTEL": "q b v v s W",
    "clEnqueueMemFillINTEL": "q v o s s W",
    "clEnqueueMigrateMemINTEL": "q w s f W",
    "clEnqueueMemAdviseINTEL": "q w s n W",
    "clCreateProgramWithBinary": "c 1 Ld N 0",
    "clCreateProgramWithIL": "c o s",
    "clSetProgramSpecializationConstant": "p n s o",
    "clCreateKernelsInProgram": "p n o 0",
    "clWaitForEvents": "1 Le",
    "clSetEventCallback": "e n F 0",
    "clEnqueueNativeKernel": "q F 0 0 0 0 0 W",
    "clGetSupportedImageFormats": "c f i n o 0",
    "clRetainKernel": "k",
    "clRetainProgram": "p",
    "clRetainCommandQueue": "q",
    "clRetainSampler": "x",
}
"""A letter for each argument: an object (`HANDLES`), s a size, h one that may be huge, i the name of a property, f
flags, b a boolean, n a small number, o a place of `ROOM` bytes, z null, T three numbers, H three that may be huge, U
the first or null, L and a kind a list of one object, W a wait list and a place for an event, S a source, O options, K
the name of a kernel, P properties of a partition, I the format of an image and D its description, A and B the modes of
a sampler, C the properties of a command buffer, Y a list of sync points, a place for one and null, V the same with a
place for a mutable command, M the properties of one, X changes of mutable commands with their number and types, j the
name of a property of a mutable command, G properties of an allocation, N the lengths of binaries and their places, F a
function, 0 null, 1 and 9 these numbers."""
OFTEN: Final = ("clUpdateMutableCommandsKHR", "clUpdateMutableCommandsKHR", "clEnqueueCommandBufferKHR")
"""Functions that most sequences would hardly call with objects in the right state."""
WAITS: Final = frozenset({"clFinish", "clMemBlockingFreeINTEL", "clWaitForEvents"})
CALLBACK: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None)
MAKES: Final = {
    "clCreateContext": "c", "clCreateCommandQueue": "q", "clCreateBuffer": "m", "clCreateSubBuffer": "m",
    "clCreateProgramWithSource": "p", "clLinkProgram": "p", "clCreateKernel": "k", "clCloneKernel": "k",
    "clCreateUserEvent": "e", "clCreateImage": "m", "clCreateSampler": "x", "clCreateCommandBufferKHR": "r",
    "clHostMemAllocINTEL": "w", "clDeviceMemAllocINTEL": "w", "clSharedMemAllocINTEL": "w",
    "clCreateProgramWithBinary": "p", "clCreateProgramWithIL": "p",
}  # fmt: skip


class Sequence:
    """Calls from a seed."""

    def __init__(self, cl: Interface, seed: int, places: tuple[Any, Any], *, shown: bool) -> None:
        self.cl, self.random, self.seed, self.shown = cl, random.Random(seed), seed, shown
        _, self.device = first_device(cl)
        self.context: int = cl.clCreateContext(None, 1, [self.device], None, None)
        self.room, shared = places
        address = ctypes.addressof(shared) // 128 * 128 + 128
        self.known: dict[str, list[int]] = {kind: [] for kind in HANDLES}
        self.known["c"].append(self.context)
        self.known["d"].append(self.device)
        self.known["v"] = [address, address + 1024, 0]
        self.users: list[int] = []
        self.command = ctypes.c_uint64()
        self.kept: list[Any] = []
        self.start()

    def start(self) -> None:
        """Has one object of each kind, most of the time."""
        queue: int = self.cl.clCreateCommandQueue(self.context, self.device, self.random.choice([0, 1, 2, 3]))
        buffer: int = self.cl.clCreateBuffer(self.context, 0, 256, None)
        self.known["q"].append(queue)
        self.known["m"].append(buffer)
        # To build any other takes a run of clang each time.
        source = ctypes.c_char_p(SOURCES[0] if self.random.random() < 0.95 else self.random.choice(SOURCES))
        program: int = self.cl.clCreateProgramWithSource(self.context, 1, ctypes.byref(source), None)
        self.known["p"].append(program)
        if not self.attempt(lambda: self.cl.clBuildProgram(program, 0, None, None, None, None)):
            return
        made: list[int] = []
        if self.attempt(lambda: made.append(self.cl.clCreateKernel(program, b"k"))):
            self.attempt(lambda: self.cl.clSetKernelArg(made[0], 0, 8, [buffer]))
            self.attempt(lambda: self.cl.clSetKernelArg(made[0], 1, 4, [7]))
            self.attempt(lambda: self.cl.clSetKernelArg(made[0], 2, 16, None))
            self.known["k"] += made
            self.record(made[0], queue)

    def record(self, kernel: int, queue: int) -> None:
        """Has a command buffer with two launches that may change, most of the time finalised."""
        pick, handle = self.random.choice, ctypes.c_uint64()
        buffer: int = self.cl.clCreateCommandBufferKHR(1, [queue], [0x1293, pick([2, 3]), 0])
        self.known["r"].append(buffer)
        for offset in (None, pick([None, [1]])):
            given = (buffer, 0, None, kernel, 1, offset, [8], pick([None, [4]]), 0, None, None, ctypes.byref(handle))
            if self.attempt(lambda given=given: self.cl.clCommandNDRangeKernelKHR(*given)):
                self.known["u"].append(handle.value)
        if self.random.random() < 0.9:
            self.attempt(lambda: self.cl.clFinalizeCommandBufferKHR(buffer))

    def run(self, calls: int) -> int:
        """How many of the calls have succeeded."""
        succeeded = 0
        for _ in range(calls):
            name = self.random.choice(OFTEN if self.random.random() < 0.2 else list(FUNCTIONS))
            succeeded += self.call(name)
        self.settle()
        for queue in self.known["q"]:
            self.attempt(lambda queue=queue: self.cl.clFinish(queue))
        for kind, function in (
            ("e", "Event"), ("k", "Kernel"), ("p", "Program"), ("m", "MemObject"), ("q", "CommandQueue"),
            ("r", "CommandBufferKHR"), ("x", "Sampler"), ("d", "Device"), ("c", "Context"),
        ):  # fmt: skip
            for handle in self.known[kind]:
                self.attempt(lambda f=function, handle=handle: getattr(self.cl, f"clRelease{f}")(handle))
            if kind == "d":
                self.free()
        return succeeded

    def free(self) -> None:
        """Frees the allocations, each in the context that it is of."""
        for address in self.known["w"]:
            for context in self.known["c"]:
                self.attempt(lambda c=context, address=address: self.cl.clMemBlockingFreeINTEL(c, address))

    def call(self, name: str) -> bool:
        place, self.command = ctypes.c_uint64(), ctypes.c_uint64()
        letters = FUNCTIONS[name].split()
        arguments = [each for letter in letters for each in self.arguments(letter, place)]
        if self.shown:
            print(self.seed, name, *arguments, file=sys.stderr, flush=True)
        may_wait = name in WAITS or ("b" in letters and arguments[letters.index("b")] != 0)
        if may_wait:
            self.settle()
        result: list[Any] = []
        done = self.attempt(lambda: result.append(getattr(self.cl, name)(*arguments)))
        if done and name in MAKES:
            self.known[MAKES[name]].append(result[0])
            self.users += result if name == "clCreateUserEvent" else []
        if done and place.value:
            self.known["e"].append(place.value)
        if done and self.command.value:
            self.known["u"].append(self.command.value)
        if name == "clCreateKernelsInProgram" and done and arguments[2]:
            self.known["k"] += (ctypes.c_uint64 * 1).from_buffer(self.room)[:]
        if name == "clCreateSubDevices" and done:
            self.known["d"] += (ctypes.c_uint64 * 1).from_buffer(self.room)[:]
        return done

    def settle(self) -> None:
        """Ends the users' events, so that nothing waits for ever."""
        for event in self.users:
            self.attempt(lambda event=event: self.cl.clSetUserEventStatus(event, 0))
        self.users.clear()

    @staticmethod
    def attempt(call: Callable[[], Any]) -> bool:
        try:
            call()
        except ClError:
            return False
        return True

    def handle(self, kind: str) -> int:
        choice = self.random.random()
        if choice < 0.85 and self.known[kind]:
            return self.random.choice(self.known[kind][-6:] + self.known[kind][:1])
        if kind == "v":  # any other address could be the program's own
            return 0
        if choice < 0.95:
            return self.random.choice([each for known in self.known.values() for each in known])
        return self.random.choice([0, 8, 12345, (1 << 64) - 8, self.context + 1, self.context + 8])

    def arguments(self, letter: str, place: ctypes.c_uint64) -> list[Any]:
        pick = self.random.choice
        if letter[0] == "L":
            return [pick([[self.handle(letter[1])]] * 9 + [None])]
        if letter in HANDLES:
            return [self.handle(letter)]
        match letter:
            case "0" | "z":
                return [None]
            case "1" | "9":
                return [int(letter)]
            case "s":
                return [pick([0, 1, 3, 4, 8, 16, 64, 128, 256, 1024])]
            case "h":
                return [pick([0, 1, 4, 8, 16, 64, 128, 1 << 32, 1 << 61, 1 << 63, (1 << 64) - 64, (1 << 64) - 1])]
            case "H":
                return [[pick([0, 0, 1, 1, 4, 64, 1 << 32, 1 << 61, (1 << 64) - 64]) for _ in range(3)]]
            case "i":
                return [pick([*range(0x1000, 0x10A0), *range(0x10F0, 0x1290), 0x2033, 0x2034, *range(0x4190, 0x41A0)])]
            case "f":
                return [pick([0, 0, 1, 2, 4, 3, 5, 1 << 5, 1 << 7, 1 << 8, 1 << 40])]
            case "b":
                return [pick([0, 1])]
            case "n":
                return [pick([0, 0, 1, 1, 2, 3, 9, (1 << 32) - 1])]
            case "o":
                return [pick([ctypes.addressof(self.room)] * 9 + [0])]
            case "T" | "U":
                values = [pick([0, 1, 1, 2, 4, 8, 64]) for _ in range(3)]
                return [pick([values] * 4 + [None]) if letter == "T" else pick([values, None, None])]
            case "W":
                waits = [self.handle("e") for _ in range(pick([0, 0, 1, 2]))]
                return [len(waits), waits or None, pick([None, ctypes.byref(place)])]
            case "S":
                self.kept.append(ctypes.c_char_p(pick(SOURCES)))
                return [ctypes.byref(self.kept[-1])]
            case "O":
                return [pick([b"", b"", b"-create-library", b"-cl-std=CL3.0", b"--nothing", None])]
            case "K":
                return [pick([b"k", b"k", b"missing", None])]
            case "I":
                orders, types = [im.RGBA, im.R, im.BGRA, im.DEPTH, im.RX, 3], [im.UNORM8, im.FLOAT, im.SIGNED8, 3]
                return [im.format_(pick(orders), pick(types))]
            case "D":
                shapes = [im.IMAGE_2D, im.IMAGE_3D, im.IMAGE_2D_ARRAY, im.IMAGE_1D, im.IMAGE_1D_BUFFER, 3]
                extents = [pick([0, 1, 2, 4, 8, 1 << 32]) for _ in range(3)]
                more = {"layers": pick([0, 1, 2]), "row": pick([0, 0, 0, 32]), "source": pick([0, self.handle("m")])}
                return [im.description(pick(shapes), *extents, **more)]
            case "A" | "B":
                return [pick([*range(0x1130, 0x1135)] if letter == "A" else [0x1140, 0x1141, 3])]
            case "C":
                return [pick([None, None, [0x1293, 1, 0], [0x1293, 2, 0], [0x1293, 3, 0], [0x1293, 77, 0], [5, 1, 0]])]
            case "Y" | "V":
                after = [pick([1, 1, 2, 9]) for _ in range(pick([0, 0, 0, 1, 2]))]
                handle = pick([None, ctypes.byref(self.command)]) if letter == "V" else None
                return [len(after), after or None, pick([None, ctypes.addressof(self.room)]), handle]
            case "M":
                return [pick([None, None, [0x12B1, 8, 0], [0x12B1, pick(range(64)), 0x12B8, pick([0, 1, 2]), 0]])]
            case "X":
                return self.changes()
            case "j":
                return [pick(range(0x12A0, 0x12B0))]
            case "G":
                return [pick([None, None, [0x4195, pick(range(8)), 0], [0x4195, 1, 0x4195, 1, 0], [77, 1, 0]])]
            case "N":
                lengths = [pick([0, 8, 64, 256])]
                return [pick([lengths] * 9 + [None]), pick([[ctypes.addressof(self.room)]] * 9 + [[0], None])]
            case "F":
                return [pick([CALLBACK] * 9 + [None])]
            case "P":
                return [pick([[0x1086, 1, 0], [0x1087, 1, 0, 0], [0x1088, 1, 0], [0], None])]
            case _:
                raise ValueError(letter)

    def changes(self) -> list[Any]:
        """Number, types and places of random changes."""
        pick = self.random.choice
        configs = [self.config() for _ in range(pick([0, 1, 1, 1, 2, 3]))]
        self.kept += configs
        places = [pick([ctypes.addressof(each)] * 19 + [0]) for each in configs]
        types = (ctypes.c_uint32 * max(len(configs), 1))(*(pick([0] * 19 + [1]) for _ in configs))
        return [len(configs), pick([types if configs else None] * 9 + [None]), places or None]

    def config(self) -> Config:
        pick = self.random.choice
        made = Config(command=self.handle("u"), work_dim=pick([0, 0, 0, 1, 2, 3]))
        for name in ("args", "svm_args", "exec_infos"):
            if self.random.random() < 0.6:
                continue
            rows = (Argument * 2)()
            for row in rows:
                value = (ctypes.c_uint64 * 1)(self.handle(pick("mmvx")))
                row.index = pick([0x11B6, 0x11B7]) if name == "exec_infos" else pick([0, 0, 1, 2, 3, 1 << 31])
                row.size = pick([4, 8, 8, 16, 0])
                row.value = pick([ctypes.addressof(value)] * 4 + [None])
                if name == "svm_args":
                    row.value = self.handle("v")
                self.kept.append(value)
            self.kept.append(rows)
            setattr(made, name, pick([ctypes.addressof(rows)] * 19 + [0]))
            setattr(made, f"num_{name}", pick([1, 1, 2, 0]))
        for name in ("offset", "size", "local"):
            if self.random.random() < 0.4:
                numbers = (ctypes.c_size_t * 3)(*(pick([0, 1, 1, 2, 4, 8, 64]) for _ in range(3)))
                self.kept.append(numbers)
                setattr(made, name, ctypes.addressof(numbers))
        return made


def run(library: Path, sequences: int, seed: int = 0, calls: int = 60, *, shown: bool = False) -> int:
    """How many calls of all sequences have succeeded."""
    cl = Interface(library)
    # Commands of a queue that is released before they run may do so in a later sequence, and while the process ends.
    places = ctypes.create_string_buffer(2 * ROOM), ctypes.create_string_buffer(2 * ROOM)
    for place in places:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(place))
    succeeded = 0
    for number in range(seed, seed + sequences):
        faulthandler.dump_traceback_later(60, exit=True)
        succeeded += Sequence(cl, number, places, shown=shown).run(calls)
    faulthandler.cancel_dump_traceback_later()
    return succeeded


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("library", type=Path)
    parser.add_argument("sequences", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--calls", type=int, default=60)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    faulthandler.enable()
    succeeded = run(given.library, given.sequences, given.seed, given.calls, shown=given.show)
    print(f"{given.sequences} sequences, {succeeded} of {given.calls * given.sequences} calls succeeded")


if __name__ == "__main__":
    main()
