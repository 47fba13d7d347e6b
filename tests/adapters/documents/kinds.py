"""A function of every kind. LIMIT, or what stands for it, is what a test changes."""

from __future__ import annotations

import abc
import asyncio
import collections
import contextlib
import enum
import functools
import typing
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

LIMIT = 3
T = TypeVar("T")
COUNT = 0
SEEN: list = []
WAITING = collections.deque()


def twice(f):
    @functools.wraps(f)
    def inner(*a, **k):
        return f(*a, **k), LIMIT

    return inner


def times(n):
    def deco(f):
        return functools.wraps(f)(lambda *a, **k: [f(*a, **k)] * n)

    return deco


class Tally:
    def __init__(self):
        self.by_name = {}


TALLY = Tally()


class Box:
    made = 0
    seen: typing.ClassVar[list] = []

    def __init__(self, w: int, h: int = 2):
        self.w, self.h = w, h

    @property
    def width(self) -> int:
        """How wide it is."""
        return self.w + LIMIT

    @width.setter
    def width(self, value: int) -> None:
        """Set how wide it is."""
        self.w = value + LIMIT

    @width.deleter
    def width(self) -> None:
        """Forget how wide it is."""
        self.w = 0 + LIMIT

    @functools.cached_property
    def area(self) -> int:
        """Its area."""
        return self.w * self.h + LIMIT

    @staticmethod
    @functools.lru_cache
    def cached_half(n: int) -> int:
        """Half of it, kept."""
        return n // 2 + LIMIT

    @staticmethod
    @times(2)
    def stacked(n: int) -> int:
        """Half of it, twice."""
        return n // 2 + LIMIT

    @classmethod
    def noted(cls, n: int) -> None:
        """Add to how many were made."""
        cls.made += n + LIMIT

    def see(self, n: int) -> None:
        """Note n for all boxes."""
        self.seen.append(n + LIMIT)

    def __eq__(self, other: object) -> bool:
        """Equal where the widths are."""
        return isinstance(other, Box) and self.w + LIMIT == other.w + 3

    def __lt__(self, other: Box) -> bool:
        """Less where it is narrower."""
        return self.w + LIMIT < other.w + 3

    def __len__(self) -> int:
        """Its width."""
        return abs(self.w) + LIMIT

    def __iter__(self):
        """Its sides."""
        yield self.w + LIMIT
        yield self.h

    def __getitem__(self, i: int) -> int:
        """Side i."""
        return [self.w, self.h][i] + LIMIT

    def __setitem__(self, i: int, v: int) -> None:
        """Set side i."""
        self.w = v + LIMIT

    def __private(self, n: int) -> int:
        """A private thing."""
        return self.w + n + LIMIT

    def __enter__(self):
        """Enter it: one wider."""
        self.w += LIMIT
        return self

    def __exit__(self, kind, error, trace) -> bool:
        """Leave it."""
        self.w = 0 + LIMIT
        return kind is KeyError

    async def __aenter__(self):
        """Enter it later."""
        self.w += LIMIT
        return self

    @contextlib.contextmanager
    def held(self):
        """Hold it."""
        self.w += 1
        yield self.w + LIMIT
        self.w -= 1

    @functools.singledispatchmethod
    def many(self, x) -> str:
        """Depends on the type."""
        return "any" + str(0 + LIMIT)

    @many.register
    def _(self, x: int) -> str:
        """For an int."""
        return "int" + str(0 + LIMIT)


class Wide(Box):
    def length(self, n: int) -> int:
        """Its length and more."""
        return super().__len__() + n + LIMIT

    class Inner:
        def __init__(self, k: int):
            self.k = k

        def get(self, n: int) -> int:
            """What it has, and n."""
            return self.k + n + LIMIT


class Made:
    def __init__(self, n: int, m: int = 1) -> None:
        """Make it from n and m."""
        self.n = n + LIMIT

    def __new__(cls, n: int, m: int = 1):
        """Make a new one."""
        made = object.__new__(cls)
        made.first = n + LIMIT
        return made

    def __init_subclass__(cls, **keywords):
        """Note the class."""
        SEEN.append(cls.__name__ + str(0 + LIMIT))


