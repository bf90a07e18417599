# SPDX-License-Identifier: Apache-2.0
"""`lanewise run PROGRAM.cu`: builds a whole program into the cache, and runs it."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lanewise.cache import key
from lanewise.cuda.foreground import run_in_foreground
from lanewise.cuda.libraries import environment_of_programs
from lanewise.cuda.nvcc import steps
from lanewise.cuda.nvcc.command import InputKind, NvccCommand, Phase, read
from lanewise.cuda.objects.host_compiler import HostCompiler, host_compiler
from lanewise.errors import Error
from lanewise.log import looked_up, step
from lanewise.session import Session, session_of_this_process

_PROGRAM: Final = "program"


def run_program(words: Sequence[str], arguments: Sequence[str], output: int | None = None) -> int:
    """Build the program that nvcc would make of the command line `words`, and run it with `arguments`. Returns its exit
    status, as a shell has it: 128 and its number for a signal. `output`: the descriptor that its standard output goes
    to; None: this process's. CompileError, Error."""
    command = read(words)
    if command.phase is not Phase.LINK:
        raise Error(f"lanewise run builds a whole program; {command.phase.value} is a task for lanewise nvcc")
    session = session_of_this_process()
    program = built_program(session, command)
    name = Path(command.inputs[0].path).stem
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        return run_in_foreground([name, *arguments], output, str(program), environment_of_programs(session.cache))
    except OSError as error:
        raise Error(f"{command.inputs[0].path}: the program can't be run: {error.strerror}") from None


def built_program(session: Session, command: NvccCommand) -> Path:
    """The program, from the cache if nothing that it depends on has changed. CompileError, Error."""
    if session.cache.base is None:
        raise Error("lanewise run keeps the program in the cache, which is turned off; build it with lanewise nvcc")
    compiler = host_compiler(command.last("host_compiler"))
    objects: dict[str, bytes] = {}
    for given in command.inputs:
        if given.kind is InputKind.OBJECT:
            objects[given.path] = _content(given.path)
            continue
        if given.kind is not InputKind.CUDA:
            raise Error(f"lanewise run builds programs of .cu files, and {given.path} is none; use lanewise nvcc")
        made = steps.compile_cuda_file(session, command, given.path, compiler)
        for warning in made.warnings:
            print(warning, file=sys.stderr)
        objects[given.path] = made.data
    link = steps.link_command(session, command, command.link_order, _PROGRAM, compiler)
    parts = [f"{name}\0{hashlib.sha256(data).hexdigest()}" for name, data in objects.items()]
    entry = key("program", repr(link), repr(compiler), *parts)
    found = session.cache.get(entry, _PROGRAM)
    looked_up("program", found=found is not None)
    if found is None:
        with step("link the program"):
            data = _linked(session, command, objects, compiler)
        folder = session.cache.put(entry, {_PROGRAM: data})
        if folder is None:
            raise Error("the program can't be kept in the cache; build it with lanewise nvcc")
        found = folder / _PROGRAM
    found.chmod(0o700)
    return found


def _linked(session: Session, command: NvccCommand, objects: dict[str, bytes], compiler: HostCompiler) -> bytes:
    compiler.require_library()
    with tempfile.TemporaryDirectory(prefix="lanewise-run-") as folder:
        names: dict[str, str] = {}
        for number, (name, data) in enumerate(objects.items()):
            suffix = ".o" if name.endswith((".cu", ".o")) else Path(name).suffix
            names[name] = os.path.join(folder, f"{number}{suffix}")
            Path(names[name]).write_bytes(data)
        output = os.path.join(folder, _PROGRAM)
        inputs = [names.get(word, word) for word in command.link_order]
        inputs = [*steps.linked_device_code(session, command, inputs, folder), *inputs]
        if steps.run(steps.link_command(session, command, inputs, output, compiler)):
            raise Error(f"{command.inputs[0].path}: the program could not be linked")
        return Path(output).read_bytes()


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Error(f"{path}: can't be read: {error.strerror}") from None
