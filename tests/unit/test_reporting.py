"""What people and programs read of a report."""

from __future__ import annotations

import ast
import io
import json
from dataclasses import replace
from xml.etree import ElementTree

from rich.console import Console

from builders import arguments, evidence, example
from mpt.reporting import as_json, as_junit, as_sarif, lines, text
from mpt.reporting.escape import printable
from mpt.spelling import outcome
from mpt.validation import judge
from mpt.values import Function, Opaque, Position, Prompt, Report, Span, Verdict

SPAN = Span(Position(3, 4), Position(3, 5))
FUNCTION = Function("a.py", "f", 0, Prompt("", "def f(x):\n", (), "f"), "", "", SPAN, SPAN)


def _report(target: tuple[object, ...] = (3, 1), other: tuple[object, ...] = (0, 1)) -> Report:
    seen = evidence(target, *[other] * 4, target, examples=[example(1, 9)])
    return Report(FUNCTION, judge(seen), seen)


def _written(report: Report) -> str:
    console = Console(file=io.StringIO(), width=100)
    text.write_one(console, report)
    text.write_summary(console, [report])
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def test_the_headline_names_the_smallest_input_and_both_answers() -> None:
    assert lines.headline(_report()) == "`f(0)` returns 3; 4 of 5 paraphrase programs return 0"


def test_the_text_shows_who_said_what_and_what_is_doubtful() -> None:
    written = _written(_report())
    assert "INCONSISTENT" in written
    assert "0 ×4 · 3 ×1" in written
    assert "f(1) == 9 is contradicted by most programs" in written
    assert "1 function: 1 inconsistent" in written


def test_the_json_follows_its_schema() -> None:
    document = json.loads(as_json.dumps([_report()]))
    assert document["schema"] == 1
    [entry] = document["functions"]
    assert (entry["path"], entry["name"], entry["line"], entry["status"]) == ("a.py", "f", 4, "INCONSISTENT")
    [found] = entry["disagreements"]
    assert ast.literal_eval(found["arguments"]) == (0,)
    assert (found["target"], found["others"]) == ("3", [{"answer": "0", "programs": 4}, {"answer": "3", "programs": 1}])
    assert set(entry["spent"]) >= {"llm_calls", "tokens", "seconds"}


def test_what_the_function_printed_is_shown_apart_and_harmless() -> None:
    report = _report()
    assert report.evidence is not None
    loud = replace(report, evidence=replace(report.evidence, printed=("seen 1\x1b[2J\nseen 2\n", *[""] * 5)))
    assert "note: it prints: seen 1\\x1b[2J" in _written(loud)
    assert "seen 2" not in _written(loud)
    [entry] = json.loads(as_json.dumps([loud]))["functions"]
    assert entry["printed"] == "seen 1\x1b[2J\nseen 2\n"
    assert "it prints" not in _written(report)


def test_nothing_a_program_returned_reaches_the_terminal_as_a_control_code() -> None:
    hostile = "\x1b[2J\u202e[bold]\r\nx"
    report = _report((hostile, Opaque(hostile)), (hostile + "!", 1))
    written = _written(report)
    assert "\x1b" not in written
    assert "\u202e" not in written
    assert "[bold]" in written
    assert "\x1b" not in as_json.dumps([report])


def test_printable_is_one_bounded_line() -> None:
    assert printable("a\nb\x1b\ud800") == "a\\nb\\x1b\\ud800"
    assert printable("x" * 400, limit=10) == "x" * 9 + "…"
    assert printable(outcome(Opaque("\x9b2J"))) == "<\\x9b2J>"


def test_arguments_of_one_call_are_a_literal_tuple() -> None:
    from mpt.reporting.as_json import _tuple

    assert ast.literal_eval(_tuple(arguments([1, 2], "a"))) == ([1, 2], "a")
    assert ast.literal_eval(_tuple(arguments(1))) == (1,)
    assert ast.literal_eval(_tuple(arguments())) == ()


# --- for code hosts and CI ------------------------------------------------------------------------


def _unjudged() -> Report:
    return Report(replace(FUNCTION, name="mute"), Verdict("INCONCLUSIVE", "no input\x07 could be made"))


def test_sarif_marks_the_name_and_says_how_serious_it_is() -> None:
    document = json.loads(as_sarif.dumps([_report(), _report((1, 1), (1, 1)), _unjudged()]))
    [run] = document["runs"]
    [result] = run["results"]
    assert (document["version"], result["ruleId"], result["level"]) == ("2.1.0", "mpt-inconsistent", "warning")
    assert result["message"]["text"] == "f: `f(0)` returns 3; 4 of 5 paraphrase programs return 0"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a.py"
    assert place["region"] == {"startLine": 4, "startColumn": 5, "endLine": 4, "endColumn": 6}
    rules = run["tool"]["driver"]["rules"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    [note] = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "mute could not be judged: no input\\x07 could be made"


def test_sarif_names_a_file_in_the_folder_it_runs_in_and_any_other() -> None:
    inside = replace(_report(), function=replace(FUNCTION, path="src/a b%.py"))
    outside = replace(_report(), function=replace(FUNCTION, path="/elsewhere/a.py"))
    results = json.loads(as_sarif.dumps([inside, outside]))["runs"][0]["results"]
    places = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in results]
    assert places == ["src/a%20b%25.py", "file:///elsewhere/a.py"]
    assert results[0]["partialFingerprints"] != results[1]["partialFingerprints"]


def test_junit_has_a_case_a_function() -> None:
    text = as_junit.dumps([_report(), _report((1, 1), (1, 1)), _unjudged()])
    [suite] = ElementTree.fromstring(text)
    assert (suite.get("name"), suite.get("tests"), suite.get("failures"), suite.get("skipped")) == (
        "a.py",
        "3",
        "1",
        "1",
    )
    wrong, right, mute = suite.findall("testcase")
    failure = wrong.find("failure")
    assert failure is not None
    assert failure.get("message") == "`f(0)` returns 3; 4 of 5 paraphrase programs return 0"
    assert "0 ×4 · 3 ×1" in str(failure.text)
    assert right.find("failure") is None
    skipped = mute.find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "no input\\x07 could be made"
