# SPDX-License-Identifier: Apache-2.0
"""The inside of `lanewise compile`: the IR after steps of a pipeline, what each changed, and how long it took."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from lanewise.program.arguments.geometry import DEFAULT_BLOCK
from lanewise.program.module import Module

TYPE_CHECKING = False  # that of `typing`: this module is on the way of every `lanewise compile`
if TYPE_CHECKING:
    from lanewise.pipelines.drive import Stage

ALL = "all"


class Look(NamedTuple):
    """The part of a pipeline to run and to show, as the command line has it."""

    print_after: tuple[str, ...] = ()
    """Steps after which the IR is printed; `all`: each."""
    stop_after: str = ""
    disable: tuple[str, ...] = ()
    most_changes: int | None = None
    time_passes: bool = False
    enable: tuple[str, ...] = ()
    explain_passes: bool = False

    @property
    def is_wanted(self) -> bool:
        """True if anything was asked for."""
        return self != NO_LOOK


NO_LOOK: Final = Look()


LAST: Final = {"ptx": "write-texture-calls", "cpu": "work-group"}
"""Target -> the last step of its pipeline."""


def passes_shown(module: Module, target: str, kernel: str | None, block: tuple[int, ...] | None, look: Look) -> str:
    """The text that was asked for. If nothing is to be printed, explained or timed, the IR after the last step."""
    last = look.stop_after or LAST[target]
    prints_last = not (look.print_after or look.time_passes or look.explain_passes)
    texts = None if ALL in look.print_after else (last,) if prints_last else look.print_after
    stages = module.stages(
        kernel,
        block or DEFAULT_BLOCK,
        target=target,
        texts=texts,
        stop_after=last,
        disable=look.disable,
        most_changes=look.most_changes,
        enable=look.enable,
        effects=look.explain_passes,
    )
    if prints_last:
        return stages[-1].text or ""
    explained = _explained(stages) if look.explain_passes else ()
    timed = _timed(stages) if look.time_passes else ()
    return "".join([*_shown(stages, texts), *explained, *timed])


def _shown(stages: "list[Stage]", texts: tuple[str, ...] | None) -> Iterator[str]:
    for stage in stages:
        if texts is None or stage.step in texts:
            unchanged = "" if stage.changed else ": unchanged"
            yield f"; after {stage.step}{unchanged}\n"
            if stage.text is not None:
                yield f"{stage.text}\n"


def _explained(stages: "list[Stage]") -> Iterator[str]:
    for stage in stages:
        if stage.effect is not None:
            yield f"{stage.step}: {stage.effect}: {stage.why}\n"
        for remark in stage.remarks:
            yield f"{stage.step}: left alone: {remark}\n"


def _timed(stages: "list[Stage]") -> Iterator[str]:
    for stage in stages:
        yield f"{1e3 * stage.seconds:9.2f} ms  {stage.step}{'' if stage.changed else ' (unchanged)'}\n"
