"""How values of other people's types are made: the standard library's, numpy's, pandas's, and those of plugins.

A row is a `ForeignType`: the class's full name, and Python texts or a Shape that make values of it behind the wall.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from mpt.values import ForeignType, Shape, Value
from mpt.worker import codec
from mpt.worker.codec import Source

_INT, _STR, _FLOAT, _BOOL = Shape("int"), Shape("str"), Shape("float"), Shape("bool")


def texts(*sources: str) -> Shape:
    """One of these, each Python text."""
    return Shape("literal", samples=tuple(Value(codec.encode(Source(text))) for text in sources))


def literals(*values: object) -> Shape:
    """One of these objects of ours."""
    return Shape("literal", samples=tuple(Value(codec.encode(value)) for value in values))


def called(text: str, *items: Shape, names: Sequence[str] = ()) -> Shape:
    """What calling that gives, with arguments of these shapes; an empty name is passed by position."""
    return Shape("call", items, call=text, names=tuple(names) or ("",) * len(items))


def either(*choices: Shape) -> Shape:
    return Shape("union", choices)


def _listed(*members: Shape, low: int = 0, high: int = 6) -> Shape:
    """A list of members that are each one of these, or tuples of them where they are several."""
    return Shape("list", (members[0] if len(members) == 1 else Shape("tuple", members),), low=low, high=high)


# --- the standard library -------------------------------------------------------------------------

FUNCTIONS = texts(
    "(lambda *a, **k: a[0] if a else 0)",
    "(lambda *a, **k: bool(a and a[0]))",
    "(lambda *a, **k: len(repr(a)) % 3)",
    "str",
    "(lambda *a, **k: a)",
    "(lambda *a, **k: None)",
    "max",
)
"""Functions that take whatever they are given."""
ITERATORS = called("iter", Shape("list", (_INT,)))
_YEAR = literals(1970, 1999, 2000, 2023, 2024, 2100)
_MONTH, _DAY = literals(*range(1, 13)), literals(*range(1, 29))
_HOUR, _MINUTE = literals(*range(24)), literals(*range(0, 60, 7), 59)
_ZONES = texts(
    "datetime.timezone.utc",
    "datetime.timezone(datetime.timedelta(hours=5, minutes=30))",
    "datetime.timezone(datetime.timedelta(hours=-8))",
)
_PATHS = texts("pathlib.Path('a/b.txt')", "pathlib.Path('/')", "pathlib.Path('.')", "pathlib.Path('x.tar.gz')")
_TEXT_FILES, _BYTE_FILES = called("io.StringIO", _STR), called("io.BytesIO", Shape("bytes"))
_DATES = either(
    texts("datetime.date(2024, 2, 29)", "datetime.date(1999, 12, 31)", "datetime.date(2023, 1, 1)"),
    called("datetime.date", _YEAR, _MONTH, _DAY),
)
_DATETIMES = either(
    texts("datetime.datetime(2024, 2, 29, 12, 30)", "datetime.datetime(1999, 12, 31, 23, 59, 59)"),
    called("datetime.datetime", _YEAR, _MONTH, _DAY, _HOUR, _MINUTE, _MINUTE),
    called("datetime.datetime", _YEAR, _MONTH, _DAY, _HOUR, _ZONES, names=("year", "month", "day", "hour", "tzinfo")),
)
_DECIMALS = either(
    texts(*(f"decimal.Decimal('{text}')" for text in ("0", "0.1", "1.50", "-2.25", "2.675", "99.995", "1E+3", "-0"))),
    called("decimal.Decimal", _INT),
)
_FRACTIONS = either(
    texts("fractions.Fraction(0)", "fractions.Fraction(1, 3)"),
    called("fractions.Fraction", _INT, literals(*range(1, 10))),
)
_UUIDS = either(
    texts("uuid.UUID(int=0)", "uuid.UUID('12345678123456781234567812345678')"),
    called("uuid.UUID", Shape("int", low=0, high=1 << 60), names=("int",)),
)
_PATTERNS = texts(
    r"re.compile(r'\d+')",
    "re.compile('a|b')",
    "re.compile('')",
    r"re.compile(r'(\w)(\w*)')",
    "re.compile('[a-c]', re.I)",
)

_STANDARD: dict[tuple[str, ...], Shape] = {
    ("collections.abc.Callable", "types.FunctionType"): FUNCTIONS,
    ("collections.abc.Iterator", "collections.abc.Generator"): ITERATORS,
    ("datetime.datetime",): _DATETIMES,
    ("datetime.date",): _DATES,
    ("datetime.time",): either(
        texts("datetime.time(0, 0)", "datetime.time(23, 59, 59)", "datetime.time(12, 30, 15, 500)"),
        called("datetime.time", _HOUR, _MINUTE, _MINUTE),
    ),
    ("datetime.timedelta",): called("datetime.timedelta", _INT, _INT, names=("days", "seconds")),
    ("datetime.tzinfo", "datetime.timezone"): _ZONES,
    ("zoneinfo.ZoneInfo",): texts("zoneinfo.ZoneInfo('UTC')", "zoneinfo.ZoneInfo('Europe/Berlin')"),
    ("decimal.Decimal",): _DECIMALS,
    ("fractions.Fraction",): _FRACTIONS,
    ("pathlib.Path", "os.PathLike"): either(_PATHS, called("pathlib.Path", _STR)),
    ("pathlib.PosixPath",): _PATHS,
    ("pathlib.PurePath", "pathlib.PurePosixPath"): called("pathlib.PurePosixPath", _STR),
    ("re.Pattern",): _PATTERNS,
    ("re.Match",): texts(r"re.match(r'(\w)(\w*)', 'abc')", "re.search('b', 'abc')"),
    ("uuid.UUID",): _UUIDS,
    ("io.StringIO", "typing.TextIO", "io.TextIOBase"): _TEXT_FILES,
    ("io.BytesIO", "typing.BinaryIO"): _BYTE_FILES,
    ("typing.IO", "io.IOBase"): either(_TEXT_FILES, _BYTE_FILES),
    ("collections.deque", "typing.Deque"): called("collections.deque", Shape("list", (_INT,))),
    ("collections.ChainMap",): called("collections.ChainMap", *[Shape("dict", (_STR, _INT), low=0, high=3)] * 2),
    ("typing.Type", "builtins.type"): texts("int", "str", "dict", "ValueError"),
    ("builtins.Exception", "builtins.BaseException"): texts("ValueError('x')", "KeyError('x')"),
    ("collections.OrderedDict",): called("collections.OrderedDict", _listed(_STR, _INT)),
    ("collections.Counter",): called("collections.Counter", _STR),
    ("socket.socket",): texts("importlib.import_module('socket').socketpair()[0]"),
    ("logging.Logger",): texts("importlib.import_module('logging').getLogger('a')"),
    ("types.CodeType",): texts("(lambda a, b=1: a + b).__code__", "compile('x = 1', 'x.py', 'exec')"),
    ("random.Random",): called("random.Random", _INT),
    ("builtins.slice",): texts("slice(1, 3)", "slice(None)", "slice(None, None, -1)"),
}

# --- numpy, pandas, networkx ----------------------------------------------------------------------

_ARRAYS = either(
    called("numpy.array", _listed(_FLOAT, low=1)),
    called("numpy.array", _listed(_INT)),
    called("numpy.array", _listed(_BOOL, low=1)),
    called("numpy.array", _listed(_INT, _INT, low=1, high=4)),
    called("numpy.array", _listed(_FLOAT, _FLOAT, _FLOAT, low=1, high=3)),
    texts("numpy.arange(6).reshape(2, 3)", "numpy.eye(2)", "numpy.zeros((0,))", "numpy.zeros((0, 3))"),
)
_SERIES = either(
    called("pandas.Series", _listed(_FLOAT, low=1)),
    called("pandas.Series", _listed(_INT, low=1)),
    called("pandas.Series", _listed(literals("a", "b", "", "ab"), low=1)),
    texts("pandas.Series(['a', 'b', None])", "pandas.Series([1.5, None, -2.0], index=['x', 'y', 'z'])"),
    texts("pandas.Series([True, False, True])", "pandas.Series([], dtype='float64')"),
)


def frames(columns: Sequence[str]) -> Shape:
    """Data frames with these columns: numbers, whole numbers, texts, and texts first beside numbers."""
    names = literals(list(columns))
    words, count = literals("a", "b", "ab", ""), len(columns)
    kinds = ([_INT] * count, [_FLOAT] * count, [words] * count, [words, *[_INT] * (count - 1)])
    made = [_framed(names, cells) for cells in kinds[: 2 if count == 1 else 4]]
    return either(*made, *([_framed(names, [words])] if count == 1 else ()))


def _framed(names: Shape, cells: Sequence[Shape]) -> Shape:
    rows = Shape("list", (Shape("tuple", tuple(cells)),), low=0, high=5)
    return called("pandas.DataFrame", rows, names, names=("", "columns"))


_FRAMES = either(
    *frames(("a", "b")).items,
    texts(
        "pandas.DataFrame({'a': [1, 2, 3], 'b': [0.5, None, -2.0]})",
        "pandas.DataFrame({'a': ['x', 'y', 'x'], 'b': [3, 1, 2]}, index=['r', 's', 't'])",
        "pandas.DataFrame({'a': []})",
    ),
)
_GRAPHS = texts(
    *("networkx.path_graph(4)", "networkx.complete_graph(4)", "networkx.cycle_graph(5)", "networkx.Graph()"),
    *("networkx.DiGraph([(0, 1), (1, 2), (0, 2)])", "networkx.star_graph(3)"),
    "networkx.Graph([(0, 1, {'weight': 2}), (1, 2, {'weight': 1}), (0, 2, {'weight': 5}), (3, 4)])",
)
_PACKAGES: dict[tuple[str, ...], Shape] = {
    ("numpy.ndarray", "numpy.typing.NDArray", "numpy.typing.ArrayLike"): _ARRAYS,
    ("numpy.matrix",): called("numpy.matrix", _listed(_INT, _INT, low=1, high=3)),
    ("numpy.datetime64",): texts("numpy.datetime64('2024-02-29')", "numpy.datetime64('1999-12-31T23:59:59')"),
    ("numpy.timedelta64",): called("numpy.timedelta64", _INT, literals("D", "h", "s")),
    ("numpy.dtype",): texts("numpy.dtype('int64')", "numpy.dtype('float32')", "numpy.dtype('<U3')"),
    ("pandas.DataFrame",): _FRAMES,
    ("pandas.Series",): _SERIES,
    ("pandas.Index",): either(
        called("pandas.Index", _listed(_INT, low=1)), called("pandas.Index", _listed(literals("a", "b", "ab"), low=1))
    ),
    ("pandas.DatetimeIndex",): texts(
        "pandas.date_range('2024-02-28', periods=3)", "pandas.DatetimeIndex(['2024-01-01', None])"
    ),
    ("pandas.Timestamp",): texts(
        "pandas.Timestamp('2024-02-29 12:30')", "pandas.Timestamp('1999-12-31', tz='UTC')", "pandas.Timestamp(0)"
    ),
    ("pandas.Timedelta",): called("pandas.Timedelta", _INT, literals("D", "h", "s")),
    ("networkx.Graph", "networkx.DiGraph"): _GRAPHS,
}
OURS: tuple[ForeignType, ...] = tuple(
    ForeignType(name, shape) for table in (_STANDARD, _PACKAGES) for names, shape in table.items() for name in names
)
"""The types that mpt knows itself."""


# --- what can be made for one document ------------------------------------------------------------


class NotInstalled(Exception):
    """The type is known, and its package is not there: `package`."""

    def __init__(self, package: str) -> None:
        super().__init__(package)
        self.package = package


@dataclass(frozen=True, slots=True)
class Known:
    """The types that values can be made of: ours, and `plugins`. absent: packages that the document's Python lacks."""

    plugins: tuple[ForeignType, ...] = ()
    absent: frozenset[str] = frozenset()

    def of_name(self, name: str, text: str = "") -> Shape | None:
        """By a class's own name; of several the one whose package is named in the document's `text`, ours first.

        Raises NotInstalled.
        """
        found = [one for one in (*OURS, *self.plugins) if one.name.rpartition(".")[2] == name]
        if not found:
            return None
        one = next((one for one in found if re.search(rf"\b{one.package}\b", text)), found[0])
        if one.package in self.absent:
            raise NotInstalled(one.package)
        return one.makes if isinstance(one.makes, Shape) else texts(*one.makes)


UNASKED = Known()
"""Where nobody has looked what is installed."""


def packages(plugins: Sequence[ForeignType]) -> tuple[str, ...]:
    """What is looked for in the document's environment: it need not be there."""
    found = dict.fromkeys(one.package for one in (*OURS, *plugins))
    return tuple(package for package in found if package not in sys.stdlib_module_names)
