"""Something that somebody tries: the act, and what he gives it, so that a test can give it other words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from store.cases import Actor, Docket
from store.rules.access import Deed


@dataclass(frozen=True)
class Tried:
    """An act of `store.proceedings` with everything but the record and who tries it."""

    do: Callable[..., object]
    args: tuple[object, ...]
    words: Mapping[str, object]

    def __call__(self, docket: Docket, actor: Actor) -> object:
        """Try it."""
        return self.do(docket, actor, *self.args, **self.words)


Attempt = tuple[Deed, Tried]
