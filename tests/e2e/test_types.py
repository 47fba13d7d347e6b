"""The example of docs/types.md, as it stands there: a distribution tells of a type, a function over it is judged."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import FAST, Home, home_with_model, scripted
from distributions import environment, install

PAGE = (Path(__file__).resolve().parents[2] / "docs/types.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r'^```\w+ title="(.+?)"\n(.*?)^```', PAGE, re.MULTILINE | re.DOTALL))
WRONG = FILES["invoice.py"]
RIGHT = WRONG.replace("price.amount + percent", "price.amount * (100 + percent) / 100")
PROGRAM = f"```python\n{RIGHT}```"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """mpt runs with the plugin and without the package, the document's environment has the package alone."""
    ours = tmp_path / "ours"
    ours.mkdir()
    entry_points = tomllib.loads(FILES["pyproject.toml"])["project"]["entry-points"]["mpt.types"]
    install(ours, "money-for-mpt", "money_for_mpt", FILES["money_for_mpt.py"], entry_points)
    install(environment(tmp_path / "venv"), "money", "money", FILES["money.py"])
    with home_with_model(tmp_path, scripted(PROGRAM)) as (home, _):
        home.env["PYTHONPATH"] = str(ours)
        yield home


def test_the_example_of_the_documentation(home: Home, tmp_path: Path) -> None:
    python = ("--python", str(tmp_path / "venv"))
    home.write("invoice.py", WRONG)
    ran = home.run("check", "invoice.py", "--fuzzer", "loop", *python)
    assert FILES["mpt check invoice.py"].strip() in ran.out, ran.out + ran.err
    assert (ran.code, ran.err) == (1, "")
    assert re.search(r"with_tax\(money\.Money\(.*\), -?\d+\) +Money\(amount=Decimal\('", ran.out), ran.out
    home.write("invoice.py", RIGHT)
    ran = home.run("check", "invoice.py", *FAST, *python)
    assert (ran.code, ran.functions[0]["status"]) == (0, "CONSISTENT"), ran.err


def test_a_broken_entry_point_is_one_line_and_stops_nothing(home: Home, tmp_path: Path) -> None:
    install(tmp_path / "ours", "hasty", "hasty", "raise RuntimeError('not\\ntoday')\n", {"all": "hasty:TYPES"})
    home.write("invoice.py", RIGHT)
    ran = home.run("check", "invoice.py", *FAST, "--python", str(tmp_path / "venv"))
    assert (ran.code, ran.functions[0]["status"]) == (0, "CONSISTENT"), ran.err
    says = (
        "hasty 1.0: its entry point 'all' (mpt.types) is not used: hasty:TYPES cannot be loaded "
        "(RuntimeError: not today); mend or uninstall it"
    )
    assert ran.error_line == f"mpt: {says}"
    told = " ".join(home.run("doctor").out.split())
    assert f"✓ types money.Money (mpt.types) – types {says}" in told
