# SPDX-License-Identifier: Apache-2.0
"""Units of languages that are read as they are, without macros, templates and included files: kernel IR and PTX."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.frontend.given_options import DEFAULT_ARCH, GivenOptions, listed
from lanewise.frontend.source import Source

if TYPE_CHECKING:
    from lanewise.frontend.unit import KernelModule, Unit

_NAMES: Final = {"ir": "kernel IR", "ptx": "PTX"}

Translate: TypeAlias = Callable[[tuple[Source, ...], GivenOptions], "KernelModule"]
"""The translation of sources into one module."""


class TextUnit(NamedTuple):
    """See `frontend.unit.Unit`. All options are part of the digest, whatever the translation makes of them. There is
    one source, or several where the language `links` them."""

    language: str
    sources: tuple[Source, ...]
    options: GivenOptions
    translate: Translate
    links: bool = False

    @property
    def name(self) -> str:
        return ", ".join(source.name for source in self.sources)

    @property
    def digest(self) -> str:
        texts = [part for source in self.sources for part in (source.name, source.text)]
        return key(self.language, *texts, repr(self.options))

    @property
    def arch(self) -> str:
        return self.options.arch or DEFAULT_ARCH

    @property
    def terms(self) -> str:
        return "cuda"  # whose names the intrinsics have

    @property
    def is_foreign(self) -> bool:
        return True

    @property
    def main_line(self) -> None:
        return None

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> "KernelModule":
        return self.translate(self.sources, self.options)

    def for_arch(self, arch: str) -> "TextUnit":
        return self

    def with_instance(self, name: str) -> None:
        return None

    def in_general_form(self) -> None:
        return None

    @property
    def text(self) -> str:
        return "\n".join(source.text for source in self.sources)

    def ptx(self) -> tuple[Source, ...]:
        return self.sources if self.language.startswith("ptx") else ()

    def hint(self, name: str) -> str:
        return ""


def text_unit(
    language: str, source: Source, given: GivenOptions, translate: Translate, *, links: bool = False
) -> TextUnit:
    """The unit of a text. Error for options that are no list, and for macros and folders, of which a text that is read
    as it is has no use."""
    for what, values in (("defines", given.defines), ("include_dirs", given.include_dirs)):
        if values:
            raise Error(f"{source.name}: {what} are for languages with a preprocessor, and {_NAMES[language]} has none")
    options = given._replace(options=listed("options", given.options))
    return TextUnit(language, (source,), options, translate, links)


def linked(units: Sequence["Unit"], given: GivenOptions) -> TextUnit | None:
    """The unit of all sources of `units`, with new options; None if their language doesn't link sources."""
    texts = [unit for unit in units if isinstance(unit, TextUnit) and unit.links]
    if len(texts) < len(units) or len({unit.language for unit in texts}) != 1:
        return None
    sources = tuple(source for unit in texts for source in unit.sources)
    return texts[0]._replace(sources=sources, options=given._replace(options=listed("options", given.options)))
