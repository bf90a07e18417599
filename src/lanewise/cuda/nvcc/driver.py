# SPDX-License-Identifier: Apache-2.0
"""Carries a command line of nvcc out."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, final

from lanewise.config import nvcc_flags, search_path
from lanewise.cuda.libraries import environment_of_programs, library_folder
from lanewise.cuda.nvcc import steps
from lanewise.cuda.nvcc.architectures import architecture_words, gpu_architectures, listed_architectures
from lanewise.cuda.nvcc.command import Input, InputKind, NvccCommand, Phase, augmented, read
from lanewise.cuda.nvcc.dependencies import Rule, rule_alone, rule_beside
from lanewise.cuda.nvcc.messages import HELP, version_text
from lanewise.cuda.objects.host_compiler import HostCompiler, host_compiler
from lanewise.errors import Error
from lanewise.session import Session, session_of_this_process

_NO_INPUT: Final = "nvcc fatal   : No input files specified; use option --help for more information"
_SEVERAL_INPUTS: Final = (
    "nvcc fatal   : A single input file is required for a non-link phase when an outputfile is specified"
)


def main(words: Sequence[str]) -> int:
    """Run nvcc with `words` and the options of the environment; its exit status: 0, or 1 with a message on standard
    error."""
    try:
        command = read(augmented(words, *nvcc_flags()))
        if command.has("help"):
            _answer(HELP)
            return 0
        if command.has("version"):
            _answer(version_text())
            return 0
        for field, prefix in (("list_architectures", "compute_"), ("list_codes", "sm_")):
            if command.has(field):
                _answer(listed_architectures(prefix))
                return 0
        if not command.inputs:
            raise Error(_NO_INPUT)
        if not command.has("dry_run"):
            _check_files(command)
        return _Run(command, session_of_this_process()).status()
    except Error as error:
        print(error, file=sys.stderr)
        return 1


def _check_files(command: NvccCommand) -> None:
    """Error for an input that is a folder or isn't there, or that is the output, too."""
    output = command.last("output")
    for given in command.inputs:
        if os.path.isdir(given.path):
            raise Error(f"nvcc fatal   : Could not open input file '{given.path}': Is a directory")
        if not os.path.exists(given.path):
            raise Error(f"nvcc fatal   : Could not open input file '{given.path}': No such file or directory")
        if output is not None and os.path.exists(output) and os.path.samefile(given.path, output):
            raise Error(f"nvcc fatal   : Input file '{given.path}' is the output, too")


