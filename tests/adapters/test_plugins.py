"""Types that other distributions tell of by entry points: used where they are sound, named where they are broken."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from distributions import environment, install
from fakes import FakeFuzzer, FakeModel, FakeStore, FakeWatch
from mpt import codegen, diagnosis, pipeline
from mpt.adapters import plugins
from mpt.adapters.afl_fuzzer import AflFuzzer, afl_missing
from mpt.adapters.kept import KeptFuzzer
from mpt.adapters.loop_fuzzer import LoopFuzzer
from mpt.adapters.sandbox import open_sandbox
from mpt.equality import Equality, same_value
from mpt.inputs import parameters_of
from mpt.ports import Tools
from mpt.settings import Settings
from mpt.source import find_functions
from mpt.spelling import call, outcome
from mpt.types.known import Known
from mpt.values import Campaign, ForeignType, Function, FuzzBudget, Origin, Program, Report, Value

TILES = '''
import itertools
numbers = itertools.count()
class Tile:
    """Its hidden number is another each time, and none of what it holds is to be seen from outside."""
    __slots__ = ("_held",)
    def __init__(self, x, y):
        self._held = iter([x, y, next(numbers)])
    def sides(self):
        x, y, number = self._held
        self._held = iter([x, y, number])
        return x, y
'''
PLUGIN = """
from mpt.types import ForeignType
def sides(tile: "Tile") -> tuple[float, float]:
    x, y = tile.sides()
    return (float(x), float(y))
def same(left, right):
    return all(abs(a - b) < 0.5 for a, b in zip(left, right))
TILE = ForeignType("tiles.Tile", ("tiles.Tile(0, 0)", "tiles.Tile(1, 2)", "tiles.Tile(-3, 0.25)"), sides, same)
"""
DOCUMENT = '''
from __future__ import annotations
import tiles
from tiles import Tile
LIMIT = 1
def grown(tile: Tile) -> Tile:
    """The tile with a longer side."""
    x, y = tile.sides()
    return Tile(x + LIMIT, y)
def shaken(tile: Tile) -> Tile:
    """The tile, moved by less than counts."""
    return Tile(tile.sides()[0] + SHIFT, 0)
SHIFT = 0.1
def either(tile: Tile | int) -> int:
    """A number."""
    return (tile if isinstance(tile, int) else 0) + LIMIT
'''
FUNCTIONS = {one.name: one for one in find_functions(DOCUMENT)}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The document's environment, with the package; and a folder with the plugin, where the package is not."""
    folder = tmp_path_factory.mktemp("plugins")
    install(environment(folder / "venv"), "tiles", "tiles", TILES)
    (folder / "ours").mkdir()
    install(folder / "ours", "tiles-mpt", "tiles_mpt", PLUGIN, {"tile": "tiles_mpt:TILE"})
    return folder / "venv", folder / "ours"