@dataclass(frozen=True)
class Frozen:
    x: int
    y: int = 0

    def total(self) -> int:
        """Sum of both."""
        return self.x + self.y + LIMIT

    def __post_init__(self) -> None:
        """Move y."""
        object.__setattr__(self, "y", self.y + LIMIT)


@dataclass
class Slotted:
    __slots__ = ("x",)
    x: int

    def grow(self, n: int) -> None:
        """Grow by n."""
        self.x += n + LIMIT


class Color(enum.Enum):
    RED = 1
    BLUE = 2

    def mixed(self, n: int) -> int:
        """Mixed with n."""
        return self.value + n + LIMIT


class Sized(Protocol):
    name: str

    def size(self, n: int) -> str:
        """The name and the size."""
        return self.name + str(n + LIMIT)


class Abstract(abc.ABC):
    @abc.abstractmethod
    def needed(self) -> int: ...

    @abc.abstractmethod
    def given(self): ...

    def size(self, n: int) -> int:
        """What is needed, and n."""
        return n + self.needed() + self.given() + LIMIT

    @property
    @abc.abstractmethod
    def least(self) -> int:
        """The least there is."""
        return 1 + LIMIT


class Concrete(Abstract):
    def given(self):
        return 7

    def needed(self):
        return 8

    @property
    def least(self):
        return 2


class Stack(Generic[T]):
    def __init__(self, items: list[T]) -> None:
        self.items = list(items)

    def push(self, x: T) -> None:
        """Put it on top."""
        self.items.append((x, 0 + LIMIT))


@typing.overload
def flexible(x: int) -> str: ...
def flexible(x):
    """Double whatever it is and show it."""
    return str(x * 2) + str(0 + LIMIT)


def parameters(a: int, b: int, /, c: int = 1, *rest: int, k: int = 2, **more: int) -> list:
    """All of them in a list."""
    return [a, b, c, rest, k + LIMIT, sorted(more.items())]


@functools.singledispatch
def single(x) -> str:
    """Depends on the type."""
    return "any" + str(0 + LIMIT)


@single.register(str)
def single_str(x: str) -> str:
    """For a str."""
    return "str" + str(0 + LIMIT)


@twice
def decorated(n: int) -> int:
    """n, and the limit."""
    return n + LIMIT


def count(n: int) -> None:
    """Add n to the count of the module."""
    global COUNT
    COUNT += n + LIMIT


def created(n: int) -> None:
    """Set the latest of the module."""
    global LATEST
    LATEST = n + LIMIT


def remember(n: int) -> None:
    """Remember n."""
    SEEN.append(n + LIMIT)


def wait(n: int) -> None:
    """Put n at the end of those that wait."""
    WAITING.append(n + LIMIT)


def tally(name: str) -> None:
    """Count the name."""
    TALLY.by_name[name] = TALLY.by_name.get(name, 0) + LIMIT


def told(n: int) -> int:
    """Add n to SEEN and give back n."""
    SEEN.append(n + LIMIT)
    return n


def outer(n: int) -> int:
    def inner(k: int) -> int:
        """Twice k: it closes over nothing."""
        return k * 2 + LIMIT

    return inner(n)


async def later(n: int) -> int:
    """n, and the limit, later."""
    await asyncio.sleep(0.001)
    return n + LIMIT


def endless(n: int):
    """Numbers from n."""
    i = n + LIMIT
    while True:
        yield i
        i += 1


async def failing(n: int):
    """n, and then an error."""
    yield n + LIMIT
    raise KeyError("x")


def matched(x: list) -> str:
    """What kind of list it is."""
    try:
        first, *rest = x
    except ValueError:
        return "none" + str(0 + LIMIT)
    return f"{first} {rest}" + str(0 + LIMIT)


def walrus(xs: list[int]) -> int:
    """The first big one."""
    return next((y for x in xs if (y := x * 2 + LIMIT) > 4), 0)


if __name__ == "__main__":
    raise SystemExit("it was run, not imported")
