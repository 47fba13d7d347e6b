"""Functions over other people's types; every LIMIT in them matters."""

import collections
import datetime as dt
import io
import re
import uuid
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

import attr
import attrs
import numpy as np
import numpy.typing as npt
import pandas as pd
import pydantic
from pydantic import BaseModel, Field, field_validator

LIMIT = 3

Pair = namedtuple("Pair", "left right")


class Triple(NamedTuple):
    x: int
    y: float = 0.5
    name: str = ""


@attrs.define
class Box:
    width: int = attrs.field(validator=[attrs.validators.ge(0), attrs.validators.le(40)])
    _depth: float = attrs.field(default=1.5, alias="depth")
    tags: list[str] = attrs.field(factory=list)
    area: float = attrs.field(init=False, default=0.0)

    def grow(self, by: int) -> "Box":
        """A wider box."""
        return Box(min(40, self.width + abs(by) % LIMIT), self._depth)


@attr.s(auto_attribs=True)
class Old:
    size: int
    label: str = "x"


@attr.s
class Older:
    count = attr.ib(converter=int)
    unit = attr.ib(default="kg")


class Wheel(BaseModel):
    size: int = Field(ge=0, le=10)
    width: Annotated[float, Field(gt=0, lt=5)] = 1.0


class Car(BaseModel):
    name: str = Field(min_length=1, max_length=8)
    wheels: list[Wheel] = Field(default_factory=list)
    price: Decimal | None = None
    doors: pydantic.PositiveInt = 4

    @field_validator("doors")
    @classmethod
    def even(cls, doors: int) -> int:
        if doors % 2:
            raise ValueError("an odd number of doors")
        return doors


@pydantic.dataclasses.dataclass
class Seat:
    row: int = Field(ge=1, le=9)
    window: bool = False


@dataclass
class Trip:
    start: date
    length: timedelta


def row_sums(a: npt.NDArray[np.float64]) -> np.ndarray:
    """The sums along the last axis, more by the limit."""
    return a.sum(axis=-1) + LIMIT


def shape_of(a: np.ndarray) -> tuple:
    """The shape, and the size more by the limit."""
    return a.shape, a.size + LIMIT


def positive(a: np.ndarray) -> np.ndarray:
    """The items that are at least the limit."""
    return a[a >= LIMIT]


def first_column(a: np.ndarray) -> np.ndarray:
    """The first column of a table, more by the limit."""
    if a.ndim != 2:
        raise ValueError("no table")
    return a[:, 0] + LIMIT


def masked(a: np.ndarray) -> np.ma.MaskedArray:
    """Without the items that are smaller than the limit."""
    return np.ma.masked_less(a.astype(float), LIMIT)


def days(n: int) -> np.ndarray:
    """Dates by the nanosecond."""
    return np.datetime64("2024-01-01", "ns") + np.arange(abs(n) % 4) * LIMIT


def prices(table: pd.DataFrame) -> pd.Series:
    """The highest price of each city, more by the limit."""
    return table.groupby("city")["price"].max() + LIMIT


def renamed(table: pd.DataFrame) -> pd.DataFrame:
    """With a column more."""
    table = table.copy()
    table["new"] = range(LIMIT, LIMIT + len(table))
    return table


def smoothed(values: pd.Series) -> pd.Series:
    """The rolling counts, named."""
    return values.rolling(2, min_periods=1).count().rename("n") + LIMIT


def by_kind(values: pd.Series) -> pd.Series:
    """As a categorical of more categories than there are."""
    return values.astype(str).astype("category").cat.add_categories([f"more than {LIMIT}"])


def labels(index: pd.Index) -> pd.Index:
    """The labels, twice, under a name."""
    return pd.Index([str(one) * 2 for one in index], name=f"by {LIMIT}")


def month_starts(n: int) -> pd.DatetimeIndex:
    """The first days of the months."""
    return pd.date_range("2024-01-01", periods=abs(n) % 5 + LIMIT, freq="MS", tz="UTC")


def taxed(price: Decimal) -> Decimal:
    """The price with a tax."""
    return (price * (100 + LIMIT) / 100).quantize(Decimal("0.01"))


def halved(share: Fraction) -> Fraction:
    """A share of it."""
    return share / LIMIT