@pytest.fixture
def found(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> plugins.Plugins:
    monkeypatch.syspath_prepend(folders[1])
    return plugins.load()


@pytest.fixture
def tools(folders: tuple[Path, Path], found: plugins.Plugins) -> Iterator[Tools]:
    assert [one.name for one in found.types] == ["tiles.Tile"]
    assert found.problems == ()
    with tools_of(folders[0], found.types) as opened:
        yield opened


@contextmanager
def tools_of(python: Path | None, types: tuple[ForeignType, ...]) -> Iterator[Tools]:
    sandbox = open_sandbox("auto", python, types=types)
    fuzzers = (LoopFuzzer(sandbox),)
    model = FakeModel(lambda request: "")
    try:
        yield Tools(lambda: model, sandbox, fuzzers, FakeStore(), time.monotonic, types=types)
    finally:
        sandbox.close()


def judged(tools: Tools, function: Function, original: Function) -> Report:
    target = codegen.target(original)
    copies = [replace(target, origin=Origin("paraphrase", paraphrase=number)) for number in range(5)]
    return pipeline.compare(function, copies, tools, Settings(fuzz_executions=200), FakeWatch())


def test_a_plugin_makes_tells_and_compares(tools: Tools) -> None:
    function = FUNCTIONS["grown"]
    report = judged(tools, function, function)
    assert report.verdict.status == "CONSISTENT", report.verdict.reason
    changed = replace(function, source=function.source.replace("LIMIT", "LIMIT + 1"))
    report = judged(tools, changed, function)
    assert report.verdict.status == "INCONSISTENT", report.verdict.reason
    shown = report.verdict.disagreements[0]
    assert call("grown", shown.arguments) == "grown(tiles.Tile(0, 0))"
    assert (outcome(shown.target), outcome(shown.others[0].outcome)) == ("Tile(2.0, 0.0)", "Tile(1.0, 0.0)")


def test_its_own_rule_says_what_is_the_same(tools: Tools, folders: tuple[Path, Path]) -> None:
    function = FUNCTIONS["shaken"]
    changed = replace(function, source=function.source.replace("SHIFT", "2 * SHIFT"))
    assert judged(tools, changed, function).verdict.status == "CONSISTENT"
    without = tuple(replace(one, same=None) for one in tools.types)
    assert judged(replace(tools, types=without), changed, function).verdict.status == "INCONSISTENT"


def test_where_the_package_is_not_installed_the_reason_names_it(found: plugins.Plugins) -> None:
    with tools_of(None, found.types) as tools:
        text = DOCUMENT.replace("import tiles\nfrom tiles import Tile\n", "import os\n")
        functions = {one.name: one for one in find_functions(text)}
        report = judged(tools, functions["grown"], functions["grown"])
        assert report.verdict.reason == (
            "cannot make a value for parameter 'tile': it is annotated Tile, and tiles is not installed in the "
            "document's environment"
        )
        assert judged(tools, functions["either"], functions["either"]).verdict.status == "CONSISTENT"


def test_data_that_cannot_be_read_on_that_python_is_told(found: plugins.Plugins) -> None:
    [tile] = found.types
    newer = replace(tile, source="def sides(tile):\n    return tile.sides() if tile\n")
    with tools_of(None, (newer,)) as tools:
        function = FUNCTIONS["either"]
        report = judged(
            tools, replace(function, place=replace(function.place, module=_without_tiles(function))), function
        )
        assert any(
            note.startswith("values of tiles.Tile cannot be told as data on this Python") for note in report.notes
        )


def _without_tiles(function: Function):  # type: ignore[no-untyped-def]
    assert function.place is not None
    text = DOCUMENT.replace("import tiles\nfrom tiles import Tile\n", "")
    return replace(function.place.module, text=text)


def test_afl_makes_its_values_too(found: plugins.Plugins, tmp_path: Path) -> None:
    if problem := afl_missing():
        pytest.skip(f"AFL: {problem}")
    (tmp_path / "tiles.py").write_text(TILES)
    function = FUNCTIONS["grown"]
    assert function.place is not None
    place = replace(function.place, module=replace(function.place.module, roots=(str(tmp_path),)))
    target = codegen.target(replace(function, place=place))
    parameters = parameters_of(function.prompt, (), function.source, place, Known(found.types))
    with tools_of(None, found.types) as tools:
        fuzzer = AflFuzzer(tools.sandbox, types=found.types)  # type: ignore[arg-type]
        inputs = fuzzer.fuzz(Campaign(target, parameters), FuzzBudget(inputs=3, seconds=20), FakeWatch())
    assert {call("f", one) for one in inputs} <= {f"f({text})" for text in found.types[0].makes}
    assert inputs


# --- broken ones ----------------------------------------------------------------------------------

HEAD = "from mpt.types import ForeignType\n"
BROKEN = {
    "no such module": ("", "gone:TILE", "gone:TILE cannot be loaded (ModuleNotFoundError"),
    "no such name": (HEAD, "broken_{}:TILE", "cannot be loaded (AttributeError"),
    "raises": ("raise RuntimeError('not today')", "broken_{}:TILE", "(RuntimeError: not today); mend or uninstall it"),
    "exits": ("raise SystemExit(3)", "broken_{}:TILE", "cannot be loaded (SystemExit: 3)"),
    "another type": ("TILE = 'a.B'", "broken_{}:TILE", "is a str, not a mpt.types.ForeignType"),
    "no dots": (f"{HEAD}TILE = ForeignType('Tile', ('1',))", "broken_{}:TILE", "not 'Tile'"),
    "ours": (f"{HEAD}TILE = ForeignType('numpy.ndarray', ('1',))", "broken_{}:TILE", "mpt knows numpy.ndarray itself"),
    "no texts": (f"{HEAD}TILE = ForeignType('a.B', ())", "broken_{}:TILE", "at least one"),
    "no Python": (f"{HEAD}TILE = ForeignType('a.B', ('B(',))", "broken_{}:TILE", "'B(', which is no Python expression"),
    "a builtin": (
        f"{HEAD}TILE = ForeignType('a.B', ('1',), len)",
        "broken_{}:TILE",
        "is no function written in Python",
    ),
    "a lambda": (
        f"{HEAD}TILE = ForeignType('a.B', ('1',), lambda b: 1)",
        "broken_{}:TILE",
        "define it with def, without decorators",
    ),
    "no source": (
        f"{HEAD}names = {{}}\nexec('def f(b): return 1', names)\nTILE = ForeignType('a.B', ('1',), names['f'])",
        "broken_{}:TILE",
        "has no source text that can be had",
    ),
    "needs its module": (
        f"{HEAD}SCALE = 2\ndef f(b):\n    return b.x * SCALE\nTILE = ForeignType('a.B', ('1',), f)",
        "broken_{}:TILE",
        "data of a.B uses SCALE from outside of it",
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_entry_point_is_one_line_and_no_more(
    how: str, found: plugins.Plugins, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, value, says = BROKEN[how]
    number = list(BROKEN).index(how)
    install(tmp_path, f"broken-{number}", f"broken_{number}", text, {"tile": value.format(number)})
    monkeypatch.syspath_prepend(tmp_path)
    again = plugins.load()
    assert [one.name for one in again.types] == ["tiles.Tile"]
    [line] = again.problems
    assert line.startswith(f"broken-{number} 1.0: its entry point 'tile' (mpt.types) is not used: ")
    assert says in line
    assert "\n" not in line
    findings = [one for one in diagnosis._types() if one.part == "types"]
    assert [(one.says, one.works, one.needed) for one in findings] == [
        ("tiles.Tile (mpt.types)", True, True),
        (line, False, False),
    ]


def test_two_of_one_name_are_both_set_aside(
    found: plugins.Plugins, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "tiles-too", "tiles_too", PLUGIN, {"tile": "tiles_too:TILE"})
    monkeypatch.syspath_prepend(tmp_path)
    again = plugins.load()
    assert again.types == ()
    assert len(again.problems) == 2
    assert all("by tiles-mpt 1.0, tiles-too 1.0: keep one" in line for line in again.problems)


# --- rules and keys -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (lambda a, b: a == b, False),
        (lambda a, b: None, None),
        (lambda a, b: a["x"] < b["x"], None),
        (lambda a, b: a["y"], None),
        (lambda a, b: "yes", None),
        (None, False),
    ],
)
def test_a_rule_that_fails_or_is_not_symmetric_cannot_tell(rule: object, expected: bool | None) -> None:
    left, right = (Value(f'{{"foreign":["a.B",{{"dict":[["x",{n}]]}}]}}') for n in (1, 2))
    one = ForeignType("a.B", ("1",), same=rule)  # type: ignore[arg-type]
    assert same_value(left, right, Equality(types=(one,))) is expected
    assert same_value(left, left, Equality(types=(one,))) is True


def test_what_a_plugin_tells_is_part_of_the_keys_of_inputs() -> None:
    one = ForeignType("a.B", ("1",), source="def f(b): return 1", rule="")
    others = [replace(one, makes=("2",)), replace(one, source="def f(b): return 2"), replace(one, rule="r")]
    store, campaign = FakeStore(), Campaign(Program("import a", "f", Origin("target")), ())
    for types in itertools.chain([()], ([each] for each in (one, *others, one))):
        KeptFuzzer(FakeFuzzer(), store, types=types).fuzz(campaign, FuzzBudget(), FakeWatch())
    assert len(store.kept) == 5
    KeptFuzzer(FakeFuzzer(), store, types=[ForeignType("b.B", ("1",))]).fuzz(campaign, FuzzBudget(), FakeWatch())
    assert len(store.kept) == 5  # nothing of b's is near


def test_of_two_classes_of_one_name_the_one_whose_package_the_document_names_is_meant() -> None:
    known = Known((ForeignType("a.Point", ("1",)), ForeignType("b.Point", ("2",))))
    first, second = known.of_name("Point", "from a import Point"), known.of_name("Point", "import b")
    assert first is not None
    assert second is not None
    assert (first.samples, second.samples) == ((Value('{"source":"1"}'),), (Value('{"source":"2"}'),))
