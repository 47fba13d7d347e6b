"""`mpt check`, from a file to verdicts: real client, real fuzzers, real sandbox; a scripted model on loopback."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from chat_server import Answer, Asked
from command_line import FAST, RIGHT, WRONG, Home, home_with_model, is_program, scripted


def test_a_wrong_function_is_shown_with_the_inputs_on_which_it_differs(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, server):
        home.write("a.py", "\n" + WRONG)
        ran = home.run("check", "a.py", "--format", "json")
    assert ran.code == 1, ran.err
    [function] = ran.functions
    assert (function["path"], function["name"], function["line"]) == ("a.py", "double", 2)
    assert function["status"] == "INCONSISTENT"
    smallest = function["disagreements"][0]
    [x] = ast.literal_eval(smallest["arguments"])
    assert ast.literal_eval(smallest["target"]) == x * x
    assert [(ast.literal_eval(a["answer"]), a["programs"]) for a in smallest["others"]] == [(2 * x, 5)]
    assert function["spent"]["llm_calls"] == len(server.asked) == 10
    assert function["spent"]["tokens"] == 100


def test_a_right_function_is_consistent(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", RIGHT)
        ran = home.run("check", "a.py", *FAST)
    assert (ran.code, ran.functions[0]["status"]) == (0, "CONSISTENT")


@pytest.mark.parametrize("fuzzer", ["afl", "loop"])
def test_each_fuzzer_makes_the_inputs_and_says_so(tmp_path: Path, fuzzer: str) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", WRONG)
        ran = home.run("check", "a.py", "--fuzzer", fuzzer, "--format", "json")
    [function] = ran.functions
    assert ran.code == 1, ran.err
    assert function["notes"] == []
    smallest, *found = function["disagreements"]
    assert smallest["origin"] in ("fuzzed", "shrunk")
    assert {one["origin"] for one in found} == {"fuzzed"}
    assert 2 <= len(function["disagreements"]) <= 21


def test_the_table_is_what_a_person_reads(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", WRONG)
        ran = home.run("check", "a.py", "--fuzzer", "loop")
    assert ran.code == 1
    assert "INCONSISTENT" in ran.out
    assert re.search(r"double\(-?\d+\) +-?\d+ +-?\d+ ×5", ran.out)
    assert "10 LLM calls, 100 tokens" in ran.out


def test_pages_for_who_would_rather_look(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", WRONG)
        ran = home.run("check", "a.py", *FAST, "--report", "out/pages")
    index = home.project / "out/pages/index.html"
    assert ran.code == 1
    assert f"pages: {index.relative_to(home.project)}" in ran.err
    assert '<a href="double.html">double</a>' in index.read_text("utf-8")
    page = index.with_name("double.html").read_text("utf-8")
    assert "double: INCONSISTENT" in page
    assert page.count("Paraphrase program") == 5


def test_formats_for_code_hosts_and_for_ci(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("src/a.py", WRONG)
        sarif = home.run("check", "src", "--fuzzer", "loop", "--format", "sarif")
        junit = home.run("check", "src", "--fuzzer", "loop", "--format", "junit")
    [result] = json.loads(sarif.out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/a.py"
    assert ElementTree.fromstring(junit.out).get("failures") == "1"
    assert (sarif.code, junit.code) == (1, 1)


def test_only_the_prompt_leaves_the_machine(tmp_path: Path) -> None:
    secret = "SECRET = 'hunter2'\n\ndef other():\n    return SECRET\n\n" + WRONG + "\n# x * x is the secret\n"
    with home_with_model(tmp_path) as (home, server):
        home.write("a.py", secret)
        home.run("check", "a.py::double", *FAST)
        sent = json.dumps([asked.body for asked in server.asked])
    assert "Return twice" in sent
    for private in ("hunter2", "SECRET", "x * x", "a.py", str(tmp_path)):
        assert private not in sent


def test_editing_a_body_costs_no_call(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, server):
        home.write("a.py", WRONG)
        home.run("check", "a.py", *FAST)
        home.write("a.py", "import os\n\n\n" + RIGHT)
        again = home.run("check", "a.py", *FAST)
        asked = len(server.asked)
    assert (again.code, again.functions[0]["status"]) == (0, "CONSISTENT")
    assert (again.functions[0]["spent"]["llm_calls"], asked) == (0, 10)


def test_editing_the_docstring_asks_anew(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, server):
        home.write("a.py", RIGHT)
        home.run("check", "a.py", *FAST)
        home.write("a.py", RIGHT.replace("twice", "two times"))
        home.run("check", "a.py", *FAST)
        assert len(server.asked) == 20


def _without_seconds(text: str) -> str:
    return re.sub(r'"seconds": [\d.]+', '"seconds": 0', text)


def test_a_replay_is_identical_and_asks_nothing(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, server):
        home.write("a.py", WRONG + "\n\n" + RIGHT.replace("double", "twofold"))
        recorded = home.run("check", "a.py", "--format", "json", "--record", "rec")
        asked = len(server.asked)
    alone = Home(tmp_path)  # no model, and the server is gone
    first, second = (alone.run("check", "a.py", "--format", "json", "--replay", "rec") for _ in range(2))
    assert asked == 20
    assert recorded.code == first.code == second.code == 1, first.err
    assert _without_seconds(first.out) == _without_seconds(second.out)
    verdicts = [[(f["name"], f["status"], f["disagreements"]) for f in ran.functions] for ran in (recorded, first)]
    assert verdicts[0] == verdicts[1]
    assert all(function["spent"]["llm_calls"] == 0 for function in first.functions)


def test_five_samples_of_one_request_are_five_recordings(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, server):
        home.write("a.py", RIGHT)
        home.run("check", "a.py", *FAST, "--record", "rec")
        reworded = [asked for asked in server.asked if not is_program(asked)]
    recorded = [json.loads(path.read_text()) for path in (home.project / "rec" / "reply").rglob("*") if path.is_file()]
    samples = [one["request"]["sample"] for one in recorded if "python code" not in json.dumps(one["request"])]
    assert len(reworded) == 5
    assert sorted(samples) == [0, 1, 2, 3, 4]


def test_a_replay_of_something_else_is_one_clear_line(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", RIGHT)
        home.run("check", "a.py", *FAST, "--record", "rec")
    home.write("a.py", RIGHT.replace("twice", "thrice"))
    ran = Home(tmp_path).run("check", "a.py", *FAST, "--replay", "rec")
    assert ran.code == 2
    assert "--record" in ran.error_line


@pytest.mark.parametrize("policy", ["majority", "conservative", "consensus", "default"])
def test_every_policy_can_be_chosen(tmp_path: Path, policy: str) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("a.py", WRONG)
        assert home.run("check", "a.py", *FAST, "--policy", policy).functions[0]["status"] == "INCONSISTENT"


def test_numbers_are_flags(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, server):
        home.write("a.py", RIGHT)
        ran = home.run("check", "a.py", *FAST, "--paraphrases", "3", "--inputs", "4", "--seed", "7")
        assert len(server.asked) == 6
    assert ran.functions[0]["programs"] == 3
    assert ran.functions[0]["spent"]["executions"] == 3 + (1 + 3 + 1) * (1 + 4)


def test_a_program_that_cannot_be_loaded_here_is_asked_for_anew_with_the_reason(tmp_path: Path) -> None:
    good = scripted()
    borrowed = scripted("```python\nimport nosuch\n\ndef double(x):\n    return nosuch.twice(x)\n```")

    def answer(asked: Asked) -> Answer:
        told = "there is no module 'nosuch'. Do without that." in asked.body["messages"][-1]["content"]
        return (borrowed if is_program(asked) and not told else good)(asked)

    with home_with_model(tmp_path, answer) as (home, server):
        home.write("a.py", RIGHT)
        ran = home.run("check", "a.py", *FAST)
        assert len(server.asked) == 15
    assert ran.code == 0, ran.output
    assert ran.functions[0]["programs"] == 5


def test_a_folder_is_all_its_documented_functions(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("pkg/a.py", RIGHT)
        home.write("pkg/sub/b.py", RIGHT + "\n\ndef bare(x):\n    return x\n")
        home.write("pkg/.venv/lib/c.py", RIGHT)
        ran = home.run("check", "pkg", *FAST)
    assert [function["path"] for function in ran.functions] == ["pkg/a.py", "pkg/sub/b.py"]
    assert "1 function" in ran.err


def test_a_projects_ignore_leaves_files_out(tmp_path: Path) -> None:
    with home_with_model(tmp_path) as (home, _):
        home.write("pyproject.toml", '[tool.mpt]\nignore = ["gen/*"]\n')
        home.write("a.py", RIGHT)
        home.write("gen/b.py", RIGHT)
        ran = home.run("check", ".", *FAST)
    assert [function["path"] for function in ran.functions] == ["a.py"]


def test_what_a_program_returns_cannot_steer_the_terminal(tmp_path: Path) -> None:
    hostile = '''def shout(text: str) -> str:
    """Return the text in capitals.

    >>> shout("a")
    'A'
    """
    return "\\x1b[2J\\u202e" + text
'''
    program = "```python\ndef shout(text):\n    return text.upper()\n```"
    with home_with_model(tmp_path, scripted(program)) as (home, _):
        home.write("a.py", hostile)
        ran = home.run("check", "a.py", "--fuzzer", "loop")
        as_json = home.run("check", "a.py", *FAST)
    assert ran.code == as_json.code == 1
    for text in (ran.out, ran.err, as_json.out):
        assert "\x1b[2J" not in text
        assert "\u202e" not in text