def due(day: date) -> date:
    """The day it is due."""
    return day + timedelta(days=LIMIT)


def rounded(moment: dt.datetime) -> dt.datetime:
    """To the hour, later by some."""
    return moment.replace(minute=0, second=0, microsecond=0) + dt.timedelta(hours=LIMIT)


def there(zone: ZoneInfo) -> datetime:
    """What the clock shows there."""
    return datetime(2024, 7, LIMIT, 12, tzinfo=zone)


def late(trip: Trip) -> timedelta:
    """How long it takes at most."""
    return trip.length + timedelta(hours=LIMIT)


def backup(path: Path) -> Path:
    """Where it is kept."""
    return path.with_name(f"{path.name or 'none'}.{LIMIT}.bak")


def depth(path: PurePosixPath) -> int:
    """How deep it lies."""
    return len(path.parts) + LIMIT


def found(pattern: re.Pattern[str], text: str) -> list[str]:
    """The first few matches."""
    return pattern.findall(text + "abc 12")[:LIMIT]


def widened(pattern: re.Pattern[str]) -> re.Pattern[str]:
    """The pattern, several times."""
    return re.compile(f"(?:{pattern.pattern}){{{LIMIT}}}")


def short(key: uuid.UUID) -> str:
    """Its first digits."""
    return key.hex[: 5 + LIMIT]


def derived(key: uuid.UUID) -> uuid.UUID:
    """Another one."""
    return uuid.UUID(int=(key.int + LIMIT) % 2**128)


def doubled(box: Box) -> Box:
    """Twice as wide, within what is allowed."""
    return Box(min(40, 2 * box.width), float(LIMIT), [*box.tags, "new"])


def relabelled(one: Old) -> Old:
    """With a longer label."""
    return attr.evolve(one, label=one.label * LIMIT + "!")


def counted(one: Older) -> str:
    """As text."""
    return f"{one.count + LIMIT} {one.unit}"


def bigger(wheel: Wheel) -> Wheel:
    """The next size."""
    return Wheel(size=min(10, wheel.size + LIMIT), width=2.5)


def repainted(car: Car) -> Car:
    """With a number to its name, of as many doors."""
    return car.model_copy(update={"name": f"{car.name[:4]}{LIMIT}"})


def doors(car: Car) -> int:
    """Doors, wheels and what is added."""
    return car.doors + len(car.wheels) + LIMIT


def behind(seat: Seat) -> Seat:
    """The seat in the row behind it."""
    return Seat(min(9, seat.row + LIMIT), not seat.window)


def commonest(words: Counter) -> Counter:
    """The most common ones."""
    return Counter(dict(words.most_common(LIMIT)))


def moved(items: OrderedDict[str, int]) -> OrderedDict[str, int]:
    """With one more at its end."""
    items["last"] = LIMIT
    items.move_to_end("last")
    return items


def grouped(groups: defaultdict[str, list[int]]) -> dict:
    """With a group more."""
    groups["new"].append(LIMIT)
    return dict(groups)


def turned(items: deque) -> deque:
    """Turned by some."""
    items.rotate(LIMIT)
    items.append(LIMIT)
    return items


def layered(names: collections.ChainMap) -> int:
    """How many there are."""
    return len(names) + LIMIT


def swapped(pair: Pair) -> Pair:
    """The other way round."""
    return Pair(pair.right, [pair.left, LIMIT])


def shifted(one: Triple) -> Triple:
    """Further by the limit."""
    return one._replace(x=one.x + LIMIT)


def numbered(file: io.StringIO) -> io.StringIO:
    """The lines, numbered."""
    return io.StringIO("".join(f"{n} {line}" for n, line in enumerate(file, LIMIT)) + ".")


def packed(file: io.BytesIO) -> bytes:
    """Its bytes behind their number."""
    data = file.read()
    return bytes([(len(data) + LIMIT) % 256]) + data


def discounted(values):
    """The sum of the values, the limit more.

    Parameters
    ----------
    values : array_like
        One or two dimensions.
    """
    return np.atleast_1d(values).sum(axis=0) + LIMIT


def cheapest(df):
    """The lowest price of each city."""
    return df.groupby("city")["price"].min() - LIMIT