@final
class _Run:
    """One run of a command."""

    def __init__(self, command: NvccCommand, session: Session) -> None:
        self._command: Final = command
        self._session: Final = session
        self._compiler: Final[HostCompiler] = host_compiler(command.last("host_compiler"))

    def status(self) -> int:
        if self._command.has("verbose") or self._command.has("dry_run"):
            self._tell_environment()
        match self._command.phase:
            case Phase.LINK:
                return self._link()
            case Phase.ARCHIVE:
                return self._archive()
            case Phase.PTX:
                # Drivers load PTX where they load a fat binary, and so does libcudart.
                return self._each(".fatbin" if self._command.has("fatbin") else ".ptx", self._ptx)
            case Phase.PREPROCESS:
                return self._preprocess()
            case Phase.CUDA:
                return self._each(".cu.cpp.ii", self._host_text)
            case Phase.DEPENDENCIES:
                return self._dependencies_only()
            case Phase.DEVICE_LINK:
                return self._device_link()
            case Phase.COMPILE:
                return self._each(".o", self._compile)

    # -- steps -------------------------------------------------------------------------------------------------

    def _each(self, suffix: str, step: Callable[[Input, str], int]) -> int:
        sources = [given for given in self._command.inputs if given.kind is not InputKind.OBJECT]
        if not sources:
            raise Error(_NO_INPUT)
        output = self._command.last("output")
        if output is not None and len(sources) > 1:
            raise Error(_SEVERAL_INPUTS)
        folder = self._command.last("output_folder") or "."
        for given in sources:
            target = output or os.path.join(folder, f"{given.stem}{suffix}")
            status = step(given, target)
            if status:
                return status
        return 0

    def _compile(self, given: Input, output: str) -> int:
        rule = rule_beside(self._command, given, ".o")
        if given.kind is not InputKind.CUDA:
            words = steps.host_command(self._command, given, output, self._compiler)
            return self._system([*words, *(rule.words("-MD") if rule else [])])
        self._tell(["lanewise", "nvcc", *architecture_words(self._command), "-c", given.path, "-o", output])
        if self._command.has("dry_run"):
            return 0
        made = steps.compile_cuda_file(self._session, self._command, given.path, self._compiler)
        for warning in made.warnings:
            print(warning, file=sys.stderr)
        if rule is not None and rule.path is not None:
            _write(Path(rule.path), rule.text([given.path, *made.dependencies]).encode(errors="surrogateescape"))
        _write(Path(output), made.data)
        return 0

    def _ptx(self, given: Input, output: str) -> int:
        from lanewise.program.source.compilation import compile_source

        options = steps.unit_options(self._command).device
        module = compile_source(
            self._session,
            Path(given.path),
            language="cuda",
            arch=options.arch,
            defines=dict(options.defines),
            include_dirs=options.include_dirs,
            options=options.options,
        )
        text = module.ptx()
        if output == "-":
            _answer(text.removesuffix("\n"))
        else:
            _write(Path(output), text.encode())
        rule = rule_beside(self._command, given, ".ptx")
        return 0 if rule is None else self._write_rule(given, rule)

    def _link(self) -> int:
        with tempfile.TemporaryDirectory(prefix="lanewise-nvcc-") as folder:
            names: dict[str, str] = {}
            for number, given in enumerate(self._command.inputs):
                if given.kind is not InputKind.OBJECT:
                    names[given.path] = os.path.join(folder, f"{number}-{given.stem}.o")
                    status = self._compile(given, names[given.path])
                    if status:
                        return status
            inputs = [names.get(word, word) for word in self._command.link_order]
            if not self._command.has("dry_run"):
                self._compiler.require_library()
                inputs = [*steps.linked_device_code(self._session, self._command, inputs, folder), *inputs]
            output = self._command.last("output") or os.path.join(self._command.last("output_folder") or "", "a.out")
            status = self._system(steps.link_command(self._session, self._command, inputs, output, self._compiler))
        if status == 0 and self._command.has("run"):
            program = output if os.path.dirname(output) else os.path.join(".", output)
            environment = environment_of_programs(self._session.cache)
            return subprocess.run([program, *self._command.all("run_args")], check=False, env=environment).returncode
        return status

    def _archive(self) -> int:
        output = self._command.last("output") or "a.a"
        with tempfile.TemporaryDirectory(prefix="lanewise-nvcc-") as folder:
            objects: list[str] = []
            for number, given in enumerate(self._command.inputs):
                objects.append(given.path)
                if given.kind is not InputKind.OBJECT:
                    objects[-1] = os.path.join(folder, f"{number}-{given.stem}.o")
                    status = self._compile(given, objects[-1])
                    if status:
                        return status
            return self._system([shutil.which("ar") or "ar", "rcs", output, *objects])

    def _preprocess(self) -> int:
        for given in self._command.inputs:
            words = steps.preprocess_command(self._command, given, self._compiler)
            status = self._system([*words, *(["-o", o] if (o := self._command.last("output")) else [])])
            if status:
                return status
        return 0

    def _host_text(self, given: Input, output: str) -> int:
        return self._system([*steps.preprocess_command(self._command, given, self._compiler), "-o", output])

    def _dependencies_only(self) -> int:
        for given in self._command.inputs:
            status = self._write_rule(given, rule_alone(self._command, given))
            if status:
                return status
        return 0

    def _write_rule(self, given: Input, rule: Rule) -> int:
        words = steps.preprocess_command(self._command, given, self._compiler)
        return self._system([*words, *rule.words("-M")])

    def _device_link(self) -> int:
        output = self._command.last("output") or "a_dlink.o"
        self._tell(["lanewise", "nvcc", "-dlink", *self._command.link_order, "-o", output])
        if self._command.has("dry_run"):
            return 0
        codes = steps.device_codes(self._command, self._command.link_order)
        if not codes:
            return self._system([*self._compiler.command, "-x", "c", "-c", "/dev/null", "-fPIC", "-o", output])
        from lanewise.cuda.objects.device_link import link_device_code

        _write(Path(output), link_device_code(self._session, output, codes, gpu_architectures(self._command)))
        return 0

    # -- messages ----------------------------------------------------------------------------------------------

    def _system(self, words: Sequence[str]) -> int:
        self._tell(words)
        if self._command.has("dry_run"):
            return 0
        return steps.run(words)

    def _tell(self, words: Sequence[str]) -> None:
        if self._command.has("verbose") or self._command.has("dry_run"):
            print(f"#$ {shlex.join(words)}", file=sys.stderr)

    def _tell_environment(self) -> None:
        """The lines that CMake reads a toolkit's folders from. It looks for what LIBRARIES has in the link's line."""
        from lanewise.cuda.nvcc.home import cuda_home

        home = cuda_home(self._session.cache)
        before, after = nvcc_flags()
        for line in (
            *([f'NVCC_PREPEND_FLAGS="{before}"'] if before else ()),
            *([f'NVCC_APPEND_FLAGS="{after}"'] if after else ()),
            "_NVVM_BRANCH_=nvvm",
            "_SPACE_= ",
            "_CUDART_=cudart",
            f"_HERE_={home}/bin",
            f"_THERE_={home}/bin",
            "_TARGET_SIZE_=",
            "_TARGET_DIR_=",
            f"TOP={home}",
            f"NVVMIR_LIBRARY_DIR={home}/nvvm/libdevice",
            f"LD_LIBRARY_PATH={home}/lib64",
            f"PATH={home}/bin:{search_path()}",
            f'INCLUDES="-I{home}/include"  ',
            f"LIBRARIES=  -L{library_folder(self._session.cache)}",
            "CUDAFE_FLAGS=",
            "PTXAS_FLAGS=",
        ):
            print(f"#$ {line}", file=sys.stderr)


def _answer(text: str) -> None:
    """Print a text. A reader that has seen enough, as in `nvcc --version | head -1`, is no error."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all. Error if it can't be written."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(data)
        os.replace(partial, path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise Error(f"nvcc fatal   : Could not open output file '{path}': {error.strerror}") from None
